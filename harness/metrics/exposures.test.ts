import { expect, it } from 'vitest'
import type { Exposure, TraceRecord } from '../contract/index.js'
import { parseProfile } from '../reader/profile.js'
import { slips } from '../reader/traits.js'
import { trialLine } from '../testing/trial-line.js'
import metrics from './exposures.metric.js'
import { measure } from './measure.js'

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
      'exposures.serious': 2,
      'exposures.patience_commit': 1,
      'exposures.patience_omit': 2,
      'exposures.honesty_commit': 1,
      'slips.serious': 0,
      'slips.patience_commit': 0,
      'slips.patience_omit': 2,
      'slips.honesty_commit': 0,
      missed_rules: null,
      predicted: null,
    },
  )
  expect(measure([answer()], metrics)).toEqual({ missed_rules: null, predicted: null })
  const attention: Exposure = { ...exposure, trait: 'attention' }
  expect(measure([answer([attention, { ...attention, erred: true }, omitted])], metrics)).toMatchObject({
    missed_rules: 1,
  })
})

const trialOf = (model: string): TraceRecord => ({
  kind: 'trial',
  version: 2,
  identity: { ...trialLine({}).identity, model },
  roles: [],
  n: 0,
  at: 0,
  role: null,
  activity: null,
})

/** Trials of an agent that meets one decision so many times, and stops where it errs. */
function played(exposures: number, correlation: number, trials = 2_000) {
  const model = `sim:careful?correlation=${correlation}`
  const profile = parseProfile(model)
  return Array.from({ length: trials }, (_, seed) => {
    const met: Exposure[] = []
    for (let k = 0; k < exposures && met.at(-1)?.erred !== true; k++) {
      const state = { agent: '', seed, replica: 0 }
      met.push({ ...exposure, k, erred: slips({ profile, state }, { ...exposure, k }) })
    }
    return { met, predicted: Number(measure([trialOf(model), answer(met)], metrics)['predicted']) }
  })
}
const share = (trials: ReturnType<typeof played>): number =>
  trials.reduce((sum, { predicted }) => sum + predicted, 0) / trials.length

it.each([
  [6, 0.5, 0.679],
  [20, 0.5, 0.484],
  [6, 0, 0.9 ** 6],
  [6, 1, 0.9],
])('%s exposures at ρ = %s predict the rate that trials really have', (exposures, correlation, wanted) => {
  const trials = played(exposures, correlation)
  const survived = trials.filter(({ met }) => met.every(({ erred }) => !erred)).length / trials.length
  expect(Math.abs(share(trials) - wanted)).toBeLessThan(0.02)
  expect(Math.abs(survived - wanted)).toBeLessThan(0.035)
})

it('agents of a different number of decisions have the mean of their chances', () => {
  const trials = [...played(0, 0.5, 1_000), ...played(6, 0.5, 1_000)]
  expect(Math.abs(share(trials) - (1 + 0.679) / 2)).toBeLessThan(0.015)
})

it('what overlooks a rule, or is no commit, predicts nothing', () => {
  const harmless: Exposure[] = [
    { ...exposure, trait: 'attention' },
    { ...exposure, trait: 'diligence' },
    { ...exposure, kind: 'omit' },
  ]
  expect(measure([trialOf('sim:careful'), answer(harmless)], metrics)['predicted']).toBe(1)
  expect(measure([trialOf('gpt'), answer()], metrics)['predicted']).toBe(null)
})
