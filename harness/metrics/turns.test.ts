import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import operationsMetrics from './operations.metric.js'
import timesMetrics from './times.metric.js'
import { named } from '../testing/metrics.js'

const staleOperations = named(operationsMetrics, 'stale_operations')
const turnLatencyMs = named(timesMetrics, 'turn_latency_ms')

test('a turn lasts from a change by one role to the next change of that tool by another', () => {
  const { trace } = story({}, ['odd', 'even'])
    .as('even')
    .poll({ 'c.value': 1 })
    .as('odd')
    .poll({ 'c.value': 1 })
    .operate('c.inc')
    .change('c.value', 1, 2, 'op-1')
    .at(1_000)
    .operate('c.inc')
    .change('c.value', 2, 3, 'op-2')
    .as('even')
    .at(3_000)
    .operate('d.inc')
    .change('d.value', 0, 1, 'op-3')
    .at(5_000)
    .operate('c.inc')
    .change('c.value', 3, 4, 'op-4')
    .as('odd')
    .at(7_000)
    .operate('c.inc')
    .change('c.value', 4, 5, 'op-5')
  expect(turnLatencyMs.of(trace)).toEqual({ mean: 3_000, max: 4_000 })
})

test('one role hands over no turn', () => {
  const { trace } = story().as('odd').operate('c.inc').change('c.value', 1, 2, 'op-1')
  expect(turnLatencyMs.of(trace)).toEqual({})
})

test('what another activity has of its own makes no operation stale', () => {
  const change = { kind: 'change', seq: 1, tool: 'c', property: 'p', from: 0, to: 1, op: 'op-1' } as const
  const stale = (activity: string | null) => {
    const { trace } = story({}, ['odd', 'even']).as('odd').poll({ 'c.p': 0 }).at(10)
    const changed = { n: trace.length, at: 10, role: null, activity, ...change }
    const told = [...trace, changed]
    const { trace: more } = story({}, ['odd', 'even']).as('odd').at(20).operate('c.inc', { op: 'op-2' })
    const rest = more
      .filter(({ kind }) => kind !== 'trial')
      .map((record, index) => ({ ...record, n: told.length + index }))
    return staleOperations.of([...told, ...rest])
  }
  expect([stale('uuid-even'), stale('uuid-odd'), stale(null)]).toEqual([0, 1, 1])
})
