import { expect, test } from 'vitest'
import { PERFECT_DELIVERY } from '../contract/index.js'
import type { Delivery } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { createFates } from './delivery.js'
import type { Cause, Fate } from './delivery.js'

const COUNT = 2_000

function fates(params: Partial<Delivery>, cause: Cause = 'change', activity = 'a'): Fate[] {
  const fateOf = createFates({ ...PERFECT_DELIVERY, ...params }, createRandom('fates'))
  return Array.from({ length: COUNT }, () => fateOf({ activity, tool: null }, cause))
}
const lost = (params: Partial<Delivery>): number[] =>
  fates(params).flatMap(({ dropped }, index) => (dropped ? [index] : []))

test('perfect delivery draws nothing but one copy without delay', () => {
  expect(new Set(fates({}).map((fate) => JSON.stringify(fate)))).toEqual(
    new Set(['{"dropped":false,"reordered":false,"delaysMs":[0]}']),
  )
})

test('shares are met, and whatever is lost at 10 % is lost at 30 %, too', () => {
  const [few, many] = [lost({ doorbellDrop: 0.1 }), lost({ doorbellDrop: 0.3 })]
  expect(few.length / COUNT).toBeCloseTo(0.1, 1)
  expect(many.length / COUNT).toBeCloseTo(0.3, 1)
  expect(few.filter((index) => !many.includes(index))).toEqual([])
})

test('one parameter changes no draw of another', () => {
  expect(lost({ doorbellDrop: 0.3, doorbellDuplicate: 1, doorbellReorder: 1, doorbellJitterMs: 9 })).toEqual(
    lost({ doorbellDrop: 0.3 }),
  )
})

test('jitter comes on top of the delay, up to its bound, for each copy', () => {
  const delays = fates({ doorbellDuplicate: 1, doorbellDelayMs: 10, doorbellJitterMs: 3 }).map(
    ({ delaysMs }) => delaysMs,
  )
  expect(new Set(delays.flat())).toEqual(new Set([10, 11, 12, 13]))
  expect(delays.some(([first = 0, second = 0]) => second < first)).toBe(true)
})

test('uuids decide nothing, causes and resources do', () => {
  const params = { doorbellDrop: 0.5 }
  expect(fates(params, 'change', 'b')).toEqual(fates(params, 'change', 'a'))
  expect(fates(params, 'storm')).not.toEqual(fates(params, 'change'))
  const fateOf = createFates({ ...PERFECT_DELIVERY, ...params }, createRandom('fates'))
  const draws = [null, 'log', 'cup'].map((tool) =>
    Array.from({ length: 50 }, () => fateOf({ activity: 'a', tool }, 'change').dropped).join(),
  )
  expect(new Set(draws).size).toBe(3)
})
