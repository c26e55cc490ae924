import { prompt } from '../../kit/index.js'
import type { Door, JsonObject, Reading, SignalEntry } from '../../contract/index.js'
import { holds } from '../../world/rules.js'
import { createDoor } from '../door.js'
import type { Called, DoorParts } from '../door.js'
import { createListening } from '../listening.js'
import type { Hearing } from '../listening.js'
import { complaint } from '../queries.js'
import { turnedAway } from '../results.js'
import type { Outcome } from '../results.js'
import { waitArguments } from '../specs.js'

/** A door with `wait_for`. Signals count from the last one that was shown. */
export function createAwaitDoor(parts: DoorParts): Door & Hearing {
  const { clock, record } = parts
  const listening = createListening(parts, false)
  /** What came and has not been shown. */
  const unseen: SignalEntry[] = []

  async function wait(call: Called): Promise<Outcome> {
    const parsed = waitArguments.safeParse(call.args)
    if (!parsed.success) return turnedAway('wait', call, complaint(parsed.error), clock.now())
    const { signals, when, timeoutMs } = parsed.data
    const known = when === null ? null : await listening.read(when.tool)
    const wrong = complaintAbout(parsed.data, known)
    if (wrong !== null) return turnedAway('wait', call, wrong, clock.now())

    record({ kind: 'suspend', signals, when, timeoutMs })
    const end = await listening.until({ timeoutMs, tool: when?.tool ?? null }, async () => {
      unseen.push(...(await listening.take()))
      const named = unseen.filter(({ signal }) => signals.includes(signal))
      if (named.length > 0) return { reason: 'signal' as const, signals: named.map(({ signal }) => signal) }
      const value = when === null ? undefined : (await listening.read(when.tool))?.properties[when.property]?.value
      return when !== null && value !== undefined && holds(when, value)
        ? { reason: 'condition' as const, signals: [] }
        : null
    })
    const { reason, signals: woken } = end ?? { reason: 'timeout' as const, signals: [] }
    record({ kind: 'wake', reason, signals: woken })
    const told = unseen.splice(0)
    listening.shown(told)
    const at = clock.now()
    const data: JsonObject = {
      waited: { signals, ...(when !== null && { when }) },
      ended: reason,
      signals: told.map((entry) => ({ ...entry })),
      ...(when !== null && { observed: seen(await listening.read(when.tool), when.property) }),
      at,
    }
    const result = { kind: 'wait', outcome: 'waited', text: prompt.fact(data), data, operationId: null, at } as const
    return { result, happening: null }
  }

  return {
    ...createDoor(parts, { wait }),
    ring: (tool) => listening.ring(tool),
    listen: (tools) => listening.listen(tools),
  }
}

function complaintAbout(
  { signals, when }: { signals: string[]; when: { tool: string; property: string } | null },
  known: Reading | null,
): string | null {
  if (when === null) return signals.length > 0 ? null : 'signals: name at least one, or a condition in when'
  if (known === null) return `when.tool: no tool named "${when.tool}"`
  if (Object.hasOwn(known.properties, when.property)) return null
  return `when.property: ${when.tool} has no property "${when.property}"; known: ${Object.keys(known.properties).join(', ')}`
}

/** The condition's own property as the last look found it. */
function seen(reading: Reading | null, property: string): JsonObject[] {
  const known = reading?.properties[property]
  return reading === null || known === undefined
    ? []
    : [{ tool: reading.tool, properties: { [property]: { ...known } } }]
}
