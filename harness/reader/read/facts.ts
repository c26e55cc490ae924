import type { Event } from '../../kit/index.js'
import type { Intent, Verb, Verbs } from '../think/intent.js'
import type { Goal } from './goal.js'
import type { Manual } from './manual.js'

/** An event at the time that it is known, or must be thought, to have happened. */
export type Dated = Event & { at: number }

export interface KnownDocument {
  id: string
  summary: string
  covers: string[]
  /** Does only its own text say what it covers? */
  hidden?: boolean
  /** `listed`: never read. `read`: read, but its text is not in this prompt. `visible`: it is. */
  state: 'listed' | 'read' | 'visible'
  manual: Manual | null
}
export interface KnownTool {
  name: string
  summary: string
  operations: { action: string; summary: string }[]
}

/** All that a prompt says, without how it says it. */
export interface Facts {
  seed: number
  goal: Goal
  /** Is it told by a plan alone, which an earlier call has written? */
  goalPlanned: boolean
  catalogue: {
    /** Is it known what there is to read? */
    known: boolean
    /** Does this prompt list it? */
    shown: boolean
    /** As the prompt counts them; null where it does not. */
    unread: number | null
  }
  documents: KnownDocument[]
  tools: KnownTool[]
  /** Verbs that a repertoire lists as calls: they are carried out like operations. */
  calls: ReadonlySet<Verb>
  /** In the order of time. */
  events: Dated[]
  focused: ReadonlySet<string>
  /** By their ids, the documents that earlier goals needed, and those that were read for nothing. */
  remembered: { needed: ReadonlySet<string>; idle: ReadonlySet<string> }
  /** What an earlier phase decided, to be carried out now. */
  instruction: Intent | null
  /** The document that stands last in the prompt, with its text; null where there is none. */
  shown: { id: string; text: string } | null
  /** Length of the prompt in characters. */
  size: number
}
export interface Extract {
  facts: Facts
  verbs: Verbs
}
