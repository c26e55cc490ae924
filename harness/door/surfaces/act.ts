import { z } from 'zod'
import { createDoor } from '../door.js'
import type { Attempt, SurfaceRecord } from '../door.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Re-reads a document so often and goes on. */
    act: { door: Door; wait: { stallCalls: number } }
  }
}

export const AT_ONCE = 'An operation is answered at once by an acknowledgement; what it starts may take time.'

const calls = z.number().int().min(0).max(10_000).default(60)
export const stallingParams = z.object({
  stallCalls: calls.describe('Harmless calls in place of a wait that the surface does not offer; then it goes on'),
})

export async function stallOnce({ stalls, stall }: Attempt, { stallCalls }: { stallCalls: number }): Promise<boolean> {
  if (stalls >= stallCalls) return false
  await stall()
  return true
}

/** Operations and documents. */
export const act: SurfaceRecord<'act'> = {
  summary: 'operations and documents; no way to look at the state or to wait',
  answers: AT_ONCE,
  row: { returns: 'an acknowledgement' },
  reads: false,
  verbs: [],
  never: ['poll', 'sleep', 'focus', 'sync', 'resync', 'consumed', 'recheck'],
  open: (parts) => createDoor(parts),
  ceiling: {
    summary: 'the script by acknowledgements alone; it waits by calls that do nothing, a stated number of them.',
    waits: 'by `stallCalls` (60) reads of a document since the operation that it waits for, then it goes on',
    params: stallingParams,
    learns: false,
    attempt: stallOnce,
  },
}
