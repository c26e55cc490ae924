// Writes the JSON Schema of suites for editors: `npm run schema`.
import { writeFileSync } from 'node:fs'
import { suiteJsonSchema } from '../harness/run/suite-file.js'

writeFileSync('suite.schema.json', `${JSON.stringify(suiteJsonSchema(), null, 2)}\n`)
