import { z } from 'zod'
import { Refusal } from '../../harness/contract/index.js'
import type { Kit, ManualDeclaration, Operation, Signal } from '../../harness/contract/index.js'
import type { Params } from './params.js'
import { seats } from './turns.js'

// Schemas stand outside of the set-up: to make them costs more than all the rest of opening a world.
const COUNT = z.int().min(0).max(1_000_000)
const FOCUS = z.enum(['NONE', 'ESTABLISHED'])
const CHANGED = z.object({ key: z.string(), message: z.string() })
const ESTABLISHED = z.object({ value: z.int() })
const INC = z.strictObject({})
const INC_EXPECTED = z.strictObject({ expected: z.int() })

export interface Counter {
  first: number
  focus: Operation
  inc: Operation
  established: Signal<never>
  change: Signal<never>
  value: () => number
  manual: ManualDeclaration
}

export function buildCounter({ params, random, artifact, violation, requires, after }: Kit<Params>): Counter {
  const { limit, agents, commitDelayMs, expected, selfEcho, ackTellsValue } = params
  const first = params.start ?? random.stream('start').integer(0, Math.min(limit, agents - 1))
  const tool = artifact('counterTool', 'A counter that is shared by all who use it.')
  const counter = tool.property('shared_counter', COUNT, first, 'The number that the counter shows.')
  const focus = tool.property('focus_status', FOCUS, 'NONE', 'Whether the caller is registered with the tool.', {
    personal: true,
  })
  const established = tool.signal('focus.established', ESTABLISHED, 'The caller has been registered.', {
    when: [focus.is('ESTABLISHED')],
  })
  const change = tool.signal('counter.change', CHANGED, 'Somebody has changed `shared_counter`.')
  const wrongParity = violation('wrong_parity', 'The counter was incremented by an agent whose turn it was not.')
  const overshoot = violation('overshoot', 'The counter was incremented although it had exceeded its limit.')
  const actors = new Map(seats(params).map((seat) => [seat.name, seat]))

  // Acknowledged and not yet carried out. All take equally long, so each finds the value that it was judged by.
  let underWay = 0
  const commit = (caller: string) => {
    counter.value += 1
    change.emit({ key: 'counter_update', message: 'Counter changed.' }, selfEcho ? {} : { except: caller })
  }
  const judge = (value: number, role: string | null) => {
    if (value > limit) overshoot.commit()
    else if (role === null || actors.get(role)?.acts(value) !== true) wrongParity.commit()
  }

  const focusOperation = tool.operation(
    'focus',
    {
      summary: 'Registers the caller with the counter.',
      behaviour: 'The caller is registered for good; the number shown at that time is sent to it.',
      effects: [focus.becomes('ESTABLISHED')],
    },
    (_args, { activity }) => {
      const mine = focus.of(activity)
      if (mine.value === 'ESTABLISHED') return 'Already focused.'
      mine.value = 'ESTABLISHED'
      established.emit({ value: counter.value }, { to: activity })
      return 'Focus established.'
    },
  )
  const rise = counter.rises({ by: 1 })
  const inc = tool.operation(
    'inc',
    {
      summary: 'Increments the counter by one.',
      behaviour:
        commitDelayMs > 0
          ? 'The order is taken at once and carried out later; orders are carried out in their sequence.'
          : 'The number is higher by one as soon as the call is acknowledged.',
      args: expected ? INC_EXPECTED : INC,
      requires: [requires(focus.is('ESTABLISHED'), { reason: 'a caller who is registered' })],
      ...(commitDelayMs > 0 ? { completes: [{ signal: change, effects: [rise] }] } : { effects: [rise] }),
    },
    (args, { activity, role }) => {
      const base = counter.value + underWay
      if ('expected' in args && args.expected !== base)
        throw new Refusal('`expected` must be the number that the increment will find')
      judge(base, role)
      if (commitDelayMs > 0) {
        underWay += 1
        after(commitDelayMs, () => {
          underWay -= 1
          commit(activity)
        })
      } else commit(activity)
      return ackTellsValue ? `Increment accepted: ${base} becomes ${base + 1}.` : 'Increment accepted.'
    },
  )

  return {
    first,
    focus: focusOperation,
    inc,
    established,
    change,
    value: () => counter.value,
    manual: {
      kind: 'manual',
      title: 'Shared Counter',
      summary: 'The counter: how to register with it, read its number and increment it.',
      category: 'Coordination / Shared State',
      version: '1.0.0',
      covers: [tool],
      role: 'active actuator',
      description:
        'The tool holds one whole number for everybody. Any registered caller may increment it, so the number can move without the caller having done anything.',
      protocol: [
        'Register by `focus` before anything else; `inc` is refused to strangers.',
        'Nothing lowers the number again: an increment too many stays for good.',
        '`counter.change` tells that the number has moved, not where to: read `shared_counter`.',
        ...(expected
          ? ['`inc` names in `expected` the number that it counts on, and does nothing if there is another.']
          : []),
      ],
    },
  }
}
