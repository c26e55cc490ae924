import { expect, test } from 'vitest'
import { detectableRatio, requiredClusters, studentPower } from './power.js'

test('the required clusters reach the power and one less does not', () => {
  const effect = Math.log(1.1) / 0.3
  const clusters = requiredClusters({ ratio: 1.1, sd: 0.3 }) ?? NaN
  expect([studentPower(clusters, effect, 0.05) >= 0.8, studentPower(clusters - 1, effect, 0.05) < 0.8]).toEqual([
    true,
    true,
  ])
  expect(requiredClusters({ ratio: 1 / 1.1, sd: 0.3 })).toBe(clusters)
})

test('the detectable ratio is the one that needs just so many clusters', () => {
  const ratio = detectableRatio({ clusters: 40, sd: 0.3 }) ?? NaN
  expect(requiredClusters({ ratio: ratio * 1.000_1, sd: 0.3 })).toBe(40)
  expect(requiredClusters({ ratio: ratio / 1.000_1, sd: 0.3 })).toBe(41)
})

test('without spread, with one cluster and for no change there is no answer', () => {
  expect([detectableRatio({ clusters: 40, sd: 0 }), detectableRatio({ clusters: 1, sd: 1 })]).toEqual([null, null])
  expect([requiredClusters({ ratio: 1, sd: 1 }), requiredClusters({ ratio: 2, sd: 0 })]).toEqual([null, null])
  expect(() => requiredClusters({ ratio: 0, sd: 1 })).toThrow('0 is no ratio.')
  expect(() => detectableRatio({ clusters: 40, sd: NaN })).toThrow('NaN is no standard deviation.')
})
