import { expect, test } from 'vitest'
import type { Happening } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import timesMetrics from './times.metric.js'
import tokensMetrics from './tokens.metric.js'
import waitsMetrics from './waits.metric.js'
import { named } from '../testing/metrics.js'

const reactionMs = named(timesMetrics, 'reaction_ms')
const tokensWhileSuspended = named(tokensMetrics, 'tokens_while_suspended')
const spuriousWakeups = named(waitsMetrics, 'spurious_wakeups')
const suspendedMs = named(waitsMetrics, 'suspended_ms')
const suspensions = named(waitsMetrics, 'suspensions')
const wakeups = named(waitsMetrics, 'wakeups')

const suspend: Happening = { kind: 'suspend', signals: ['hot'], when: null, timeoutMs: null }
const wake: Happening = { kind: 'wake', reason: 'signal', signals: ['hot'] }

test('suspended time is summed over activities, also of one that never wakes', () => {
  const { trace } = story()
    .as('operator', 'a')
    .at(1_000)
    .add(suspend)
    .as('operator', 'b')
    .at(2_000)
    .add(suspend)
    .as('operator', 'a')
    .at(5_000)
    .add(wake)
    .at(6_000)
    .verdict('deadlocked')
  expect([suspensions, wakeups, suspendedMs].map((metric) => metric.of(trace))).toEqual([2, 1, 8_000])
})

test('tokens count as suspended when the activity itself asks while it is, even at the same instant', () => {
  const { trace } = story()
    .as('operator', 'a')
    .call()
    .add(suspend)
    .as('operator', 'b')
    .call()
    .as('operator', 'a')
    .call({ lastsMs: 0 })
    .add(wake)
    .call()
  expect(tokensWhileSuspended.of(trace)).toBe(110)
  expect(tokensWhileSuspended.of(story().as('operator').call().trace)).toBeNull()
})

test('a wake-up is spurious when the next suspension comes before any operation', () => {
  const { trace } = story()
    .as('operator')
    .add(suspend, wake)
    .operate('kettle.pour')
    .add(suspend, wake)
    .add(suspend, wake)
    .add({ kind: 'claim', claim: 'achieved', text: '' })
  expect(spuriousWakeups.of(trace)).toBe(1)
})

test('a reaction goes from emission over doorbell, call and decision to the operation', () => {
  const { trace } = story()
    .as('operator')
    .operate('kettle.heat')
    .signal('kettle.started', 1, { op: 'op-1' })
    .at(10_000)
    .signal('kettle.hot', 2, { tool: 'kettle', op: 'op-1' })
    .at(10_200)
    .add({ kind: 'delivered', seq: 2 })
    .at(11_000)
    .add({ kind: 'consumed', seqs: [2] })
    .call({ phase: 'observation', lastsMs: 2_000 })
    .call({ phase: 'action', lastsMs: 1_000 })
    .operate('kettle.pour', { outcome: 'refused' })
    .at(15_000)
    .call({ lastsMs: 500 })
    .at(15_600)
    .operate('kettle.pour')
    .at(20_000)
    .signal('kettle.empty', 3, { tool: 'kettle' })
  expect(reactionMs.of(trace)).toEqual({
    delivered: 200,
    call: 800,
    decision: 4_500,
    operation: 100,
    total: 5_600,
    reacted: 1,
    censored: 1,
  })
})

test('who polls is reached by the first look at the tool, and a call that began before does not count', () => {
  const { trace } = story()
    .as('operator')
    .asks()
    .at(1_000)
    .signal('kettle.hot', 1, { tool: 'kettle' })
    .at(1_500)
    .poll({ 'cup.full': false })
    .at(3_000)
    .poll({ 'kettle.state': 'READY' })
    .operate('kettle.stir')
    .at(3_100)
    .call({ lastsMs: 900 })
    .operate('kettle.pour')
  expect(reactionMs.of(trace)).toEqual({
    delivered: 2_000,
    call: 100,
    decision: 900,
    operation: 0,
    total: 3_000,
    reacted: 1,
    censored: 0,
  })
})

test('where its doorbell is lost, a signal is delivered by the look that finds it, not by a later doorbell', () => {
  const { trace } = story()
    .as('operator')
    .at(1_000)
    .signal('kettle.hot', 1, { tool: 'kettle' })
    .at(31_000)
    .add({ kind: 'consumed', seqs: [1] })
    .call({ lastsMs: 2_000 })
    .operate('kettle.pour')
    .signal('kettle.empty', 2, { tool: 'kettle', op: 'op-1' })
    .add({ kind: 'delivered', seq: 2 })
  expect(reactionMs.of(trace)).toEqual({
    delivered: 30_000,
    call: 0,
    decision: 2_000,
    operation: 0,
    total: 32_000,
    reacted: 1,
    censored: 0,
  })
})

test('scripts react without a model, blind agents never, and what is the business of others is not counted', () => {
  const script = story({ model: null })
    .as('operator')
    .at(1_000)
    .signal('kettle.hot', 1)
    .add({ kind: 'delivered', seq: 1 })
  script
    .add({ kind: 'consumed', seqs: [1] })
    .at(1_400)
    .operate('kettle.pour')
  expect(reactionMs.of(script.trace)).toEqual({ delivered: 0, total: 400, reacted: 1, censored: 0 })
  const blind = story().as('operator').signal('kettle.hot', 1).at(2_000).call().operate('kettle.pour')
  expect(reactionMs.of(blind.trace)).toEqual({ reacted: 0, censored: 1 })
  const pair = story({}, ['odd', 'even']).as('odd').poll({ 'c.value': 0 }).operate('c.inc').at(1_000)
  pair.signal('c.changed', 1, { tool: 'c', op: 'op-1' })
  expect(reactionMs.of(pair.trace)).toEqual({ reacted: 0, censored: 1 })
})
