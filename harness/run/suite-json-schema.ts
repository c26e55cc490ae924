import { z } from 'zod'
import { suiteSchema } from '../define/index.js'

/** Of suites as they are written, for editors: `suite.schema.json`. */
export function suiteJsonSchema(): object {
  const schema = z.toJSONSchema(suiteSchema, { io: 'input' })
  return { ...schema, title: 'A suite of sora-bench' }
}
