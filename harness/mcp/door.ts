import {
  prompt,
  type Clock,
  type Door,
  type Happening,
  type JsonObject,
  type Process,
  type ToolSpec,
} from '../define/index.js'
import type { WorldClient } from './client.js'
import type { Gate, Traffic } from './gate.js'
import { complaint } from './queries.js'
import { outcomeOf, turnedAway, type Outcome } from './results.js'
import { sleepArguments } from './specs.js'

/** What all doors of a session are made of. */
export interface DoorParts {
  uuid: string
  specs: readonly ToolSpec[]
  client: WorldClient
  clock: Clock
  self: Process
  gate: Gate
  traffic: Traffic
  admit: () => Promise<void>
  record: (happening: Happening) => void
}

export function createDoor(parts: DoorParts): Door {
  const { uuid, specs, client, clock, gate, admit, record } = parts
  const byName = new Map(specs.map((spec) => [spec.name, spec]))

  async function dispatch(call: { name: string; args: JsonObject }): Promise<Outcome> {
    const kind = byName.get(call.name)?.kind
    if (kind === undefined) {
      const known = [...byName.keys()].join(', ')
      return turnedAway('unknown', call, `No tool named "${call.name}". Known: ${known}.`, clock.now())
    }
    if (kind === 'sleep') return sleep(parts, call)
    if (kind === 'operation') await admit()
    return outcomeOf(kind, call, await client.call(call.name, { ...call.args, uuid }))
  }

  return {
    uuid,
    tools: () => specs,
    documents: () => gate(() => client.documents()),
    call: (name, given) =>
      gate(async () => {
        const { uuid: _hidden, ...args } = given
        const { result, happening } = await dispatch({ name, args })
        if (happening !== null) record(happening)
        return result
      }),
  }
}

async function sleep(parts: DoorParts, call: { name: string; args: JsonObject }): Promise<Outcome> {
  const { clock } = parts
  const parsed = sleepArguments.safeParse(call.args)
  if (!parsed.success) return turnedAway('sleep', call, complaint(parsed.error), clock.now())
  const { ms } = parsed.data
  await rest(parts, ms)
  const data = { slept: ms, at: clock.now() }
  const result = {
    kind: 'sleep',
    outcome: 'slept',
    text: prompt.fact(data),
    data,
    operationId: null,
    at: data.at,
  } as const
  return { result, happening: null }
}

/** A wait that is recorded as the agent's own. */
export async function rest({ traffic, self, record }: DoorParts, delayMs: number): Promise<void> {
  assertAwaited(traffic, 1)
  record({ kind: 'sleep', delayMs })
  await self.sleep(delayMs)
}

/** A call that outlives its turn would act in somebody else's. */
export function assertAwaited({ inFlight }: Traffic, allowed: number): void {
  if (inFlight > allowed) throw new Error('A call of a door was not awaited before a wait.')
}
