import { z } from 'zod'
import type { Json, PushDoor, Reading, SignalEntry, WaitCondition } from '../../harness/contract/index.js'
import type { Activity } from './activity.js'
import { createSemanticMemory, knowledgeSchema } from './semantic-memory.js'
import type { SemanticMemory } from './semantic-memory.js'

/** The doors of activities by their uuids: connections are no state of the agent's. */
export type Doors = (uuid: string) => PushDoor

const json: z.ZodType<Json> = z.json()
const scalar = z.union([z.string(), z.number(), z.boolean()])
const reading: z.ZodType<Reading> = z.object({
  tool: z.string(),
  properties: z.record(z.string(), z.object({ value: scalar, at: z.number() })),
  readAt: z.number(),
})
const signal: z.ZodType<SignalEntry> = z.object({
  seq: z.number(),
  at: z.number(),
  signal: z.string(),
  tool: z.string(),
  payload: json,
  operationId: z.string().nullable(),
})
const wait: z.ZodType<WaitCondition> = z.object({
  signals: z.array(z.string()),
  when: z
    .object({
      tool: z.string(),
      property: z.string(),
      op: z.enum(['is', 'below', 'above', 'at_least', 'at_most']),
      value: scalar,
    })
    .nullable(),
  timeoutMs: z.number().nullable(),
})

const activitySchema = z.object({
  uuid: z.string(),
  goal: z.string(),
  phase: z.enum(['observation', 'reasoning', 'setup', 'action', 'waiting', 'completed']),
  cycle: z.number(),
  plan: z.array(z.string()),
  /** Beliefs by their index in `beliefs`, since steps share them. */
  history: z.array(z.object({ at: z.number(), lines: z.array(z.string()), beliefs: z.number() })),
  beliefs: z.array(z.array(reading)),
  inbox: z.array(signal),
  mounted: z.array(z.string()),
  focusedAt: z.number(),
  narrowed: z.array(z.tuple([z.string(), z.array(z.string())])),
  experiences: z.array(z.string()),
  intention: z.object({ instruction: z.string(), wait: wait.nullable() }).nullable(),
  suspension: z
    .object({ condition: wait, deadline: z.number().nullable(), resyncAt: z.number().nullable() })
    .nullable(),
  verdict: z.object({ claim: z.enum(['achieved', 'gave_up']), summary: z.string(), at: z.number() }).nullable(),
  diversions: z.number(),
  setbacks: z.number(),
  /** What it alone has read, where memory is off; null: what all share. */
  knowledge: knowledgeSchema.nullable(),
})
type ActivitySnapshot = z.output<typeof activitySchema>

/** All that a runtime knows, as JSON. */
export const snapshotSchema = z.object({
  version: z.literal(1),
  memory: json,
  ready: z.array(activitySchema),
  suspended: z.array(activitySchema),
})
export type Snapshot = z.output<typeof snapshotSchema>

/** Freezes an activity in full (thesis 5.3). */
export function snapshotActivity(activity: Activity, shared: SemanticMemory): ActivitySnapshot {
  const { door, memory, mounted, narrowed, history, beliefs, ...plain } = activity
  const held = [beliefs]
  const indexOf = (step: readonly Reading[]): number => {
    const known = held.indexOf(step)
    return known === -1 ? held.push(step) - 1 : known
  }
  return {
    ...plain,
    uuid: door.uuid,
    experiences: [...activity.experiences],
    history: history.map((step) => ({ ...step, beliefs: indexOf(step.beliefs) })),
    beliefs: held.map((readings) => [...readings]),
    mounted: [...mounted],
    narrowed: [...narrowed].map(([tool, signals]) => [tool, [...signals]]),
    knowledge: memory === shared ? null : memory.knowledge(),
  }
}

export function restoreActivity(frozen: ActivitySnapshot, doors: Doors, shared: SemanticMemory): Activity {
  const { uuid, knowledge, beliefs, ...plain } = frozen
  const [now = []] = beliefs
  return {
    ...plain,
    door: doors(uuid),
    memory: knowledge === null ? shared : createSemanticMemory(knowledge),
    beliefs: now,
    history: plain.history.map((step) => ({ ...step, beliefs: beliefs[step.beliefs] ?? [] })),
    mounted: new Set(plain.mounted),
    narrowed: new Map(plain.narrowed.map(([tool, signals]) => [tool, new Set(signals)])),
  }
}
