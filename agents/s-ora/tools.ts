import type { ToolSpec } from '../../harness/contract/index.js'
import { decline } from './schemas.js'

/** The way out of an instruction that cannot be carried out; it never reaches a door. */
export const declineTool: ToolSpec = {
  kind: 'operation',
  name: decline.name,
  description: 'Carries out nothing and says why the instruction cannot be carried out.',
  parameters: decline.json,
  actions: [],
}
