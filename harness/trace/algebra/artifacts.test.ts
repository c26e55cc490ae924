import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { artifactsOf, reconstruct } from './artifacts.js'
import type { Artifacts, Call, Cycle } from './artifacts.js'
import { randomInteraction } from './fixtures/random-interaction.js'
import { formsOf } from './print.js'

/** The same calls, one of them made otherwise. */
function alter(cycles: readonly Cycle[], change: (call: Call) => Call): Cycle[] {
  const target = cycles.findIndex(({ calls }) => calls.length > 0)
  return cycles.map((cycle, i) =>
    i === target ? { ...cycle, calls: cycle.calls.map((call, j) => (j === 0 ? change(call) : call)) } : cycle,
  )
}

const changed = (one: Artifacts, other: Artifacts): string[] =>
  (['h', 'sigma', 'q', 'r'] as const).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))

describe('the four artifacts are sufficient', () => {
  test('what is taken apart can be put together again, whatever was called', () => {
    fc.assert(
      fc.property(randomInteraction(), ({ cycles }) => {
        expect(reconstruct(artifactsOf(cycles))).toEqual(cycles)
      }),
      { numRuns: 2_000 },
    )
  })

  test('and what is put together can be taken apart: no two quadruples tell of one interaction', () => {
    fc.assert(
      fc.property(randomInteraction(), ({ cycles }) => {
        const artifacts = artifactsOf(cycles)
        expect(artifactsOf(reconstruct(artifacts))).toEqual(artifacts)
      }),
      { numRuns: 1_000 },
    )
  })

  test('padding is never taken for a tool, nor a query or result of 0 for padding', () => {
    fc.assert(
      fc.property(randomInteraction(), ({ n, cycles }) => {
        const { sigma, theta, rho, mu, m, counts } = formsOf(cycles, n)
        for (const [i, row] of sigma.entries()) {
          const packed = counts[i] ?? 0
          expect(row).toHaveLength(mu)
          expect(row.every((tool, j) => (j < packed ? tool >= 1 && tool <= n : tool === 0))).toBe(true)
          expect([theta, rho].flatMap((matrix) => matrix[i]?.slice(packed) ?? []).every((cell) => cell === 0)).toBe(
            true,
          )
        }
        expect(sigma.flat().filter((tool) => tool !== 0)).toHaveLength(m)
        const vec = (matrix: typeof theta) => matrix.flatMap((row, i) => row.filter((_, j) => sigma[i]?.[j] !== 0))
        const { q, r } = artifactsOf(cycles)
        expect([vec(theta), vec(rho)]).toEqual([q, r])
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('each artifact is necessary: two interactions may differ in it alone', () => {
  const some = randomInteraction({ n: 2, calls: 1 })

  test.each<[string, (cycles: readonly Cycle[], n: number) => readonly Cycle[]]>([
    ['h', (cycles) => cycles.map((cycle, i) => (i === 0 ? { ...cycle, v: [cycle.v] } : cycle))],
    ['q', (cycles) => alter(cycles, (call) => ({ ...call, q: [call.q] }))],
    ['sigma', (cycles, n) => alter(cycles, (call) => ({ ...call, tool: (call.tool % n) + 1 }))],
    ['r', (cycles) => alter(cycles, (call) => ({ ...call, r: [call.r] }))],
  ])('%s', (artifact, twin) => {
    fc.assert(
      fc.property(some, ({ n, cycles }) => {
        const other = twin(cycles, n)
        expect(other).not.toEqual(cycles)
        expect(changed(artifactsOf(cycles), artifactsOf(other))).toEqual([artifact])
      }),
      { numRuns: 500 },
    )
  })

  test('σ tells in which cycle a call was made, even where the tools are the same', () => {
    const calls = [1, 2].map((tool) => ({ tool, q: 'q', r: 'r' }))
    const [first, second] = [
      { u: 'u1', v: 'v1' },
      { u: 'u2', v: 'v2' },
    ]
    const early = [
      { ...first, calls },
      { ...second, calls: [] },
    ]
    const late = [
      { ...first, calls: [] },
      { ...second, calls },
    ]
    expect([artifactsOf(early).sigma, artifactsOf(late).sigma]).toEqual([
      [
        [1, 2],
        [0, 0],
      ],
      [
        [0, 0],
        [1, 2],
      ],
    ])
    expect(changed(artifactsOf(early), artifactsOf(late))).toEqual(['sigma'])
  })
})

test.each<[string, Partial<Artifacts>, RegExp]>([
  ['a row of σ too few', { sigma: [] }, /h has 1 cycles, and σ has 0 rows/],
  ['a query too many', { q: ['a', 'b', 'c'] }, /σ tells of 2 calls, q̂ has 3 entries and r̂ has 2/],
  ['a result too few', { r: [] }, /r̂ has 0/],
  ['a zero between calls', { sigma: [[1, 0, 2]] }, /Row 1 of σ is not left-packed over \{1\.\.n\}: it holds 0/],
  ['a negative index', { sigma: [[1, -2]] }, /it holds -2/],
  ['a column of padding alone', { sigma: [[1, 2, 0]] }, /Row 1 of σ has 3 columns, and the longest cycle 2 calls/],
])('artifacts that no interaction has are refused: %s', (_, damage, message) => {
  const artifacts: Artifacts = { h: [{ u: 'u', v: 'v' }], sigma: [[1, 2]], q: ['a', 'b'], r: ['c', 'd'] }
  expect(reconstruct(artifacts)).toHaveLength(1)
  expect(() => reconstruct({ ...artifacts, ...damage })).toThrow(message)
})
