import { z } from 'zod'
import type { Bell, Hand } from '../define/index.js'
import { assertAwaited, rest, type DoorParts } from './door.js'
import type { RingingDoor } from './push-door.js'

const told = z
  .object({ message: z.string().optional(), error: z.string().optional() })
  .transform(({ message, error }) => message ?? error ?? '')

/** The hands of an environment's scripts, on the same wire as every agent's. */
export function createHand(
  parts: DoorParts & { door: RingingDoor; bell: Bell; waitFor: 'signal' | { sleepMs: number } },
): Hand {
  const { door, bell, self, gate, traffic, waitFor } = parts
  const sleep = (delayMs: number): Promise<void> => gate(() => rest(parts, delayMs))

  return {
    async operate(operation, args = {}) {
      const { outcome, data } = await door.call(operation.tool, { ...args, action: operation.name })
      return { accepted: outcome === 'accepted', message: told.parse(data) }
    },
    async waitFor(signal) {
      if (waitFor !== 'signal') return sleep(waitFor.sleepMs)
      for (;;) {
        bell.reset()
        const pending = await door.pending()
        const found = pending.find((entry) => entry.tool === signal.tool && entry.signal === signal.name)
        if (found !== undefined) {
          await door.drainThrough(found.seq)
          return
        }
        assertAwaited(traffic, 0)
        await self.wait(bell, null)
      }
    },
    sleep,
  }
}
