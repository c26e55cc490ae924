import type { Scalar } from '../../define/index.js'
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
