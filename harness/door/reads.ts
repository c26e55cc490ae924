import type { Delivery, Happening, Process, Random } from '../contract/index.js'
import { assertAwaited } from './gate.js'
import type { Traffic } from './gate.js'

/** What becomes of one read of state. `brings`: null where it brings nothing. */
interface ReadFate {
  lastsMs: number
  brings: { agoMs: number } | { reason: string }
  faults: readonly Pick<ReadFault, 'what' | 'ms'>[]
}
type ReadFault = Extract<Happening, { kind: 'read_fault' }>
type ReadFates = (activity: string, tools: readonly string[]) => ReadFate

/**
 * Fates of the reads of one agent, or null where all succeed. Drawn by (activity, tools read, the how manieth such read),
 * whether or not the parameters ask for it: what fails at 10 % fails at 30 %, too.
 */
export function createReadFates(params: Delivery, random: Random): ReadFates | null {
  const { readFail, readTimeout, readTimeoutMs, readSlowMs, readStaleMs } = params
  if (readFail === 0 && readTimeout === 0 && readSlowMs === 0 && readStaleMs === 0) return null
  const activities = new Map<string, number>()
  const drawn = new Map<string, number>()

  return (activity, tools) => {
    const number = activities.get(activity) ?? activities.size
    activities.set(activity, number)
    const name = JSON.stringify([number, tools])
    const ordinal = drawn.get(name) ?? 0
    drawn.set(name, ordinal + 1)
    const stream = random.stream('read', number, JSON.stringify(tools), ordinal)
    const [failed, timedOut] = [stream.chance(readFail), stream.chance(readTimeout)]
    const slowMs = Math.floor(stream.uniform() * (readSlowMs + 1))
    const agoMs = Math.floor(stream.uniform() * (readStaleMs + 1))
    if (failed) {
      const reason = 'The read failed: what holds now is not known.'
      return { lastsMs: 0, brings: { reason }, faults: [{ what: 'failed', ms: 0 }] }
    }
    if (timedOut) {
      const reason = `The read had no answer within ${readTimeoutMs} ms: what holds now is not known.`
      return { lastsMs: readTimeoutMs, brings: { reason }, faults: [{ what: 'timed_out', ms: readTimeoutMs }] }
    }
    const faults = [{ what: 'slow', ms: slowMs } as const, { what: 'stale', ms: agoMs } as const]
    return { lastsMs: slowMs, brings: { agoMs }, faults: faults.filter(({ ms }) => ms > 0) }
  }
}

/** Whose reads of state they are: an activity. */
export interface Reader {
  uuid: string
  self: Process
  traffic: Traffic
  record: (happening: Happening) => void
  /** Null where every read of state succeeds. */
  readFates: ReadFates | null
}

/** Lets a read of state begin, and take its time. What it then brings is of `agoMs` before; a reason tells why it brings nothing. */
export async function beginRead(
  { uuid, readFates, traffic, self, record }: Reader,
  by: ReadFault['by'],
  tools: readonly string[],
): Promise<ReadFate['brings']> {
  if (readFates === null) return { agoMs: 0 }
  const { lastsMs, brings, faults } = readFates(uuid, tools)
  for (const fault of faults) record({ kind: 'read_fault', by, tools: [...tools], ...fault })
  if (lastsMs > 0) {
    assertAwaited(traffic, 1)
    await self.sleep(lastsMs)
  }
  return brings
}
