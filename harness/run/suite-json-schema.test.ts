import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { suiteJsonSchema } from './suite-file.js'

test('the published schema of suites is that of the code (npm run schema)', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../../suite.schema.json', import.meta.url), 'utf8'))
  expect(published).toEqual(suiteJsonSchema())
})
