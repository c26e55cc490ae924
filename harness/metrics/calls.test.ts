import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import modelMetrics from './model.metric.js'
import tokensMetrics from './tokens.metric.js'
import { named } from '../testing/metrics.js'

const malformed = named(modelMetrics, 'malformed')
const modelCalls = named(modelMetrics, 'model_calls')
const modelCallsByPhase = named(modelMetrics, 'model_calls_by_phase')
const billedTokens = named(tokensMetrics, 'billed_tokens')
const cacheWriteTokens = named(tokensMetrics, 'cache_write_tokens')
const cachedTokens = named(tokensMetrics, 'cached_tokens')
const completionTokens = named(tokensMetrics, 'completion_tokens')
const costUsd = named(tokensMetrics, 'cost_usd')
const idleTokens = named(tokensMetrics, 'idle_tokens')
const peakPromptTokens = named(tokensMetrics, 'peak_prompt_tokens')
const promptTokens = named(tokensMetrics, 'prompt_tokens')

const priced = () => story().as('operator').call({ costUsd: 0.25 }).call({ costUsd: 0.5 })
const phased = () => story({}, ['operator'], { phase: { means: 'phase' } })

test('calls and tokens are summed, and an unanswered call is a call without tokens', () => {
  const { trace } = story()
    .as('operator')
    .call({ phase: 'observation', usage: { promptTokens: 700, completionTokens: 20, cachedTokens: 512 } })
    .call({ phase: 'reasoning', usage: { promptTokens: 900, completionTokens: 30 } })
    .call({ phase: 'reasoning', usage: { promptTokens: 300, completionTokens: 4 }, interrupted: true })
    .asks('action')
  expect(
    [modelCalls, promptTokens, completionTokens, cachedTokens, peakPromptTokens].map((metric) => metric.of(trace)),
  ).toEqual([4, 1_900, 54, 512, 900])
  expect(modelCallsByPhase.of(trace)).toEqual({ observation: 1, reasoning: 2, action: 1 })
})

test('a cached token is billed as a tenth, and what was written is known only where every call tells', () => {
  const usage = { promptTokens: 1_001, completionTokens: 20, cachedTokens: 512, cacheWriteTokens: 384 }
  const told = story().as('operator').call({ usage }).call({ usage, interrupted: true })
  expect([billedTokens.of(told.trace), cacheWriteTokens.of(told.trace)]).toEqual([1_240.4, 768])
  const untold = told.call({ usage: { promptTokens: 100, completionTokens: 0 } }).trace
  expect([billedTokens.of(untold), cacheWriteTokens.of(untold)]).toEqual([1_340.4, null])
})

test('without a call there is no peak, and the cost is nothing', () => {
  const { trace } = story({ model: null })
  expect([peakPromptTokens.of(trace), costUsd.of(trace), modelCallsByPhase.of(trace)]).toEqual([null, 0, {}])
})

test('one call of unknown price makes the cost of the trial unknown', () => {
  expect(costUsd.of(priced().trace)).toBe(0.75)
  expect(costUsd.of(priced().call({ costUsd: null }).trace)).toBeNull()
})

const cost = (tokens: number) => ({ usage: { promptTokens: tokens, completionTokens: 0 } })

test('calls are idle that led to a poll, a sleep, a re-read, an invalid call or nothing', () => {
  const read = { kind: 'read', what: 'document', document: 'manual', found: true } as const
  const { trace } = story()
    .as('operator')
    .call(cost(1))
    .poll({ 'kettle.heat': 1 })
    .call(cost(2))
    .add({ kind: 'sleep', delayMs: 1_000 })
    .call(cost(4))
    .add(read)
    .call(cost(8))
    .add(read)
    .call(cost(16))
    .add({ kind: 'invalid', tool: 'x', args: {}, message: '' })
    .call(cost(32))
    .operate('kettle.heat', { outcome: 'refused' })
    .call(cost(64))
    .call(cost(128))
    .add({ kind: 'claim', claim: 'achieved', text: '' })
  expect(idleTokens.of(trace)).toBe(1 + 2 + 8 + 16 + 64)
})

test('calls of one cycle are judged together, and a cycle that only suspends is idle', () => {
  const { trace } = phased()
    .as('operator')
    .note('phase', { label: 'observation', cycle: 1 })
    .call(cost(1))
    .note('phase', { label: 'reasoning', cycle: 1 })
    .call(cost(2))
    .note('phase', { label: 'action', cycle: 1 })
    .call(cost(4))
    .operate('kettle.heat')
    .note('phase', { label: 'observation', cycle: 2 })
    .call(cost(8))
    .note('phase', { label: 'reasoning', cycle: 2 })
    .call(cost(16))
    .add({ kind: 'suspend', signals: ['hot'], when: null, timeoutMs: null })
    .add({ kind: 'wake', reason: 'signal', signals: ['hot'] })
    .note('phase', { label: 'observation', cycle: 3 })
    .call(cost(32))
    .add({ kind: 'claim', claim: 'achieved', text: '' })
  expect(idleTokens.of(trace)).toBe(8 + 16)
})

test('a malformed answer is idle, whatever else its cycle achieved', () => {
  const retry = { kind: 'malformed', what: 'not_json', detail: 'No JSON.', retry: true } as const
  const { trace } = phased()
    .as('operator')
    .note('phase', { label: 'reasoning', cycle: 1 })
    .call(cost(1))
    .add(retry)
    .call(cost(2))
    .note('phase', { label: 'action', cycle: 1 })
    .call(cost(4))
    .operate('kettle.heat')
    .call(cost(8))
    .add(retry)
  expect(idleTokens.of(trace)).toBe(1 + 8)
  expect(malformed.of(trace)).toBe(2)
})

test('two agents do not lend each other their effects', () => {
  const { trace } = story({}, ['odd', 'even'])
    .as('odd')
    .call(cost(1))
    .as('even')
    .call(cost(2))
    .operate('counter.inc')
    .as('odd')
    .poll({ 'counter.value': 1 })
  expect(idleTokens.of(trace)).toBe(1)
})
