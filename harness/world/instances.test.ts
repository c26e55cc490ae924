import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../contract/index.js'
import type { Instances, JsonObject, Kit, OperationDeclaration } from '../contract/index.js'
import { press } from './fixtures/press.js'
import { manualOf, sketch, stage } from './fixtures/stage.js'

async function open() {
  const { world, clock, lines } = stage(press)
  await clock.run({ untilMs: 0 })
  const rung: string[] = []
  world.onDoorbells((bells) => rung.push(...bells.map(({ tool }) => tool ?? 'log')))
  world.focus('a', 'press')
  const act = (action: string, args: JsonObject) => {
    const { outcome, rule, about } = world.execute({ tool: 'press', action, args, activity: 'a' })
    return { outcome, rule, about }
  }
  const values = () =>
    Object.fromEntries(Object.entries(world.read('press').properties).map(([name, { value }]) => [name, value]))
  return { world, clock, lines, rung, act, values }
}

test('a call brings instances into being, which are published, recorded and read like any property', async () => {
  const { act, values, lines, rung } = await open()
  expect(values()).toEqual({ busy: false })
  expect(act('press', { title: 'spring' })).toEqual({
    outcome: 'accepted',
    rule: null,
    about: { sheet: 's1', title: 'spring' },
  })
  expect(values()).toEqual({ busy: true, 'sheets[s1].state': 'PRESSING', 'sheets[s1].title': 'spring' })
  expect(rung).toEqual(['press'])
  const created = { at: 0, activity: null, kind: 'change', tool: 'press', from: null, op: 'op-1' }
  expect(lines.filter((line) => line.kind === 'change' && line.property !== 'busy')).toEqual([
    { ...created, seq: 1, property: 'sheets[s1].state', to: 'PRESSING' },
    { ...created, seq: 2, property: 'sheets[s1].title', to: 'spring' },
  ])
})

test('the rules of a call hold for the instance that its argument names, and for no other', async () => {
  const { act, values, clock, world } = await open()
  act('press', { title: 'spring' })
  clock.settle(1_000)
  act('press', { title: 'autumn' })
  expect(act('take', { sheet: 's1' })).toEqual({ outcome: 'accepted', rule: null, about: { sheet: 's1' } })
  expect(values()).toMatchObject({ 'sheets[s1].state': 'TAKEN', 'sheets[s2].state': 'PRESSING' })
  expect(act('take', { sheet: 's1' })).toEqual({
    outcome: 'refused',
    rule: '`sheets[s1].state` of `press` is `READY`',
    about: { sheet: 's1' },
  })
  expect(world.violations()).toEqual([])
  expect(act('take', { sheet: 's2' })).toMatchObject({ outcome: 'harmed' })
  expect(world.violations()).toEqual(['crumple'])
})

test('of an entity that does not exist nothing holds: neither the requirement nor the harm', async () => {
  const { act, world } = await open()
  expect(act('take', { sheet: 's9' })).toEqual({
    outcome: 'refused',
    rule: '`sheets[s9].state` of `press` is `READY`',
    about: { sheet: 's9' },
  })
  expect(world.violations()).toEqual([])
})

test('two processes end as they began: each with its own instance and its own operation', async () => {
  const { act, clock, world } = await open()
  act('press', { title: 'spring' })
  act('press', { title: 'autumn' })
  clock.settle(1_000)
  const ends = world.signalsAfter('a', 0).map(({ payload, operationId }) => ({ payload, operationId }))
  expect(ends).toEqual([
    { payload: { sheet: 's1' }, operationId: 'op-1' },
    { payload: { sheet: 's2' }, operationId: 'op-2' },
  ])
})

test('the manual prints the form of the name, in the rules as in the table and the trigger', async () => {
  const text = (await open()).world.documents[0]?.text ?? ''
  expect(text).toContain(
    '| `sheets[<sheet>].state` | String | `PRESSING`, `READY`, `TAKEN` | What has become of a sheet. |',
  )
  expect(text).toContain(
    '* **Effects:** `sheets[<sheet>].state` becomes `PRESSING`; `sheets[<sheet>].title` becomes `<title>`. On `press.ready`: `sheets[<sheet>].state` becomes `READY`.',
  )
  expect(text).toContain('* **Preconditions:** `sheets[<sheet>].state` of `press` is `READY`.')
  expect(text).toContain('* **Trigger:** A sheet is ready (`sheets[<sheet>].state` of `press` is `READY`).')
})

type Made = { kit: Kit<unknown>; state: Instances<string> }
/** A tool with one operation, whose declaration and deed a test chooses. */
function shelf(make: (made: Made) => Partial<OperationDeclaration<z.ZodType>>, deed: (made: Made) => void = () => {}) {
  return sketch((kit: Kit<unknown>) => {
    const tool = kit.artifact('shelf', '')
    const state = tool.propertyPer('books[<book>].state', z.string(), '')
    const made = { kit, state }
    const declared = { summary: '', behaviour: '', ...make(made) }
    tool.operation('act', declared, () => {
      deed(made)
      return ''
    })
    kit.document('manual', manualOf(tool))
  })
}
const call = { tool: 'shelf', action: 'act', args: {}, activity: 'a' }

test('a refused step takes back what it has brought into being', async () => {
  const { world, lines } = stage(
    shelf(
      () => ({}),
      ({ state }) => {
        state.create('b1', 'NEW')
        throw new Refusal('never')
      },
    ),
  )
  expect(world.execute(call).outcome).toBe('refused')
  expect(world.read('shelf').properties).toEqual({})
  expect(lines.map(({ kind }) => kind)).toEqual(['operation', 'acknowledgement'])
})

test.each<[string, Parameters<typeof shelf>, string]>([
  [
    'a requirement on an entity that no argument names',
    [({ state }) => ({ requires: [state.is('NEW')] })],
    'The operation `act` of `shelf` speaks of `<book>`, which is none of its arguments.',
  ],
  [
    'an effect by an argument that there is not',
    [({ state }) => ({ effects: [state.becomesArgument('title')] })],
    'The operation `act` of `shelf` speaks of `<title>`, which is none of its arguments.',
  ],
])('%s is refused at set-up', (_what, args, message) => {
  expect(() => stage(shelf(...args))).toThrow(message)
})

test.each<[string, (made: Made) => void, string]>([
  [
    'a key twice',
    ({ state }) => [1, 2].forEach(() => state.create('b1', 'NEW')),
    '`books[b1].state` of `shelf` exists already.',
  ],
  ['a key that is no name', ({ state }) => state.create('b]1', 'NEW'), 'The key "b]1" of `books[<book>].state`'],
])('%s is a bug of the world', (_what, deed, message) => {
  expect(() => stage(shelf(() => ({}), deed)).world.execute(call)).toThrow(message)
})

test('a property with instances is named after its entity', async () => {
  const nameless = sketch((kit: Kit<unknown>) => {
    kit.artifact('shelf', '').propertyPer('state', z.string(), '')
  })
  expect(() => stage(nameless)).toThrow(
    '`state` of `shelf` names no entity: a property with instances is called as `jobs[<job>].state` is.',
  )
})
