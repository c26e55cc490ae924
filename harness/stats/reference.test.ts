import { expect, test } from 'vitest'
import { bootstrapRatio } from './bootstrap.js'
import { binomialAtMost, binomialExactly, normalAtMost, normalQuantile, studentQuantile } from './distributions.js'
import reference from './fixtures/reference.json' with { type: 'json' }
import { mcnemarPower, studentPower } from './power.js'
import { clopperPearsonUpper, pairedDifference, passAll, wilson } from './proportion.js'
import { benjaminiHochberg, holm, mcnemar, wilcoxon } from './significance.js'

type Figure = number | null | undefined

/** Rows in which a figure of ours differs from R's by more than so much of its size. */
function strays<Row>(rows: readonly Row[], figures: (row: Row) => [ours: Figure, theirs: Figure][], relative = 1e-9) {
  const agree = ([ours, theirs]: [Figure, Figure]) =>
    typeof ours === 'number' &&
    typeof theirs === 'number' &&
    Math.abs(ours - theirs) <= relative * Math.abs(theirs) + 1e-15
  return rows.filter((row) => !figures(row).every(agree)).map((row) => ({ row, figures: figures(row) }))
}

test('the normal, Student and binomial distributions agree with R to twelve digits', () => {
  expect(strays(reference.normal, ({ x, p }) => [[normalAtMost(x), p]], 1e-12)).toEqual([])
  expect(strays(reference.normalQuantiles, ({ x, p }) => [[normalQuantile(p), x]], 1e-12)).toEqual([])
  expect(strays(reference.studentQuantiles, ({ t, degrees, p }) => [[studentQuantile(p, degrees), t]], 1e-12)).toEqual(
    [],
  )
  const binomial = strays(
    reference.binomial,
    ({ k, n, p, exactly, atMost }) => [
      [binomialExactly(k, n, p), exactly],
      [binomialAtMost(k, n, p), atMost],
    ],
    1e-12,
  )
  expect(binomial).toEqual([])
})

test('Wilson and Clopper–Pearson intervals agree with R to nine digits', () => {
  const score = strays(reference.wilson, ({ events, n, confidence, interval }) => {
    const ours = wilson(events, n, confidence)
    return [
      [ours?.low, interval[0]],
      [ours?.high, interval[1]],
    ]
  })
  const exact = strays(reference.clopperPearson, ({ events, n, confidence, interval, upper }) => {
    const oneSided = 1 - (1 - confidence) / 2
    return [
      [1 - (clopperPearsonUpper(n - events, n, oneSided) ?? NaN), interval[0]],
      [clopperPearsonUpper(events, n, oneSided), interval[1]],
      [clopperPearsonUpper(events, n, confidence), upper],
    ]
  })
  expect({ score, exact }).toEqual({ score: [], exact: [] })
})

test('McNemar’s mid-p and its power agree with R to nine digits', () => {
  const ps = strays(reference.mcnemar, (row) => [[mcnemar(row), row.midP]])
  const powers = strays(reference.mcnemarPower, ({ power, ...plan }) => [[mcnemarPower(plan), power]])
  expect({ ps, powers }).toEqual({ ps: [], powers: [] })
})

test("Newcombe's paired interval agrees with R to nine digits", () => {
  const intervals = strays(reference.newcombe, ({ confidence, difference, low, high, ...cells }) => {
    const ours = pairedDifference(cells, confidence)
    return [
      [ours?.difference, difference],
      [ours?.low, low],
      [ours?.high, high],
    ]
  })
  expect(intervals).toEqual([])
})

test('Wilcoxon agrees with R to nine digits: exact with ties and zeros, and approximate beyond 50', () => {
  const tests = strays(reference.wilcoxon, ({ differences, p }) => [[wilcoxon(differences), p]])
  expect(tests).toEqual([])
})

test('adjusted p-values agree with R to nine digits', () => {
  const families = strays(reference.adjusted, (family) => [
    ...holm(family.p).map((p, index): [number, Figure] => [p, family.holm[index]]),
    ...benjaminiHochberg(family.p).map((p, index): [number, Figure] => [p, family.benjaminiHochberg[index]]),
  ])
  expect(families).toEqual([])
})

test('pass^k agrees with R to nine digits', () => {
  const passes = strays(reference.pass, ({ n, passed, k, all }) => [[passAll([{ n, passed }], k), all]])
  expect(passes).toEqual([])
})

test('the power of the t test agrees with R to six digits', () => {
  const powers = strays(
    reference.studentPower,
    ({ n, effect, alpha, power }) => [[studentPower(n, effect, alpha), power]],
    1e-6,
  )
  expect(powers).toEqual([])
})

test('the bootstrap agrees with the enumeration of all resamples: the ratio to nine digits, its limits to 2 %', () => {
  const { pairs, confidence } = reference.bootstrap
  const [ratio, low, high] = reference.bootstrap.geometric
  const ours = bootstrapRatio(pairs, { seed: 'geometric', resamples: 200_000, confidence })
  expect(strays([ours], () => [[ours?.ratio, ratio]])).toEqual([])
  const limits = strays(
    [ours],
    () => [
      [ours?.low, low],
      [ours?.high, high],
    ],
    0.02,
  )
  expect(limits).toEqual([])
})
