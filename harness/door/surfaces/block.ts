import { prompt } from '../../kit/index.js'
import type { BlockDoor, JsonObject, SignalEntry } from '../../contract/index.js'
import { createDoor } from '../door.js'
import type { DoorParts } from '../door.js'
import { asData } from '../json.js'
import { createListening } from '../listening.js'
import type { Hearing } from '../listening.js'
import type { Outcome } from '../results.js'

/** Longer than what most worlds do with one order, shorter than most trials. */
const PATIENCE_MS = 1_200_000

/** A door whose operations return when what they began has ended. What else happens meanwhile is told by nobody. */
export function createBlockDoor(parts: DoorParts): BlockDoor & Hearing {
  const { clock, record } = parts
  const listening = createListening(parts, false)
  let timeoutMs = PATIENCE_MS

  async function operated(outcome: Outcome): Promise<Outcome> {
    const { result, expects = [] } = outcome
    const { operationId } = result
    if (result.outcome !== 'accepted' || expects.length === 0) return outcome
    record({ kind: 'suspend', signals: expects, when: null, timeoutMs })
    const ends = ({ signal, operationId: of }: SignalEntry) => of === operationId && expects.includes(signal)
    const found = await listening.until({ timeoutMs, tool: null }, async () => {
      const told = (await listening.take()).filter(ends)
      return told.length === 0 ? null : told
    })
    const signals = found ?? []
    record({
      kind: 'wake',
      reason: found === null ? 'timeout' : 'signal',
      signals: signals.map(({ signal }) => signal),
    })
    listening.shown(signals)
    const at = clock.now()
    const data: JsonObject = {
      ...asData(result.data),
      completed: found !== null,
      signals: signals.map((entry) => ({ ...entry })),
      returnedAt: at,
    }
    return { ...outcome, result: { ...result, text: prompt.fact(data), data, at } }
  }

  return {
    ...createDoor(parts, { operated }),
    waitAtMost(ms) {
      timeoutMs = ms
    },
    ring: (tool) => listening.ring(tool),
    listen: (tools) => listening.listen(tools),
  }
}
