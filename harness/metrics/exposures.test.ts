import { expect, it } from 'vitest'
import type { Exposure, TraceRecord } from '../contract/index.js'
import { parseProfile } from '../reader/profile.js'
import { slips } from '../reader/traits.js'
import metrics from './exposures.metric.js'
import { measure } from './measure.js'
import { commitExposures, predictedSolved } from './predicted.js'

const exposure: Exposure = { trait: 'patience', subject: 'a', d: 0, k: 0, kind: 'commit', q: 0.1, v: 1, erred: false }
const answer = (exposures?: Exposure[]): TraceRecord => ({
  kind: 'answer',
  call: 1,
  status: 'answered',
  text: '',
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, counted: false },
  thoughtMs: 0,
  retries: 0,
  costUsd: null,
  unparsed: [],
  ...(exposures !== undefined && { exposures }),
  n: 0,
  at: 0,
  role: 'one',
  activity: null,
})

it('counts exposures and slips per trait and kind, and none where the model is another', () => {
  const omitted: Exposure = { ...exposure, kind: 'omit', erred: true }
  expect(measure([answer([exposure, omitted]), answer([omitted, { ...exposure, trait: 'honesty' }])], metrics)).toEqual(
    {
      'exposures.patience_commit': 1,
      'exposures.patience_omit': 2,
      'exposures.honesty_commit': 1,
      'slips.patience_commit': 0,
      'slips.patience_omit': 2,
      'slips.honesty_commit': 0,
    },
  )
  expect(measure([answer()], metrics)).toEqual({})
})

/** Trials of an agent that meets one decision so many times, and stops where it errs. */
function played(exposures: number, correlation: number, trials = 2_000) {
  const profile = parseProfile(`sim:careful?correlation=${correlation}`)
  return Array.from({ length: trials }, (_, seed) => {
    const met: Exposure[] = []
    for (let k = 0; k < exposures && met.at(-1)?.erred !== true; k++) {
      const state = { agent: '', seed, replica: 0 }
      met.push({ ...exposure, k, erred: slips({ profile, state }, { ...exposure, k }) })
    }
    return commitExposures([answer(met)])
  })
}

it.each([
  [6, 0.5, 0.679],
  [20, 0.5, 0.484],
  [6, 0, 0.9 ** 6],
  [6, 1, 0.9],
])('%s exposures at ρ = %s predict the rate that trials really have', (exposures, correlation, wanted) => {
  const trials = played(exposures, correlation)
  const survived = trials.filter((met) => met.every(({ erred }) => !erred)).length / trials.length
  expect(Math.abs((predictedSolved(trials, correlation) ?? 0) - wanted)).toBeLessThan(0.01)
  expect(Math.abs(survived - wanted)).toBeLessThan(0.035)
})

it('agents of a different number of decisions have the mean of their chances', () => {
  const trials = [...played(0, 0.5, 1_000), ...played(6, 0.5, 1_000)]
  expect(Math.abs((predictedSolved(trials, 0.5) ?? 0) - (1 + 0.679) / 2)).toBeLessThan(0.01)
  expect(predictedSolved([], 0.5)).toBe(null)
})
