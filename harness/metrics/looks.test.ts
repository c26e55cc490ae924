import { expect, test } from 'vitest'
import type { Happening, RecordOf } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import looksMetrics from './looks.metric.js'
import operationsMetrics from './operations.metric.js'
import { named } from '../testing/metrics.js'

const documentReads = named(looksMetrics, 'document_reads')
const emptyPolls = named(looksMetrics, 'empty_polls')
const polls = named(looksMetrics, 'polls')
const probes = named(looksMetrics, 'probes')
const resyncs = named(looksMetrics, 'resyncs')
const syncs = named(looksMetrics, 'syncs')
const invalid = named(operationsMetrics, 'invalid')
const observationAgeMs = named(operationsMetrics, 'observation_age_ms')
const operations = named(operationsMetrics, 'operations')
const refused = named(operationsMetrics, 'refused')
const staleOperations = named(operationsMetrics, 'stale_operations')

const read = (document: string, found = true) => ({ kind: 'read', what: 'document', document, found }) as const

test('a poll is empty when all its values were known to this agent by its own polls', () => {
  const { trace } = story({}, ['odd', 'even'])
    .as('odd')
    .poll({ 'c.value': 1, 'c.turn': 'A' })
    .poll({ 'c.value': 1 })
    .as('even')
    .poll({ 'c.value': 1 })
    .as('odd')
    .poll({ 'c.value': 2, 'c.turn': 'A' })
    .poll({ 'c.turn': 'A' })
    .poll({ 'c.value': 1 })
  expect([polls.of(trace), emptyPolls.of(trace)]).toEqual([6, 2])
})

test('probes are refusals, repetitions without consequence and re-read documents', () => {
  const catalogue = { kind: 'read', what: 'catalogue', document: null, found: true } as const
  const { trace } = story()
    .as('operator')
    .add(catalogue, read('a'), read('b'), read('a'), catalogue, read('none', false), read('none', false))
    .operate('c.inc')
    .change('c.value', 0, 1, 'op-1')
    .operate('c.inc')
    .change('c.value', 1, 2, 'op-2')
    .operate('door.login', { args: { code: 1 } })
    .operate('door.login', { args: { code: 1 } })
    .operate('door.login', { args: { code: 2 } })
    .operate('c.reset', { outcome: 'refused' })
    .operate('c.smash', { outcome: 'harmed' })
    .operate('c.start')
    .operate('c.start')
    .at(5_000)
    .signal('c.ready', 9, { op: 'op-9' })
    .add({ kind: 'invalid', tool: 'x', args: {}, message: '' })
  expect([
    probes.of(trace),
    operations.of(trace),
    refused.of(trace),
    invalid.of(trace),
    documentReads.of(trace),
  ]).toEqual([3, 9, 1, 1, 3])
})

test('an operation is as old as the last state of its tool that was seen before the deciding call', () => {
  const { trace } = story()
    .as('operator')
    .at(1_000)
    .poll({ 'kettle.state': 'OFF' })
    .at(2_000)
    .call({ lastsMs: 3_000 })
    .operate('kettle.heat')
    .change('kettle.state', 'OFF', 'HEATING', 'op-1')
    .at(6_000)
    .add({ kind: 'sync', tool: 'kettle', values: { state: 'HEATING' } }, { kind: 'resync' })
    .at(7_000)
    .asks()
    .at(8_000)
    .poll({ 'kettle.state': 'READY' })
    .at(9_000)
    .operate('kettle.pour')
    .operate('cup.drink')
  expect(observationAgeMs.of(trace)).toEqual({ mean: 3_500, max: 4_000, unobserved: 1 })
  expect([syncs.of(trace), resyncs.of(trace)]).toEqual([1, 1])
})

test('a consumed signal shows the state of its emission, not of its reading', () => {
  const { trace } = story({ model: null })
    .as('operator')
    .at(4_000)
    .signal('kettle.hot', 1, { tool: 'kettle' })
    .at(9_000)
    .add({ kind: 'consumed', seqs: [1] })
    .at(10_000)
    .operate('kettle.pour')
  expect(observationAgeMs.of(trace)).toEqual({ mean: 6_000, max: 6_000, unobserved: 0 })
})

test('an operation is stale when others, or time, changed its tool since; who saw nothing has no stale ones', () => {
  const tale = story({}, ['odd', 'even']).as('odd').poll({ 'c.value': 1 }).at(1_000)
  tale.operate('c.inc').change('c.value', 1, 2, 'op-1').at(2_000).operate('c.inc')
  expect(staleOperations.of(tale.trace)).toBe(0)
  tale.at(3_000).as('even').operate('c.inc').change('c.value', 2, 3, 'op-3').as('odd').at(4_000).operate('c.inc')
  expect(staleOperations.of(tale.trace)).toBe(1)
  tale.poll({ 'c.value': 3 }).operate('c.inc').at(5_000).change('other.value', 0, 1).operate('c.inc')
  expect(staleOperations.of(tale.trace)).toBe(1)
  expect(staleOperations.of(story().as('operator').operate('c.inc').trace)).toBeNull()
})

test('a call of wait_for that ends at once without news is a poll; one that a signal or a change ends, or that lasts, is none', () => {
  const suspend = (tool: string | null): Happening => ({
    kind: 'suspend',
    verb: 'wait_for',
    signals: ['s'],
    when: tool === null ? null : { tool, property: 'value', op: 'is', value: 1 },
    timeoutMs: 500,
  })
  const wake = (reason: 'signal' | 'condition' | 'timeout'): Happening => ({ kind: 'wake', reason, signals: [] })
  const { trace } = story()
    .as('operator')
    .call()
    .add(suspend('c'), wake('condition')) // held already
    .call()
    .add(suspend(null))
    .at(2_500)
    .add(wake('timeout')) // over before anything could happen
    .call()
    .add(suspend('c'), wake('signal'))
    .asks()
    .change('c.value', 0, 1)
    .add(suspend('c'), wake('condition')) // while it thought
    .call()
    .change('d.value', 0, 1)
    .add(suspend('c'), wake('condition')) // another tool
    .call()
    .add(suspend('c'))
    .at(60_000)
    .add(wake('timeout'))
  expect(polls.of(trace)).toBe(3)
})

test('a suspension by the runtime is no poll, however soon it ends', () => {
  const { trace } = story()
    .as('operator')
    .call()
    .add(
      { kind: 'suspend', signals: ['s'], when: null, timeoutMs: 5 },
      { kind: 'wake', reason: 'timeout', signals: [] },
    )
  expect(polls.of(trace)).toBe(0)
})

test('a failed poll is a poll, a failed sync is none, and what a stale read shows is as old as it was', () => {
  const fault = (what: RecordOf<'read_fault'>['what'], by: RecordOf<'read_fault'>['by'], ms = 0): Happening => ({
    kind: 'read_fault',
    what,
    by,
    tools: ['c'],
    ms,
  })
  const { trace } = story()
    .at(10_000)
    .as('operator')
    .add(
      fault('failed', 'poll'),
      fault('timed_out', 'sync', 5_000),
      fault('slow', 'poll', 10),
      fault('stale', 'poll', 4_000),
    )
    .poll({ 'c.value': 1 })
    .operate('c.inc')
  expect([polls.of(trace), named(looksMetrics, 'failed_reads').of(trace)]).toEqual([2, 2])
  expect(observationAgeMs.of(trace)).toEqual({ mean: 4_000, max: 4_000, unobserved: 0 })
})
