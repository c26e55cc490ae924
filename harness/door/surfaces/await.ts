import { z } from 'zod'
import { lines, signalsIn } from '../../kit/index.js'
import type { Door, Reading, SignalEntry } from '../../contract/index.js'
import { holds } from '../../world/rules.js'
import { createDoor, milliseconds, sleepVerb, verb } from '../door.js'
import type { Called, DoorParts } from '../door.js'
import { createListening } from '../listening.js'
import { complaint } from '../protocol.js'
import { turnedAway } from '../results.js'
import type { Outcome } from '../results.js'
import { defineSurface } from '../surface.js'
import type { Hearing } from '../surface.js'
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
export const awaiting = defineSurface<'await'>({
  summary: 'operations and documents, read_properties, sleep, wait_for',
  answers: AT_ONCE,
  row: {
    returns: 'an acknowledgement',
    reads: '`read_properties`',
    sleeps: '`sleep`',
    waits: '`wait_for`',
    pushed: null,
  },
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
})

/** A door with `wait_for`. Signals count from the last one that was shown. */
function createAwaitDoor(parts: DoorParts): Door & Hearing {
  const { clock, record } = parts
  const listening = createListening(parts)
  /** What came and has not been shown. */
  const unseen: SignalEntry[] = []
  /** Documents that were read. */
  const read = new Map<string, string>()

  /** Names the signals of documents that were read, and of no others: what there is else is for reading to find out. */
  function strangers(signals: readonly string[]): string | null {
    if (signals.length === 0) return null
    const known = [...new Set([...read.values()].flatMap(signalsIn))]
    const told = known.length === 0 ? 'No document that you have read names a signal.' : `Known: ${known.join(', ')}.`
    return `signals: nothing would end a wait for ${signals.map((name) => `"${name}"`).join(', ')}. ${told}`
  }

  async function wait(call: Called): Promise<Outcome> {
    const parsed = waitArguments.safeParse(call.args)
    if (!parsed.success) return turnedAway('wait', call, complaint(parsed.error), clock.now())
    const { signals, when, timeoutMs } = parsed.data
    const known = when === null ? null : await listening.read(when.tool)
    const wrong = complaintAbout(parsed.data, known) ?? (when === null ? strangers(signals) : null)
    if (wrong !== null && !signals.some((signal) => parts.signals.has(signal)))
      return turnedAway('wait', call, wrong, clock.now())

    record({ kind: 'suspend', signals, when, timeoutMs })
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
    const told = unseen.splice(0)
    listening.shown(told)
    const last = when === null ? null : await listening.read(when.tool)
    const observed = when === null ? [] : seen(last, when.property)
    const at = clock.now()
    const data = {
      waited: { signals, ...(when !== null && { when }) },
      ended: reason,
      signals: told.map((entry) => ({ ...entry })),
      ...(when !== null && { observed }),
      ...(last?.notRead !== undefined && { notRead: [last.tool], reason: last.notRead }),
      at,
    }
    const result = {
      kind: 'wait',
      outcome: 'waited',
      text: lines.wait.write(data),
      data,
      operationId: null,
      at,
    } as const
    return { result, happening: null }
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
function seen(reading: Reading | null, property: string): Pick<Reading, 'tool' | 'properties'>[] {
  const known = reading?.properties[property]
  return reading === null || known === undefined || reading.notRead !== undefined
    ? []
    : [{ tool: reading.tool, properties: { [property]: { ...known } } }]
}
