import { expect, test } from 'vitest'
import type { JsonObject } from '../contract/index.js'
import { kettle } from './fixtures/kettle.js'
import { play, stage } from './fixtures/stage.js'
import type { LiveWorld } from './live.js'

const CODE = '1820'
const act = (world: LiveWorld, action: string, args: JsonObject = {}) =>
  world.execute({ tool: 'kettle', action, args, activity: 'a' })

test('an accepted operation answers at once with what to expect, and its timers belong to it', async () => {
  const { lines, settledAt } = await play(kettle, (world) => {
    act(world, 'unlock', { code: CODE })
    expect(act(world, 'heat')).toEqual({
      outcome: 'accepted',
      operationId: 'op-2',
      message: 'Heating.',
      rule: null,
      about: null,
      expects: ['kettle.hot'],
      at: 0,
    })
  })
  expect(settledAt).toBe(2_000)
  const change = { kind: 'change', activity: null, tool: 'kettle' }
  const heated = { ...change, property: 'temp', op: 'op-2' }
  expect(lines).toEqual([
    { at: 0, activity: 'a', kind: 'operation', op: 'op-1', tool: 'kettle', action: 'unlock', args: { code: CODE } },
    { ...change, at: 0, seq: 1, property: 'locked', from: true, to: false, op: 'op-1' },
    {
      at: 0,
      activity: 'a',
      kind: 'acknowledgement',
      op: 'op-1',
      outcome: 'accepted',
      message: 'Unlocked.',
      rule: null,
    },
    { at: 0, activity: 'a', kind: 'operation', op: 'op-2', tool: 'kettle', action: 'heat', args: {} },
    { ...change, at: 0, seq: 2, property: 'power', from: 'OFF', to: 'HEATING', op: 'op-2' },
    { at: 0, activity: 'a', kind: 'acknowledgement', op: 'op-2', outcome: 'accepted', message: 'Heating.', rule: null },
    { ...heated, at: 1_000, seq: 3, from: 20, to: 60 },
    { ...heated, at: 2_000, seq: 4, from: 60, to: 100 },
    { ...change, at: 2_000, seq: 5, property: 'power', from: 'HEATING', to: 'HOT', op: 'op-2' },
    {
      at: 2_000,
      activity: null,
      kind: 'signal',
      seq: 6,
      tool: 'kettle',
      signal: 'kettle.hot',
      payload: { temp: 100, msg: 'Ready for op-2.' },
      op: 'op-2',
    },
  ])
})

test('a refusal quotes the first broken rule as the manual prints it, and changes nothing', () => {
  const { world, lines } = stage(kettle)
  const rule = '`locked` of `kettle` is `false` (release the child lock)'
  expect(act(world, 'heat')).toEqual({
    outcome: 'refused',
    operationId: 'op-1',
    message: 'Refused: nothing has changed.',
    rule,
    about: null,
    expects: [],
    at: 0,
  })
  expect(world.documents[0]?.text).toContain(rule)
  expect(lines.map(({ kind }) => kind)).toEqual(['operation', 'acknowledgement'])
})

test('a body that throws a Refusal is undone, and its message is the rule', () => {
  const { world, lines } = stage(kettle)
  const answer = act(world, 'unlock', { code: 'wrong' })
  expect(answer).toMatchObject({ outcome: 'refused', operationId: 'op-1', rule: 'the code must be that of the label' })
  expect(world.read('kettle').properties.locked).toEqual({ value: true, at: 0 })
  expect(lines.map(({ kind }) => kind)).toEqual(['operation', 'acknowledgement'])
})

test('whoever ignores a requirement with a harm is refused, unless the harm is at hand', () => {
  const { world, lines } = stage(kettle)
  act(world, 'unlock', { code: CODE })
  expect(act(world, 'pour', { amount: 10 })).toMatchObject({
    outcome: 'refused',
    rule: '`power` of `kettle` is `HOT` (wait for hot water)',
  })
  expect(world.violations()).toEqual([])
  act(world, 'heat')
  const from = lines.length
  expect(act(world, 'pour', { amount: 10 })).toEqual({
    outcome: 'harmed',
    operationId: 'op-4',
    message: 'Hot steam scalds a hand.',
    rule: '`power` of `kettle` is `HOT` (wait for hot water)',
    about: null,
    expects: [],
    at: 0,
  })
  expect(world.violations()).toEqual(['scald'])
  expect(lines.slice(from).map(({ kind }) => kind)).toEqual(['operation', 'change', 'violation', 'acknowledgement'])
})

test('a violation is recorded once, however often it is done', () => {
  const { world, lines } = stage(kettle)
  act(world, 'unlock', { code: CODE })
  for (let time = 0; time < 2; time += 1) {
    act(world, 'heat')
    expect(act(world, 'pour', { amount: 10 }).outcome).toBe('harmed')
  }
  expect(lines.filter(({ kind }) => kind === 'violation')).toEqual([
    { at: 0, activity: null, kind: 'violation', violation: 'scald', op: 'op-3' },
  ])
})

test('what went well has a margin, and a narrow one is near', async () => {
  const { lines } = await play(kettle, async (world, self) => {
    act(world, 'unlock', { code: CODE })
    act(world, 'heat')
    await self.sleep(3_999)
    act(world, 'pour', { amount: 10 })
    await self.sleep(1)
    act(world, 'pour', { amount: 10 })
  })
  expect(lines.filter(({ kind }) => kind === 'margin')).toEqual([
    { at: 3_999, activity: null, kind: 'margin', violation: 'scald', distance: 1_999, unit: 'ms', near: true },
    { at: 4_000, activity: null, kind: 'margin', violation: 'scald', distance: 2_000, unit: 'ms', near: false },
  ])
})

test('a call that reaches no rule is invalid: the sentence names what is wrong, and it takes no operation id', () => {
  const { world, lines } = stage(kettle)
  const say = (tool: string, action: string, args: JsonObject) => world.execute({ tool, action, args, activity: 'a' })
  const answers = [
    say('pot', 'heat', {}),
    say('cup', 'drink', {}),
    say('kettle', 'toString', {}),
    say('kettle', 'heat', { fast: true }),
    say('kettle', 'pour', {}),
    say('kettle', 'pour', { amount: 'much' }),
    say('kettle', 'pour', { amount: 501 }),
    say('kettle', 'pour', { amount: 5, cup: 1 }),
    say('kettle', 'heat', {}),
  ]
  expect(answers.map(({ message }) => message)).toEqual([
    'There is no tool "pot". Known: kettle.',
    'There is no tool "cup". Known: kettle.',
    'kettle has no action "toString". Known: unlock, heat, pour.',
    'There is no argument "fast". It takes none.',
    'Argument "amount" is missing: expected number.',
    'Argument "amount" is invalid: expected number, received string.',
    'Argument "amount" is invalid: Too big: expected number to be <=500.',
    'There is no argument "cup". Known: amount.',
    'Refused: nothing has changed.',
  ])
  expect(answers.map(({ outcome }) => outcome)).toEqual([...Array<string>(8).fill('invalid'), 'refused'])
  expect(answers.at(-1)?.operationId).toBe('op-1')
  expect(lines[3]).toEqual({
    at: 0,
    activity: 'a',
    kind: 'invalid',
    tool: 'kettle',
    args: { action: 'heat', fast: true },
    message: 'There is no argument "fast". It takes none.',
  })
})
