import { expect, test } from 'vitest'
import { billAt, spendingOf, tariffsFor } from '../metrics/billing.js'
import type { Spending } from '../metrics/billing.js'
import { trialLine } from '../testing/trial-line.js'
import { costBetween, costInWords, costOver } from './costs.js'
import { notes } from './notes.js'
import { summarise } from './summary.js'

const tariffs = tariffsFor('sim:typical', 'tokens')
const spent = (calls: number, fresh: number, cachedTokens: number, completionTokens: number): Spending => ({
  calls,
  promptTokens: fresh + cachedTokens,
  cachedTokens,
  cacheWriteTokens: fresh,
  completionTokens,
})
const pairsOf = (base: Spending, candidate: Spending, n = 10) =>
  Array.from({ length: n }, (_, index) => ({ seed: String(index), base, candidate }))
const verdictOf = (base: Spending, candidate: Spending) => costOver(pairsOf(base, candidate), tariffs)?.verdict

test('who uses less of everything is cheaper in all pricings, and the other is dearer', () => {
  const [little, much] = [spent(5, 5_000, 10_000, 300), spent(10, 10_000, 20_000, 600)]
  expect([verdictOf(much, little), verdictOf(little, much), verdictOf(much, much)]).toEqual([
    'cheaper',
    'dearer',
    'no evidence',
  ])
})

test('who is cheaper or dearer by one weight alone depends on the pricing', () => {
  const base = spent(10, 10_000, 10_000, 1_000)
  const usual = { cached: 0.1, write: 1, output: 4, thinking: 0 }
  const cases = [
    [spent(10, 8_000, 22_000, 1_000), { ...usual, cached: 1 }],
    [spent(10, 11_000, 10_000, 720), { ...usual, write: 1.25 }],
    [spent(10, 4_000, 14_000, 2_100), { ...usual, output: 8 }],
    [spent(11, 8_000, 8_000, 800), { ...usual, thinking: 1_000 }],
  ] as const
  for (const [other, tariff] of cases) {
    expect(billAt(other, usual)).toBeLessThan(billAt(base, usual))
    expect(billAt(other, tariff)).toBeGreaterThan(billAt(base, tariff))
    expect(verdictOf(base, other)).toBe('depends')
  }
  const cost = costOver(pairsOf(base, spent(11, 8_000, 8_000, 800)), tariffs)
  expect(cost && costInWords(cost)).toBe(
    'depends on the pricing: ×0.80 (cached 0.1, written 1, output 4) to ×1.04 (cached 0.1, written 1, output 8, 1 000 thinking tokens per call)',
  )
})

test('thinking is added to simulated answers alone, and never below what a policy has added already', () => {
  const thoughts = (model: string, policy: string) => [
    ...new Set(tariffsFor(model, policy).map(({ thinking }) => thinking)),
  ]
  expect(thoughts('sim:typical', 'tokens')).toEqual([0, 200, 1_000])
  expect(thoughts('sim:typical', 'tokens+200')).toEqual([0, 800])
  expect(thoughts('gpt-5', 'measured')).toEqual([0])
  expect(tariffs).toHaveLength(24)
})

test('of fewer than six scenarios the range is told and no verdict; nothing of a trial without a call, or of runs that did not measure it', () => {
  const one = spent(5, 5_000, 0, 300)
  expect(costOver(pairsOf(one, spent(10, 10_000, 0, 600), 5), tariffs)).toMatchObject({
    verdict: 'too few',
    scenarios: 5,
    lowest: { value: expect.closeTo(2, 9), low: null, high: null },
  })
  expect(costOver([], tariffs)).toBeNull()
  expect(spendingOf((name) => (name === 'model_calls' ? 0 : 7))).toBeNull()
  expect(spendingOf((name) => (name === 'cached_tokens' ? null : 7))).toBeNull()
  expect(spendingOf((name) => (name === 'cache_write_tokens' ? null : 7))).toEqual({
    calls: 7,
    promptTokens: 7,
    cachedTokens: 7,
    completionTokens: 7,
  })
})

const line = (agent: string, scenario: number, factor: number, model = 'sim:typical') =>
  trialLine(
    { agent, scenario, model, thinking: 'tokens' },
    {
      metrics: {
        model_calls: 10 * factor,
        prompt_tokens: 20_000 * factor + scenario,
        cached_tokens: 8_000 * factor,
        cache_write_tokens: 12_000 * factor,
        completion_tokens: 500 * factor,
      },
    },
  )

test('a run pairs its agents by scenario, under one model each, and both ways round', () => {
  const lines = Array.from({ length: 8 }, (_, index) => [
    line('first', index, 2),
    line('second', index, 1),
    line('second', index, 3, 'sim:hasty'),
  ]).flat()
  const summary = summarise(lines.slice(0, -1), { metrics: [] })
  const [first, second, other] = summary.groups
  if (first === undefined || second === undefined || other === undefined) throw new Error('Three groups are needed.')
  expect(summary.costs.map(({ base, candidate, verdict, scenarios }) => [base, candidate, verdict, scenarios])).toEqual(
    [[0, 1, 'cheaper', 8]],
  )
  expect(costBetween(summary, second, first)).toMatchObject({
    verdict: 'dearer',
    highest: { value: expect.closeTo(2, 3) },
  })
  expect(costBetween(summary, first, other)).toBeNull()
  expect(notes(summary).at(-1)).toMatch(/ second beside first: cheaper in all pricings \(×0\.50 to ×0\.50\)\.$/)
})

test('of many agents it is told whom each undercuts, and which pairs are open', () => {
  const lines = Array.from({ length: 8 }, (_, index) => [
    line('cheap', index, 1),
    line('middle', index, 2),
    line('alike', index, 2),
    line('dear', index, 3),
  ]).flat()
  expect(notes(summarise(lines, { metrics: [] })).at(-1)).toMatch(
    / cheap is cheaper in all pricings than middle, alike, dear; middle is cheaper in all pricings than dear; alike is cheaper in all pricings than dear; it depends on the pricing or the row, or cannot be told, for alike beside middle\.$/,
  )
})
