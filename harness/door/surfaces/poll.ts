import { z } from 'zod'
import { createDoor, milliseconds, sleepVerb } from '../door.js'
import type { SurfaceRecord } from '../door.js'
import { AT_ONCE } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Reads the state again and again, and sleeps between two looks; whatever a state can show, it shows to a script. */
    poll: { door: Door; wait: { pollMs: number } }
  }
}

/** Also `read_properties` and `sleep`. */
export const poll: SurfaceRecord<'poll'> = {
  summary: 'operations and documents, read_properties, sleep',
  answers: AT_ONCE,
  row: { returns: 'an acknowledgement', reads: '`read_properties`', sleeps: '`sleep`' },
  reads: true,
  verbs: [sleepVerb],
  never: ['focus', 'sync', 'resync', 'consumed', 'recheck'],
  open: (parts) => createDoor(parts),
  ceiling: {
    summary: 'the script, with looks at the state and sleeps in turn in place of its waits.',
    waits: 'by a look, and then `pollMs` (2 000) of sleep before each further one',
    params: z.object({ pollMs: milliseconds().default(2_000).describe('Sleep between two looks (ms)') }),
    learns: true,
    async attempt({ ordinal, call, look }, { pollMs }) {
      if (ordinal > 0) await call('sleep', { ms: pollMs })
      await look()
      return true
    },
  },
}
