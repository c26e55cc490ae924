import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import modelMetrics from './model.metric.js'
import timesMetrics from './times.metric.js'
import { named } from '../testing/metrics.js'

const thinkingMs = named(modelMetrics, 'thinking_ms')
const longestProcessMs = named(timesMetrics, 'longest_process_ms')

test('thinking time is summed over all calls, of whichever agent', () => {
  const { trace } = story().as('a').call({ lastsMs: 2_000 }).as('b').call({ lastsMs: 500 })
  expect(thinkingMs.of(trace)).toBe(2_500)
  expect(thinkingMs.of(story().as('a').trace)).toBe(0)
})

test('the longest process runs from an operation to the last of its own signals', () => {
  const { trace } = story()
    .as('operator')
    .operate('kettle.heat')
    .signal('kettle.started', 1, { op: 'op-1' })
    .at(4_000)
    .operate('kettle.pour')
    .at(6_000)
    .signal('kettle.empty', 2, { op: 'op-2' })
    .at(9_000)
    .signal('kettle.hot', 3, { op: 'op-1' })
    .at(20_000)
    .signal('siren.raised', 4)
  expect(longestProcessMs.of(trace)).toBe(9_000)
})

test('where an operation is followed by no signal of its own, there is no longest process', () => {
  const { trace } = story().as('operator').operate('kettle.heat').signal('kettle.started', 1, { op: 'op-1' })
  expect(longestProcessMs.of(trace)).toBeNull()
})
