import { array, assert, double, property } from 'fast-check'
import { expect, test } from 'vitest'
import { benjaminiHochberg, holm } from './significance.js'

/** The example of Benjamini and Hochberg 1995: thrombolysis in myocardial infarction. */
const infarction = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
]

const rejected = (ps: number[]) => ps.filter((p) => p <= 0.05).length

test('the example of Benjamini and Hochberg 1995 rejects four hypotheses by theirs and three by Holm', () => {
  expect([rejected(benjaminiHochberg(infarction)), rejected(holm(infarction))]).toEqual([4, 3])
})

test('adjusted values stand in the order of the given ones', () => {
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => p.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020'])
  expect(benjaminiHochberg([0.01, 0.04, 0.03, 0.005]).map((p) => p.toFixed(3))).toEqual([
    '0.020',
    '0.040',
    '0.040',
    '0.020',
  ])
})

test('no adjustment lowers a p-value or passes 1, and Holm is never below Benjamini–Hochberg', () => {
  const ordered = property(array(double({ min: 0, max: 1, noNaN: true })), (ps) => {
    const strict = holm(ps)
    return benjaminiHochberg(ps).every((p, index) => {
      const [raw = NaN, above = NaN] = [ps[index], strict[index]]
      return raw <= p && p <= above + 1e-15 && above <= 1
    })
  })
  expect(() => assert(ordered)).not.toThrow()
})

test('an empty family stays empty, and what is no p-value is refused', () => {
  expect([holm([]), benjaminiHochberg([])]).toEqual([[], []])
  for (const p of [NaN, -0.1, 1.1]) {
    expect(() => holm([0.5, p])).toThrow(`${p} is no p-value.`)
    expect(() => benjaminiHochberg([p])).toThrow(`${p} is no p-value.`)
  }
})
