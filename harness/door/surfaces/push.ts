import type { PushDoor, Reading, SignalEntry } from '../../contract/index.js'
import { addressUri } from '../address.js'
import { createDoor } from '../door.js'
import type { DoorParts } from '../door.js'
import { createLog } from '../listening.js'
import { reading, valuesOf } from '../results.js'

/** The push door as the session sees it. */
export interface RingingDoor extends PushDoor {
  /** A doorbell: of a tool's properties, or of the log (null). False if nobody follows that any more. */
  ring(tool: string | null): boolean
  /** Consumes what is pending up to `seq`. */
  drainThrough(seq: number): Promise<SignalEntry[]>
}

export function createPushDoor(parts: DoorParts): RingingDoor {
  const { uuid, client, clock, gate, record } = parts
  const news = clock.bell()
  const door = createDoor(parts)
  const focus = new Map<string, { dirty: boolean; last: Reading | null }>()
  const log = createLog((after) => client.read(addressUri({ kind: 'signals', uuid, after })))
  let following = false

  const toolUri = (tool: string): string => addressUri({ kind: 'properties', uuid, tool })

  async function followLog(): Promise<void> {
    if (following) return
    following = true
    await client.follow(addressUri({ kind: 'signals', uuid, after: null }))
  }

  async function drainThrough(seq: number): Promise<SignalEntry[]> {
    await log.pending()
    const taken = log.take(seq)
    if (taken.length > 0) record({ kind: 'consumed', seqs: taken.map((entry) => entry.seq) })
    return taken
  }

  /** The last known readings, in the order of focus. */
  async function sync(): Promise<Reading[]> {
    const readings: Reading[] = []
    for (const [tool, state] of focus) {
      if (state.dirty || state.last === null) {
        state.dirty = false
        state.last = reading.parse(JSON.parse(await client.read(toolUri(tool))))
        record({ kind: 'sync', tool, values: valuesOf(state.last) })
      }
      readings.push(state.last)
    }
    return readings
  }

  return {
    ...door,
    news,
    focused: () => [...focus.keys()],
    focus: (tool) =>
      gate(async () => {
        if (focus.has(tool)) return
        await followLog()
        if (await client.follow(toolUri(tool))) {
          focus.set(tool, { dirty: true, last: null })
          record({ kind: 'focus', tool })
        } else {
          record({ kind: 'invalid', tool, args: {}, message: `No tool named "${tool}" to focus.` })
        }
      }),
    unfocus: (tool) =>
      gate(async () => {
        if (!focus.delete(tool)) return
        await client.unfollow(toolUri(tool))
        record({ kind: 'unfocus', tool })
      }),
    sync: () => gate(sync),
    pending: () => gate(() => log.pending()),
    drain: () => gate(() => drainThrough(Infinity)),
    drainThrough: (seq) => gate(() => drainThrough(seq)),
    resync: () =>
      gate(async () => {
        log.markDirty()
        for (const state of focus.values()) state.dirty = true
        record({ kind: 'resync' })
      }),
    ring(tool) {
      if (tool === null) {
        log.markDirty()
        news.ring()
        return true
      }
      const state = focus.get(tool)
      if (state !== undefined) state.dirty = true
      return state !== undefined
    },
  }
}
