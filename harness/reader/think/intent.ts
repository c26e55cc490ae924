import type { JsonObject, WaitCondition } from '../../contract/index.js'

/** What the reader means to do next, whatever wire it is asked over. */
export type Intent =
  | { do: 'discover' }
  | { do: 'read'; document: string }
  | { do: 'mount'; documents: string[]; focus: string[] }
  | { do: 'focus'; tools: string[] }
  | { do: 'observe'; tools: string[] }
  /** `wait` begins at the acknowledgement. */
  | { do: 'operate'; tool: string; action: string; args: JsonObject; wait: WaitCondition | null }
  | ({ do: 'wait' } & WaitCondition)
  | { do: 'sleep'; ms: number }
  | { do: 'claim'; achieved: boolean }
  | { do: 'decline' }

export const VERBS = [
  'discover',
  'read',
  'mount',
  'focus',
  'observe',
  'operate',
  'wait',
  'sleep',
  'claim',
  'decline',
] as const satisfies readonly Intent['do'][]
export type Verb = (typeof VERBS)[number]
export type Verbs = ReadonlySet<Verb>
