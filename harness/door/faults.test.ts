import { expect, test } from 'vitest'
import { PERFECT_DELIVERY } from '../contract/index.js'
import type { Delivery } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { createFaults } from './delivery.js'
import type { Cause, DoorbellFault } from './delivery.js'

const COUNT = 2_000

function faults(params: Partial<Delivery>, cause: Cause = 'change', activity = 'a'): DoorbellFault[] {
  const faultOf = createFaults({ ...PERFECT_DELIVERY, ...params }, createRandom('fates'))
  return Array.from({ length: COUNT }, () => faultOf({ activity, tool: null }, cause))
}
const lost = (params: Partial<Delivery>): number[] =>
  faults(params).flatMap(({ dropped }, index) => (dropped ? [index] : []))

test('perfect delivery draws nothing but one copy without delay', () => {
  expect(new Set(faults({}).map((fault) => JSON.stringify(fault)))).toEqual(
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
  const delays = faults({ doorbellDuplicate: 1, doorbellDelayMs: 10, doorbellJitterMs: 3 }).map(
    ({ delaysMs }) => delaysMs,
  )
  expect(new Set(delays.flat())).toEqual(new Set([10, 11, 12, 13]))
  expect(delays.some(([first = 0, second = 0]) => second < first)).toBe(true)
})

test('uuids decide nothing, causes and resources do', () => {
  const params = { doorbellDrop: 0.5 }
  expect(faults(params, 'change', 'b')).toEqual(faults(params, 'change', 'a'))
  expect(faults(params, 'storm')).not.toEqual(faults(params, 'change'))
  const faultOf = createFaults({ ...PERFECT_DELIVERY, ...params }, createRandom('fates'))
  const draws = [null, 'log', 'cup'].map((tool) =>
    Array.from({ length: 50 }, () => faultOf({ activity: 'a', tool }, 'change').dropped).join(),
  )
  expect(new Set(draws).size).toBe(3)
})
