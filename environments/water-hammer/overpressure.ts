import { z } from 'zod'
import type { Artifact, Hand, Kit, Operation, Signal } from '../../harness/contract/index.js'
import { DEFAULT_RELIEVE_WITHIN_MS, LINE_LIMIT_BAR, overpressureIn } from './params.js'
import type { Latent, Params } from './params.js'
import type { Terminal } from './terminal.js'

// Schemas stand outside of the set-up: to make them costs more than all the rest of opening a world.
const LINE = z.int().min(0).max(80)
const OVERPRESSURE = z.object({ bar: z.int(), msg: z.string() })

const REST_BAR = 20
const EXCESS_BAR = { from: 1, to: 20 }

/** The alarm that may come while something else is waited for. */
export interface Overpressure {
  relieve: Operation
  raised: Signal<never>
  /** A latent process begins that lasts so long: an alarm that it brings comes within it. */
  begin: (process: Latent, durationMs: number) => void
  isLow: () => boolean
  /** What a script does about the alarm of a process, where one comes. */
  answer: (hand: Hand, process: Latent) => Promise<void>
  protocol: string[]
}

/** Null where the parameters have no alarm: then no tool and no manual knows of it. */
export function buildOverpressure(kit: Kit<Params>, tool: Artifact, terminal: Terminal): Overpressure | null {
  const { params, random } = kit
  const bringers = overpressureIn(params, random)
  if (bringers.length === 0) return null
  const withinMs = params.relieveWithinMs ?? DEFAULT_RELIEVE_WITHIN_MS

  const line = tool.property('line_pressure', LINE, REST_BAR, 'Pressure in the feed line to the core.', { unit: 'BAR' })
  const raised = tool.signal('pump.overpressure', OVERPRESSURE, 'The feed line has come under over-pressure.', {
    when: [line.atLeast(LINE_LIMIT_BAR)],
  })
  const burst = kit.violation('burst', 'The feed line burst: its over-pressure was not relieved in time.', {
    unit: 'ms',
    nearWithin: withinMs / 10,
  })

  let open: { dueAt: number; cancel: () => void } | null = null
  const expire = () => {
    open = null
    burst.commit()
    line.value = 0
    terminal.lockout.value = true
  }
  const relieve = tool.operation(
    'relieve',
    {
      summary: 'Opens the relief valve of the feed line for a moment.',
      behaviour: `The excess escapes at once, and the feed line is back at ${REST_BAR} BAR. Nothing else changes: a pump goes on to ramp, a flush goes on to cool.`,
      requires: [
        ...terminal.cleared,
        kit.requires(line.atLeast(LINE_LIMIT_BAR), { reason: 'over-pressure in the feed line' }),
      ],
      effects: [line.becomes(REST_BAR)],
    },
    () => {
      if (open !== null) burst.margin(open.dueAt - kit.now())
      open?.cancel()
      open = null
      line.value = REST_BAR
      return 'Relief valve opened. The feed line is at rest.'
    },
  )

  const raise = (process: Latent) => {
    // A plant that has locked itself out has stopped its pump.
    if (terminal.lockout.value) return
    line.value = LINE_LIMIT_BAR + random.stream('excess', process).integer(EXCESS_BAR.from, EXCESS_BAR.to)
    // An excess upon another is told again; the earlier deadline stands.
    open ??= { dueAt: kit.now() + withinMs, cancel: kit.after(withinMs, expire) }
    raised.emit({ bar: line.value, msg: 'Over-pressure in the feed line.' })
  }

  return {
    relieve,
    raised,
    begin(process, durationMs) {
      if (!bringers.includes(process)) return
      const share = random.stream('overpressure', process).uniform()
      kit.after(Math.max(1, Math.floor(share * durationMs)), () => raise(process))
    },
    isLow: () => line.value < LINE_LIMIT_BAR,
    async answer(hand, process) {
      if (!bringers.includes(process)) return
      await hand.waitFor(raised)
      await hand.operate(relieve)
    },
    protocol: [
      `WARNING, over-pressure: while the pump ramps and while the core is flushed, \`line_pressure\` may rise to ${LINE_LIMIT_BAR} BAR and above, told by \`pump.overpressure\`. It must be brought down by \`relieve\` within ${withinMs / 1_000} s, or the feed line bursts and the plant locks itself out.`,
    ],
  }
}
