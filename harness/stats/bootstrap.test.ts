import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { expect, test } from 'vitest'
import { FEWEST_CLUSTERS, bootstrapRatio } from './bootstrap.js'
import type { RatioPair } from './bootstrap.js'
import { normalQuantile } from './distributions.js'

const generator = xoroshiro128plus(20_261_101)
const normal = () => normalQuantile(((generator.next() >>> 0) + 0.5) / 2 ** 32)

/** Clusters of two pairs that share half of their log ratio's variance; the true ratio is 1.2. */
function lognormal(clusters: number): RatioPair[] {
  return Array.from({ length: clusters }, (_, cluster) => {
    const shared = normal()
    return [0, 1].map(() => {
      const base = Math.exp(normal())
      return { cluster: String(cluster), base, candidate: 1.2 * base * Math.exp(shared + normal()) }
    })
  }).flat()
}

const doubled = Array.from({ length: 8 }, (_, index) => ({
  cluster: `s${index}`,
  base: index + 1,
  candidate: 2 * index + 2,
}))

const ratioOf = (pairs: RatioPair[]) => bootstrapRatio(pairs, { seed: 'a' })

function width(pairs: RatioPair[]): number {
  const { low, high } = ratioOf(pairs) ?? { low: NaN, high: NaN }
  return Math.log(high / low)
}

test('a constant ratio is found without spread', () => {
  const found = ratioOf(doubled)
  expect([found?.ratio, found?.low, found?.high].map((value) => value?.toFixed(12))).toEqual(
    Array(3).fill('2.000000000000'),
  )
})

test('the seed alone decides the draw, whatever the order of the pairs', () => {
  const pairs = lognormal(20).map((pair, index) => ({ ...pair, base: 1, candidate: 2 ** (index % 5) }))
  const once = bootstrapRatio(pairs, { seed: 'a' })
  expect(bootstrapRatio(pairs.toReversed(), { seed: 'a' })).toEqual(once)
  expect(bootstrapRatio(pairs, { seed: 'b' })).not.toEqual(once)
})

test('replicas of a cluster do not narrow the interval as independent pairs would', () => {
  const pairs = lognormal(20)
  const copies = [...pairs, ...pairs, ...pairs, ...pairs]
  expect(width(copies)).toBeCloseTo(width(pairs), 10)
  const pretended = copies.map((pair, index) => ({ ...pair, cluster: String(index) }))
  expect(width(pretended)).toBeLessThan(0.6 * width(pairs))
})

test('too few clusters and undefined ratios give nothing', () => {
  const zeroBase = doubled.map((pair, index) => (index === 0 ? { ...pair, base: 0 } : pair))
  const zeroes = doubled.map((pair) => ({ ...pair, base: 0, candidate: 0 }))
  const oneCluster = doubled.map((pair) => ({ ...pair, cluster: 's' }))
  expect(
    [[], oneCluster, doubled.slice(0, FEWEST_CLUSTERS - 1), zeroBase, zeroes].map((pairs) => ratioOf(pairs)),
  ).toEqual(Array(5).fill(null))
  expect(ratioOf(doubled.slice(0, FEWEST_CLUSTERS))).not.toBeNull()
  for (const base of [NaN, -1, Infinity])
    expect(() => ratioOf([{ cluster: 's', base, candidate: 1 }])).toThrow(RangeError)
  expect(() => bootstrapRatio(doubled, { seed: 'a', resamples: 0 })).toThrow('0 resamples cannot be drawn.')
})

test('the 95 % interval covers the true ratio of clustered lognormal pairs within sampling error of 95 %', () => {
  const samples = 1_500
  let covered = 0
  for (let sample = 0; sample < samples; sample++) {
    const found = bootstrapRatio(lognormal(20), { seed: String(sample), resamples: 1_000 })
    if (found && found.low <= 1.2 && 1.2 <= found.high) covered++
  }
  expect(Math.abs(covered / samples - 0.95)).toBeLessThan(3 * Math.sqrt((0.95 * 0.05) / samples))
})
