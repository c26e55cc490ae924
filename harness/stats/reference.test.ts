import { expect, test } from 'vitest'
import { bootstrapRatio } from './bootstrap.js'
import {
  binomialAtMost,
  binomialExactly,
  normalAtMost,
  normalQuantile,
  studentAtMost,
  studentQuantile,
} from './distributions.js'
import { tost } from './equivalence.js'
import reference from './fixtures/reference.json' with { type: 'json' }
import { passAll, passAny } from './pass.js'
import { mcnemarPower, studentPower } from './power.js'
import { clopperPearson, clopperPearsonUpper, mcnemar, pairedDifference, wilson } from './proportion.js'
import { benjaminiHochberg, holm } from './summary.js'
import { wilcoxon } from './wilcoxon.js'

type Figure = number | null | undefined

/** Rows in which a figure of ours differs from R's by more than so much of its size. */
function strays<Row>(rows: readonly Row[], figures: (row: Row) => [ours: Figure, theirs: Figure][], relative = 1e-9) {
  const agree = ([ours, theirs]: [Figure, Figure]) =>
    typeof ours === 'number' &&
    typeof theirs === 'number' &&
    Math.abs(ours - theirs) <= relative * Math.abs(theirs) + 1e-15
  return rows.filter((row) => !figures(row).every(agree)).map((row) => ({ row, figures: figures(row) }))
}

test('the normal, Student and binomial distributions agree with R to nine digits', () => {
  expect(strays(reference.normal, ({ x, p }) => [[normalAtMost(x), p]])).toEqual([])
  expect(strays(reference.normalQuantiles, ({ x, p }) => [[normalQuantile(p), x]])).toEqual([])
  expect(strays(reference.student, ({ t, degrees, p }) => [[studentAtMost(t, degrees), p]])).toEqual([])
  expect(strays(reference.studentQuantiles, ({ t, degrees, p }) => [[studentQuantile(p, degrees), t]])).toEqual([])
  const binomial = strays(reference.binomial, ({ k, n, p, exactly, atMost }) => [
    [binomialExactly(k, n, p), exactly],
    [binomialAtMost(k, n, p), atMost],
  ])
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
    const ours = clopperPearson(events, n, confidence)
    return [
      [ours?.low, interval[0]],
      [ours?.high, interval[1]],
      [clopperPearsonUpper(events, n, confidence), upper],
    ]
  })
  expect({ score, exact }).toEqual({ score: [], exact: [] })
})

test('McNemar, its mid-p and its power agree with R to nine digits', () => {
  const ps = strays(reference.mcnemar, (row) => {
    const ours = mcnemar(row)
    return [
      [ours?.exact, row.exact],
      [ours?.midP, row.midP],
    ]
  })
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
  const tests = strays(reference.wilcoxon, ({ differences, statistic, p, n }) => {
    const ours = wilcoxon(differences)
    return [
      [ours?.statistic, statistic],
      [ours?.p, p],
      [ours?.n, n],
    ]
  })
  expect(tests).toEqual([])
})

test('adjusted p-values agree with R to nine digits', () => {
  const families = strays(reference.adjusted, (family) => [
    ...holm(family.p).map((p, index): [number, Figure] => [p, family.holm[index]]),
    ...benjaminiHochberg(family.p).map((p, index): [number, Figure] => [p, family.benjaminiHochberg[index]]),
  ])
  expect(families).toEqual([])
})

test('two one-sided t tests agree with R to nine digits', () => {
  const tests = strays(reference.equivalence, ({ differences, margin, alpha, ...theirs }) => {
    const ours = tost(differences, margin, alpha)
    return [
      [ours?.mean, theirs.mean],
      [ours?.low, theirs.low],
      [ours?.high, theirs.high],
      [ours?.pNotLower, theirs.pNotLower],
      [ours?.pNotHigher, theirs.pNotHigher],
      [ours?.p, Math.max(theirs.pNotLower, theirs.pNotHigher)],
    ]
  })
  expect(tests).toEqual([])
})

test('pass^k and pass@k agree with R to nine digits', () => {
  const passes = strays(reference.pass, ({ n, passed, k, all, any }) => [
    [passAll([{ n, passed }], k), all],
    [passAny([{ n, passed }], k), any],
  ])
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
  for (const mean of ['geometric', 'arithmetic'] as const) {
    const [ratio, low, high] = reference.bootstrap[mean]
    const ours = bootstrapRatio(pairs, { seed: mean, resamples: 200_000, confidence, mean })
    expect(strays([mean], () => [[ours?.ratio, ratio]])).toEqual([])
    const limits = strays(
      [mean],
      () => [
        [ours?.low, low],
        [ours?.high, high],
      ],
      0.02,
    )
    expect(limits).toEqual([])
  }
})
