import { expect, test } from 'vitest'
import { createRandom } from '../../sim/random.js'
import { mcnemarPower } from '../../stats/power.js'
import { compare } from './comparison.js'
import { metrics, noisyTrial, side, trialsOf } from './fixtures/sides.js'
import { gate } from './gate.js'

const REPETITIONS = 1_000
const random = createRandom('errors of comparisons')
const real = { model: 'far-away' }
const cheap = { metrics, resamples: 400, power: null }

/** A share of so many repetitions exceeds its expectation by more than this once in some 700 times. */
const samplingError = (share: number): number => 3 * Math.sqrt((share * (1 - share)) / REPETITIONS)

test('1 000 comparisons of nothing new raise an alarm, of either family or at the gate, no more often than stated', () => {
  const alarms = { confirmatory: 0, exploratory: 0, gate: 0 }
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const play = (name: string) => {
      const stream = random.stream(name, repetition)
      return side(
        name,
        trialsOf(40, () => noisyTrial(stream, 0.7), real),
      )
    }
    const comparison = compare(play('base'), play('candidate'), {
      ...cheap,
      confirmatory: ['solved', 'model_calls', 'makespan_ms'],
    })
    const told = comparison.groups.flatMap((group) => group.metrics)
    for (const family of ['confirmatory', 'exploratory'] as const) {
      const alarmed = told.some(
        (metric) => metric.family === family && ['better', 'worse', 'differs'].includes(metric.verdict),
      )
      if (alarmed) alarms[family]++
    }
    if (gate(comparison, 'worse').failures.length > 0) alarms.gate++
  }
  const most = (0.05 + samplingError(0.05)) * REPETITIONS
  expect(alarms.confirmatory).toBeLessThanOrEqual(most)
  expect(alarms.exploratory).toBeLessThanOrEqual(most)
  expect(alarms.gate).toBeLessThanOrEqual(alarms.confirmatory)
  // One that never spoke would pass the above.
  expect(alarms.confirmatory).toBeGreaterThan(0.01 * REPETITIONS)
})

test('a planted drop of 10 points is found with the power that is stated for so many scenarios', () => {
  const noise = 0.04
  const power = (pairs: number) => mcnemarPower({ pairs, difference: 0.1, discordance: 0.1 + noise, alpha: 0.05 / 2 })
  let scenarios = 20
  while (power(scenarios) < 0.8) scenarios++
  let found = 0
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const stream = random.stream('planted', repetition)
    const drawn = Array.from({ length: scenarios }, () => {
      const draw = stream.uniform()
      const [base, candidate] =
        draw < 0.1 + noise / 2 ? [true, false] : draw < 0.1 + noise ? [false, true] : [true, true]
      return { base, candidate, calls: [stream.integer(5, 20), stream.integer(5, 20)] as const }
    })
    const play = (name: 'base' | 'candidate', index: 0 | 1) =>
      side(
        name,
        trialsOf(
          scenarios,
          (scenario) => ({
            metrics: { solved: drawn[scenario]?.[name] ?? false, model_calls: drawn[scenario]?.calls[index] ?? 1 },
          }),
          real,
        ),
      )
    const { groups } = compare(play('base', 0), play('candidate', 1), {
      ...cheap,
      confirmatory: ['solved', 'model_calls'],
    })
    const solved = groups[0]?.metrics.find(({ column }) => column === 'solved')
    if (solved?.verdict === 'worse' && solved.beyondMargin) found++
  }
  expect(found / REPETITIONS).toBeGreaterThanOrEqual(0.8 - samplingError(0.8))
})
