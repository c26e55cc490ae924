import { z } from 'zod'
import { signalsIn } from '../../kit/index.js'
import type { Door, Reading, SignalEntry } from '../../contract/index.js'
import { holds } from '../../world/rules.js'
import { carriedOut, createDoor, milliseconds, sleepVerb, turnedAway, verb } from '../door.js'
import type { Called, DoorParts, Hearing, Outcome, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { complaint } from '../protocol.js'
import { AT_ONCE } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Calls `wait_for` until the signal has come. */
    await: { door: Door; wait: { waitMs: number } }
  }
}

const waitArguments = z.strictObject({
  signals: z.array(z.string()).default([]).describe('Names of signals; any of them ends the wait'),
  when: z
    .strictObject({
      tool: z.string(),
      property: z.string(),
      op: z.enum(['is', 'below', 'above', 'at_least', 'at_most']),
      value: z.union([z.string(), z.number(), z.boolean()]),
    })
    .nullable()
    .default(null)
    .describe('A condition on a property that ends the wait as well'),
  timeoutMs: milliseconds().describe('Ends the wait in any case (ms, at most one day)'),
})

const waitFor = verb(
  'wait',
  'wait_for',
  'Waits until a signal arrives, a condition on a property holds, or the time is over. Signals that have not been shown yet end it at once; all of them are shown.',
  waitArguments,
)

/** Also `read_properties`, `sleep` and `wait_for`. */
export const awaiting: SurfaceRecord<'await'> = {
  summary: 'operations and documents, read_properties, sleep, wait_for',
  answers: AT_ONCE,
  row: { returns: 'an acknowledgement', reads: '`read_properties`', sleeps: '`sleep`', waits: '`wait_for`' },
  reads: true,
  verbs: [sleepVerb, waitFor],
  never: [],
  open: createAwaitDoor,
  ceiling: {
    summary: 'the script, which waits for its signals by calls that return when they have come.',
    waits: 'by `wait_for`',
    params: z.object({ waitMs: milliseconds().default(300_000).describe('Time-out of one wait (ms)') }),
    learns: true,
    async attempt({ signal, call }, { waitMs }) {
      await call('wait_for', { signals: [signal.name], timeoutMs: waitMs })
      return true
    },
  },
}

/** A door with `wait_for`. Signals count from the last one that was shown. */
function createAwaitDoor(parts: DoorParts): Door & Hearing {
  const { clock, record } = parts
  const listening = new Listening(parts)
  /** What came and has not been shown. */
  const unseen: SignalEntry[] = []
  /** Documents that were read. */
  const read = new Map<string, string>()

  /** Names the signals of documents that were read, and of no others: what there is else is for reading to find out. */
  function unknownSignals(signals: readonly string[]): string | null {
    if (signals.length === 0) return null
    const known = [...new Set([...read.values()].flatMap(signalsIn))]
    const wayOut = known.length === 0 ? 'No document that you have read names a signal.' : `Known: ${known.join(', ')}.`
    return `signals: nothing would end a wait for ${signals.map((name) => `"${name}"`).join(', ')}. ${wayOut}`
  }

  async function wait(call: Called): Promise<Outcome> {
    const parsed = waitArguments.safeParse(call.args)
    if (!parsed.success) return turnedAway('wait', call, complaint(parsed.error), clock.now())
    const { signals, when, timeoutMs } = parsed.data
    const known = when === null ? null : await listening.read(when.tool)
    const wrong = complaintAbout(parsed.data, known) ?? (when === null ? unknownSignals(signals) : null)
    if (wrong !== null && !signals.some((signal) => parts.signals.has(signal)))
      return turnedAway('wait', call, wrong, clock.now())

    record({ kind: 'suspend', signals, when, timeoutMs, verb: 'wait_for' })
    const end = await listening.until({ timeoutMs, tool: when?.tool ?? null }, async () => {
      unseen.push(...(await listening.take()))
      const named = unseen.filter(({ signal }) => signals.includes(signal))
      if (named.length > 0) return { reason: 'signal' as const, signals: named.map(({ signal }) => signal) }
      const found = when === null ? null : await listening.read(when.tool)
      const value = when === null ? undefined : found?.properties[when.property]?.value
      return when !== null && value !== undefined && found?.notRead === undefined && holds(when, value)
        ? { reason: 'condition' as const, signals: [] }
        : null
    })
    const { reason, signals: woken } = end ?? { reason: 'timeout' as const, signals: [] }
    record({ kind: 'wake', reason, signals: woken })
    const shown = unseen.splice(0).map((entry) => ({ ...entry }))
    listening.shown(shown)
    const last = when === null ? null : await listening.read(when.tool)
    const at = clock.now()
    const data = {
      waited: { signals, ...(when !== null && { when }) },
      ended: reason,
      signals: shown,
      ...(when !== null && { observed: seen(when, last) }),
      ...(last?.notRead !== undefined && { notRead: [last.tool], reason: last.notRead }),
      at,
    }
    return carriedOut({ kind: 'wait', outcome: 'waited', data, at })
  }

  const door = createDoor(parts, { wait })
  return {
    ...door,
    ...listening.hearing({ wakes: false }),
    async call(name, args) {
      const result = await door.call(name, args)
      if (result.kind === 'document') read.set(JSON.stringify(args), result.text)
      return result
    },
  }
}

function complaintAbout(
  { signals, when }: { signals: string[]; when: { tool: string; property: string } | null },
  known: Reading | null,
): string | null {
  if (when === null) return signals.length > 0 ? null : 'signals: name at least one, or a condition in when'
  if (known === null) return `when.tool: no tool named "${when.tool}"`
  // What could not be read is not known to be absent.
  if (Object.hasOwn(known.properties, when.property) || known.notRead !== undefined) return null
  return `when.property: ${when.tool} has no property "${when.property}"; known: ${Object.keys(known.properties).join(', ')}`
}

/** The condition's own property as the last look found it. */
function seen({ tool, property }: { tool: string; property: string }, reading: Reading | null) {
  const known = reading?.properties[property]
  if (known === undefined || reading?.notRead !== undefined) return []
  return [{ tool, properties: { [property]: known } }]
}
