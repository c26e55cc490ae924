import type { Claim, Context, DoorOf, Reading, SignalEntry, WaitCondition } from '../../harness/contract/index.js'
import type { Budget } from '../../harness/kit/index.js'
import type { Memory } from './memory.js'
import type { Params } from './params.js'
import type { SemanticMemory } from './semantic-memory.js'

export type Phase = 'decision' | 'observation' | 'reasoning' | 'setup' | 'action' | 'waiting' | 'completed'
/** Those that ask the model; a suspended activity asks nothing. `result` is asked within ACTION, where a parameter says so. */
export type Thinking = Exclude<Phase, 'waiting'> | 'result'
export type Next = Phase | 'terminated'

/** Those on which the phases run. Where nothing is pushed, the model looks and waits by calls of ACTION. */
export type PhasedSurface = 'push' | 'await' | 'poll'

/** What all activities of the agent share. */
export interface Agent {
  readonly context: Context<'push', Params>
  readonly surface: PhasedSurface
  readonly memory: Memory
  readonly budget: Budget
}

/** One phase of one activity: what it does, and which phase follows. */
export type Step = (activity: Activity, agent: Agent) => Promise<Next>

/** What happened, as lines of the wire, with the beliefs held at that time. */
export interface HistoryStep {
  at: number
  lines: string[]
  beliefs: readonly Reading[]
}

/** A wait that has begun. Times are virtual ms; `deadline` is null where nothing but the world ends it, `resyncAt` where no timer reads the log. */
export interface Suspension {
  condition: WaitCondition
  deadline: number | null
  resyncAt: number | null
}

/** What was decided, with the wait that begins at the acknowledgement and the beliefs that the decision rests on. */
export interface Intention {
  instruction: string
  wait: WaitCondition | null
  beliefs: readonly Reading[]
}

/** How alike each document of the catalogue is to the goal, or to a tool at hand, by what the catalogue says of it. */
interface Ranking {
  /** Unread documents that a prompt lists at most. */
  most: number
  scores: ReadonlyMap<string, number>
}

/** One goal being pursued: the passive container of its state (thesis 5.3). */
export interface Activity {
  readonly goal: string
  readonly door: DoorOf<'push'>
  /** What was read; all activities of the agent share one, unless memory is off. */
  readonly memory: SemanticMemory
  phase: Phase
  cycle: number
  plan: string[]
  history: HistoryStep[]
  beliefs: readonly Reading[]
  /** Drained signals that no OBSERVATION has handled yet. */
  inbox: SignalEntry[]
  mounted: Set<string>
  /** The tools of which an operation was accepted. */
  operated: Set<string>
  /** When a tool of a mounted document was last operated, or the document mounted: by a count of such events. */
  used: Map<string, number>
  focusedAt: number
  /** The signals to which the focus on a tool was narrowed; a focused tool that is absent is heard in full. */
  narrowed: Map<string, Set<string>>
  /** Where the catalogue is searched, what came of it; null: all of it is listed. */
  ranking: Ranking | null
  /** Experiences of earlier activities with similar goals, as lines. */
  experiences: readonly string[]
  /** What REASONING decided for the next phase, word for word. */
  intention: Intention | null
  suspension: Suspension | null
  /** Set by the OBSERVATION that ends the activity. */
  verdict: { claim: Claim; summary: string; at: number } | null
  diversions: number
  setbacks: number
}

export function createActivity(
  goal: string,
  { door, memory, experiences }: Pick<Activity, 'door' | 'memory' | 'experiences'>,
): Activity {
  return {
    goal,
    door,
    memory,
    experiences,
    phase: 'observation',
    cycle: 0,
    plan: [],
    history: [],
    beliefs: [],
    inbox: [],
    mounted: new Set(),
    operated: new Set(),
    used: new Map(),
    focusedAt: 0,
    narrowed: new Map(),
    ranking: null,
    intention: null,
    suspension: null,
    verdict: null,
    diversions: 0,
    setbacks: 0,
  }
}

/** Appends a step with the beliefs of now. A sync replaces readings and changes none, so the past stays as it was. */
export function remember(activity: Activity, at: number, lines: string[]): void {
  activity.history.push({ at, lines, beliefs: activity.beliefs })
}
