import type { AsyncDoor } from '../../contract/index.js'
import { createDoor } from '../door.js'
import type { DoorParts } from '../door.js'
import { createListening } from '../listening.js'
import type { Hearing } from '../listening.js'

/** A door that acknowledges at once, and keeps the ends of its own operations for its agent. */
export function createAsyncDoor(parts: DoorParts): AsyncDoor & Hearing {
  const listening = createListening(parts, true)
  const expected = new Map<string, readonly string[]>()
  const door = createDoor(parts, {
    operated: async (outcome) => {
      const { result, expects = [] } = outcome
      if (result.operationId !== null && expects.length > 0) expected.set(result.operationId, expects)
      return outcome
    },
  })

  return {
    ...door,
    completions: () =>
      parts.gate(async () => {
        const ends = (await listening.take()).filter(
          ({ operationId, signal }) => operationId !== null && expected.get(operationId)?.includes(signal) === true,
        )
        listening.shown(ends)
        return ends
      }),
    ring: (tool) => listening.ring(tool),
    listen: (tools) => listening.listen(tools),
  }
}
