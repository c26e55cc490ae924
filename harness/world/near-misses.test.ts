import { expect, test } from 'vitest'
import { PERFECT_DELIVERY } from '../contract/index.js'
import type { Delivery } from '../contract/index.js'
import { readManual } from '../reader/read/manual.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { kettle } from './fixtures/kettle.js'
import { openWorld } from './open.js'

function open(catalogue: Partial<Delivery> = {}, seed = 'plants') {
  return openWorld(kettle, {
    params: kettle.params.parse({}),
    random: createRandom(seed),
    clock: createVirtualClock(),
    record: () => {},
    catalogue: { ...PERFECT_DELIVERY, ...catalogue },
  })
}

test('a catalogue that hides what documents cover lists ids and summaries alone, and changes no text', () => {
  const [shown, hidden] = [open(), open({ covers: 'hidden' })]
  expect(hidden.documents.map(({ listing }) => listing)).toEqual(
    shown.documents.map(({ id, summary }) => ({ id, summary })),
  )
  expect(shown.documents.map(({ listing }) => listing)).toEqual(
    shown.documents.map(({ id, summary, covers }) => ({ id, summary, covers })),
  )
  expect(hidden.documents.map(({ text }) => text)).toEqual(shown.documents.map(({ text }) => text))
})

test('manuals of other plants come beside the documents, in an order of the scenario, and cover no tool of this world', () => {
  const world = open({ nearMiss: 5 })
  const tools = new Set(world.tools.map(({ name }) => name))
  const own = open().documents.map(({ id }) => id)
  const others = world.documents.filter(({ id }) => !own.includes(id))
  expect(world.documents.map(({ id }) => id).filter((id) => own.includes(id))).toEqual(own)
  expect([others.length, new Set(others.map(({ id }) => id)).size]).toEqual([5, 5])
  expect(others.flatMap(({ covers }) => covers).filter((name) => tools.has(name))).toEqual([])
  expect(others.flatMap(({ text }) => readManual(text).tools).filter((name) => tools.has(name))).toEqual([])
  const orders = ['a', 'b', 'c', 'd'].map((seed) =>
    open({ nearMiss: 5 }, seed)
      .documents.map(({ id }) => id)
      .join(),
  )
  expect(new Set(orders).size).toBeGreaterThan(1)
})

test('a manual of another plant has the same operations, each with a rule that is false here', () => {
  const world = open({ nearMiss: 1 })
  const known = new Set(open().documents.map(({ id }) => id))
  const [twin] = world.documents.filter(({ id }) => !known.has(id))
  const own = world.documents.find(({ id }) => twin?.id.startsWith(`${id}_`) === true)
  const [there, here] = [readManual(twin?.text ?? ''), readManual(own?.text ?? '')]
  expect(there.operations.map(({ action }) => action)).toEqual(here.operations.map(({ action }) => action))
  const rulesOf = ({ operations }: typeof here) =>
    operations.flatMap(({ requires }) => requires.map(({ property, op, value }) => ({ property, op, value })))
  expect(rulesOf(here).length).toBeGreaterThan(0)
  for (const [index, rule] of rulesOf(there).entries()) {
    const { value, ...rest } = rulesOf(here)[index] ?? {}
    expect(rule).toMatchObject(rest)
    expect(rule.value).not.toEqual(value)
  }
})
