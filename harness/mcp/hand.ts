import { z } from 'zod'
import type { Bell, Hand, Json, ScriptWait, Signal } from '../define/index.js'
import { assertAwaited, rest, type DoorParts } from './door.js'
import type { RingingDoor } from './push-door.js'

export const told = z
  .object({ message: z.string().optional(), error: z.string().optional() })
  .transform(({ message, error }) => message ?? error ?? '')

/** The waits of a script that has doorbells, or does not listen. */
export type RungWait = Exclude<ScriptWait, { surface: 'act' | 'block' | 'poll' | 'async' | 'await' }>

/** The hands of an environment's scripts, on the same wire as every agent's. */
export function createHand(
  parts: DoorParts & {
    role: string
    door: RingingDoor
    bell: Bell
    waitFor: RungWait
    thought: (() => Promise<void>) | null
  },
): Hand {
  const { role, door, bell, clock, self, gate, traffic, waitFor, thought, record } = parts
  const sleep = (delayMs: number): Promise<void> => gate(() => rest(parts, delayMs))

  return {
    role,
    async operate(operation, args = {}) {
      await thought?.()
      const { outcome, data } = await door.call(operation.tool, { ...args, action: operation.name })
      return { accepted: outcome === 'accepted', message: told.parse(data) }
    },
    async waitFor(signal) {
      await hear(signal)
    },
    hear,
    sleep,
  }

  async function hear(signal: Signal<never>): Promise<Json> {
    if (waitFor !== 'signal' && 'sleepMs' in waitFor) {
      await sleep(waitFor.sleepMs)
      return null
    }
    // Who thinks is measured like an agent; who does not is none.
    const measured = thought !== null
    if (measured) record({ kind: 'suspend', signals: [signal.name], when: null, timeoutMs: null })
    const resyncMs = waitFor === 'signal' ? null : waitFor.resyncMs
    let lookedAt = clock.now()
    for (;;) {
      bell.reset()
      const pending = await door.pending()
      const found = pending.find((entry) => entry.tool === signal.tool && entry.signal === signal.name)
      if (found !== undefined) {
        if (measured) record({ kind: 'wake', reason: 'signal', signals: [signal.name] })
        await door.drainThrough(found.seq)
        return found.payload
      }
      assertAwaited(traffic, 0)
      // Rings without news do not put off the look.
      const leftMs = resyncMs === null ? null : lookedAt + resyncMs - clock.now()
      if ((leftMs === null || leftMs > 0) && (await self.wait(bell, leftMs)) === 'rung') continue
      await door.resync()
      lookedAt = clock.now()
    }
  }
}
