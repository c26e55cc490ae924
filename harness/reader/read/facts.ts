import type { Scalar } from '../../contract/index.js'
import type { Intent, Verbs } from '../think/intent.js'
import type { Goal } from './goal.js'
import type { Manual } from './manual.js'
import type { Names } from './names.js'

/** Something that a prompt tells to have happened, or to be so. `at` is null where the text does not say when. */
export type Event = { at: number | null } & (
  | {
      kind: 'operated'
      tool: string
      action: string
      accepted: boolean
      operationId: string | null
      rule: string | null
      message: string
      /** What the names in the operation's rules stand for at this call. */
      about: Names
      /** Its latent process has ended as well, as blocking doors tell. */
      completed: boolean
    }
  /** A call that reached no rule of the world. */
  | { kind: 'failed'; tool: string | null; action: string | null }
  /** A call that the architecture has kept from the world. */
  | { kind: 'withheld'; tool: string }
  | { kind: 'seen'; tool: string; property: string; value: Scalar; changedAt: number | null }
  /** A look by the reader's own choice. */
  | { kind: 'looked'; tools: string[] }
  | {
      kind: 'signal'
      signal: string
      tool: string | null
      seq: number | null
      operationId: string | null
      about: Names
    }
  | { kind: 'discovered' }
  | { kind: 'read'; document: string }
  | { kind: 'slept' }
  | { kind: 'waited'; ended: string }
  /** The goal is not pursued any more. */
  | { kind: 'ended'; achieved: boolean }
  | { kind: 'focused' | 'unfocused'; tools: string[] }
  | { kind: 'unmounted'; documents: string[] }
)

/** What a line lists without having happened. */
export type Listing =
  | { kind: 'document'; id: string; summary: string; covers: string[]; state: string | null }
  | { kind: 'tool'; name: string; summary: string }
  | { kind: 'operation'; tool: string; action: string; summary: string }

/** Everything that one JSON object of a prompt says. */
export interface Said {
  events: Event[]
  listings: Listing[]
}

/** An event at the time that it is known, or must be thought, to have happened. */
export type Dated = Event & { at: number }

export interface KnownDocument {
  id: string
  summary: string
  covers: string[]
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
  /** In the order of time. */
  events: Dated[]
  focused: ReadonlySet<string>
  /** What an earlier phase decided, to be carried out now. */
  instruction: Intent | null
  /** The document that stands last in the prompt, with its text; null where there is none. */
  shown: { id: string; text: string } | null
  /** Length of the prompt in characters. */
  size: number
  /** How often this prompt corrects an answer of before. */
  corrections: number
}
export interface Extract {
  facts: Facts
  verbs: Verbs
}
