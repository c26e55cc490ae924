import { z } from 'zod'
import { signalsIn } from '../kit/index.js'
import type { CallResult, Condition, JsonObject, Reading, SignalEntry, ToolSpec } from '../contract/index.js'
import { holds } from '../world/rules.js'
import { carriedOut, milliseconds, turnedAway, verb } from './door.js'
import type { Called, DoorParts, Outcome } from './door.js'
import type { Listening } from './listening.js'
import { complaint } from './protocol.js'

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
type Asked = z.output<typeof waitArguments>

/** A verb to wait with; what it takes is the same on all surfaces. */
export const waitVerb = (name: string, description: string): ToolSpec => verb('wait', name, description, waitArguments)

/** What differs between the surfaces on which a model may ask for a wait. */
interface Manner {
  verb: 'wait_for' | 'wait'
  /** Signals that came and were not shown yet. */
  arrived: () => Promise<readonly SignalEntry[]>
  /** What the result tells beside how the wait ended. */
  told: (when: Condition | null) => Promise<JsonObject>
  /** Why a condition on this tool cannot be seen. */
  unseen: (tool: string) => string
}

/** Waits that a model asks for by a call: their caller is told when they are over. */
export function createWaits(
  parts: DoorParts,
  listening: Listening,
  manner: Manner,
): { wait: (call: Called) => Promise<Outcome>; heed: (args: JsonObject, result: CallResult) => void } {
  const { clock, record } = parts
  /** Documents that were read. */
  const read = new Map<string, string>()
  const heard = (signal: string): boolean =>
    listening.focused().some((tool) => parts.signals.get(tool)?.has(signal) === true)

  /** Names the signals of documents that were read, and of no others: what there is else is for reading to find out. */
  function unknownSignals(signals: readonly string[]): string | null {
    if (signals.length === 0) return null
    const known = [...new Set([...read.values()].flatMap(signalsIn))]
    const wayOut = known.length === 0 ? 'No document that you have read names a signal.' : `Known: ${known.join(', ')}.`
    return `signals: nothing would end a wait for ${signals.map((name) => `"${name}"`).join(', ')}. ${wayOut}`
  }

  function complaintAbout({ signals, when }: Asked, known: Reading | null): string | null {
    if (when === null) return signals.length > 0 ? null : 'signals: name at least one, or a condition in when'
    if (known === null) return `when.tool: ${manner.unseen(when.tool)}`
    // What could not be read is not known to be absent.
    if (Object.hasOwn(known.properties, when.property) || known.notRead !== undefined) return null
    return `when.property: ${when.tool} has no property "${when.property}"; known: ${Object.keys(known.properties).join(', ')}`
  }

  return {
    heed(args, { kind, text }) {
      if (kind === 'document') read.set(JSON.stringify(args), text)
    },
    async wait(call) {
      const parsed = waitArguments.safeParse(call.args)
      if (!parsed.success) return turnedAway('wait', call, complaint(parsed.error), clock.now())
      const { signals, when, timeoutMs } = parsed.data
      const known = when === null ? null : await listening.read(when.tool)
      const wrong = complaintAbout(parsed.data, known) ?? (when === null ? unknownSignals(signals) : null)
      if (wrong !== null && !signals.some(heard)) return turnedAway('wait', call, wrong, clock.now())

      record({ kind: 'suspend', signals, when, timeoutMs, verb: manner.verb })
      const end = await listening.until({ timeoutMs, tool: when?.tool ?? null }, async () => {
        const named = (await manner.arrived()).filter(({ signal }) => signals.includes(signal))
        if (named.length > 0) return { reason: 'signal' as const, signals: named.map(({ signal }) => signal) }
        const found = when === null ? null : await listening.read(when.tool)
        const value = when === null ? undefined : found?.properties[when.property]?.value
        return when !== null && value !== undefined && found?.notRead === undefined && holds(when, value)
          ? { reason: 'condition' as const, signals: [] }
          : null
      })
      const { reason, signals: woken } = end ?? { reason: 'timeout' as const, signals: [] }
      record({ kind: 'wake', reason, signals: woken })
      const more = await manner.told(when)
      const at = clock.now()
      const waited = { signals, ...(when !== null && { when }) }
      return carriedOut({ kind: 'wait', outcome: 'waited', data: { waited, ended: reason, ...more, at }, at })
    },
  }
}
