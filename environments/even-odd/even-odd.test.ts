import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { environmentContract } from '../../harness/testing/environment-contract.js'
import { stage } from '../../harness/testing/environment/stage.js'
import evenOdd from './even-odd.env.js'

environmentContract(evenOdd)

const rolesOf = (params: JsonObject, seed = 'roles') =>
  evenOdd.roles(evenOdd.params.parse(params), createRandom(seed)).map((role) => ({ startsAtMs: 0, ...role }))
const goalsOf = (params: JsonObject) => rolesOf({ order: 'listed', ...params }).map(({ name, goal }) => [name, goal])

describe('the roles', () => {
  test('of two agents are those of the thesis, in its words', () => {
    expect(goalsOf({})).toEqual([
      [
        'EVEN',
        'You are the EVEN agent: find the counter and increment it only if the number is EVEN, continue until it exceeds 5.',
      ],
      [
        'ODD',
        'You are the ODD agent: find the counter and increment it only if the number is ODD, continue until it exceeds 5.',
      ],
    ])
  })

  test('of more agents have a remainder each, or share the parities', () => {
    const goal = (index: number) =>
      `You are agent ${index} of 3: find the counter and increment it only if the number modulo 3 is ${index}, continue until it exceeds 9.`
    expect(goalsOf({ agents: 3, limit: 9 })).toEqual([0, 1, 2].map((index) => [`MOD-${index}`, goal(index)]))
    expect(goalsOf({ agents: 3, turns: 'parity' }).map(([name]) => name)).toEqual(['EVEN-0', 'ODD-1', 'EVEN-2'])
  })

  test('come in an order and begin at times that the seed draws', () => {
    const drawn = Array.from({ length: 40 }, (_, seed) => rolesOf({}, `seed-${seed}`))
    const first = drawn.filter(([role]) => role?.name === 'EVEN').length
    expect(first).toBeGreaterThan(8)
    expect(first).toBeLessThan(32)
    const starts = drawn.flat().map(({ startsAtMs }) => startsAtMs)
    expect(new Set(starts).size).toBeGreaterThan(70)
    expect(starts.every((start) => start >= 0 && start < 5_000)).toBe(true)
    expect(rolesOf({}, 'seed-1')).toEqual(drawn[1])
    expect(rolesOf({ jitterMs: 0 }).map(({ startsAtMs }) => startsAtMs)).toEqual([0, 0])
    expect(rolesOf({ order: 'reversed' }).map(({ name }) => name)).toEqual(['ODD', 'EVEN'])
  })
})

test.each([
  [{ start: 6 }, 'start (6) must not be above limit (5), or nothing is to be done.'],
  [
    { commitDelayMs: 10, selfEcho: false },
    'With commitDelayMs (10) selfEcho must be true: the echo is how an increment ends.',
  ],
])('the parameters %j are refused with the reason', (params, message) => {
  expect(evenOdd.params.safeParse(params).error?.issues.map((issue) => issue.message)).toEqual([message])
})

/** The world, and two who are registered with it and act as who they are. */
async function open(params: JsonObject = {}) {
  const staged = await stage(evenOdd, params, 'counter', (activity) => activity)
  const { world } = staged
  const act = (activity: string, action: string, args: JsonObject = {}) => {
    const { outcome, message, rule } = world.execute({ tool: 'counterTool', action, args, activity })
    return rule === null ? [outcome, message] : [outcome, rule]
  }
  const heard = (activity: string) => world.signalsAfter(activity, 0).map(({ signal, payload }) => [signal, payload])
  for (const activity of ['ODD', 'EVEN']) world.focus(activity, 'counterTool')
  return { ...staged, act, heard, total: () => staged.value('counterTool', 'shared_counter') }
}
const CHANGE = ['counter.change', { key: 'counter_update', message: 'Counter changed.' }]

test('a stranger is refused; whoever registers, alone hears of it and of the number', async () => {
  const { act, heard, total } = await open({ start: 3 })
  expect(act('ODD', 'inc')).toEqual([
    'refused',
    '`focus_status` of `counterTool` is `ESTABLISHED` (a caller who is registered)',
  ])
  expect(act('ODD', 'focus')).toEqual(['accepted', 'Focus established.'])
  expect(act('ODD', 'focus')).toEqual(['accepted', 'Already focused.'])
  expect(act('EVEN', 'inc')[0]).toBe('refused')
  expect([heard('ODD'), heard('EVEN')]).toEqual([[['focus.established', { value: 3 }]], []])
  expect(act('ODD', 'inc')).toEqual(['accepted', 'Increment accepted.'])
  expect([heard('ODD').slice(1), heard('EVEN'), total()]).toEqual([[CHANGE], [CHANGE], 4])
})

test('without an echo only the others hear of an increment', async () => {
  const { act, heard } = await open({ selfEcho: false })
  act('ODD', 'focus')
  act('ODD', 'inc')
  expect([heard('ODD').slice(1), heard('EVEN')]).toEqual([[], [CHANGE]])
})

test('an increment out of turn, and one beyond the limit, are two violations', async () => {
  const { act, world } = await open({ limit: 2 })
  for (const activity of ['ODD', 'EVEN']) act(activity, 'focus')
  act('ODD', 'inc')
  act('ODD', 'inc')
  expect([world.violations(), world.reached()]).toEqual([['wrong_parity'], true])
  act('ODD', 'inc')
  expect([world.violations(), world.reached()]).toEqual([['wrong_parity', 'overshoot'], false])
})

test('a delayed increment tells its end, and is judged by the number that it will find', async () => {
  const { act, world, total, rest, signals } = await open({ commitDelayMs: 2_000, ackTellsValue: true })
  for (const activity of ['ODD', 'EVEN']) act(activity, 'focus')
  expect(act('ODD', 'inc')).toEqual(['accepted', 'Increment accepted: 1 becomes 2.'])
  expect(act('EVEN', 'inc')).toEqual(['accepted', 'Increment accepted: 2 becomes 3.'])
  expect(total()).toBe(1)
  rest()
  expect([total(), world.violations()]).toEqual([3, []])
  expect(signals().flatMap(({ signal, at }) => (signal === 'counter.change' ? [at] : []))).toEqual([2_000, 2_000])
})

test('an increment that expects another number is refused, which harms nobody', async () => {
  const { act, world, total } = await open({ expected: true, commitDelayMs: 1 })
  for (const activity of ['ODD', 'EVEN']) act(activity, 'focus')
  const rule = '`expected` must be the number that the increment will find'
  expect(act('ODD', 'inc', { expected: 3 })).toEqual(['refused', rule])
  expect(act('ODD', 'inc', { expected: 1 })[0]).toBe('accepted')
  expect(act('ODD', 'inc', { expected: 1 })).toEqual(['refused', rule])
  expect([total(), world.violations()]).toEqual([1, []])
})

test('the start is drawn where it is left open', async () => {
  const drawn = await Promise.all(
    Array.from({ length: 30 }, async (_, seed) =>
      (await stage(evenOdd, { start: null, agents: 4 }, `${seed}`)).value('counterTool', 'shared_counter'),
    ),
  )
  expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3]))
})
