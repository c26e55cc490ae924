import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue, Rank } from './queue.js'
import type { Entry } from './queue.js'

const ranks = [Rank.world, Rank.process, Rank.timeout] as const
const step = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    at: fc.nat({ max: 4 }),
    rank: fc.constantFrom(...ranks),
    ambient: fc.boolean(),
  }),
  fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('pop' as const) }),
)

test('what is popped is always the least of what was added and not cancelled, and keeping counts what is not ambient', () => {
  const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const queue = new EventQueue()
    let model: Entry[] = []
    for (const each of steps) {
      const least = model[0]
      let popped = least
      if (each.do === 'add') {
        model.push(queue.add(each.at, each.rank, () => {}, { ambient: each.ambient }))
        model.sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order)
      } else if (each.do === 'pop') {
        popped = queue.pop()
        model.shift()
      } else {
        const cancelled = model[each.which % Math.max(1, model.length)]
        if (cancelled === undefined) continue
        queue.cancel(cancelled)
        queue.cancel(cancelled)
        model = model.filter((entry) => entry !== cancelled)
      }
      expect(popped).toBe(least)
      expect(queue.peek()).toBe(model[0])
      expect(queue.keeping).toBe(model.filter(({ ambient }) => !ambient).length)
    }
  })
  fc.assert(property)
})

test('a reserved place counts from when it was reserved', () => {
  const queue = new EventQueue()
  const order = queue.reserve()
  const younger = queue.add(10, Rank.process, () => {})
  const older = queue.add(10, Rank.process, () => {}, { order })
  expect([queue.pop(), queue.pop(), queue.pop()]).toEqual([older, younger, undefined])
})

test('cancelling what was popped changes nothing', () => {
  const queue = new EventQueue()
  queue.add(10, Rank.world, () => {})
  queue.cancel(queue.add(5, Rank.world, () => {}))
  const popped = queue.pop()
  if (popped !== undefined) queue.cancel(popped)
  expect([popped?.at, queue.keeping]).toEqual([10, 0])
})
