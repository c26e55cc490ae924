import { describe, expect, test } from 'vitest'
import { artifactsOf } from './artifacts.js'
import { FIVE_CYCLES, SECOND_CYCLE, SIX_CALLS, cyclesOf } from './fixtures/paper.js'
import { columnIndices, formsOf, selectionMask } from './print.js'

describe('the example with m = 6 and n = 5', () => {
  const calls = SIX_CALLS.map((tool) => ({ tool }))
  const S = [
    [0, 1, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [0, 0, 1, 0, 0],
    [0, 0, 0, 0, 1],
    [0, 1, 0, 0, 0],
    [0, 1, 0, 0, 0],
  ]

  test('S selects in row l the column j_l of the tool that call l was made to', () => {
    expect(selectionMask(calls, 5)).toEqual(S)
    expect(columnIndices(S)).toEqual([2, 1, 3, 5, 2, 2])
  })

  test('R = (Q ⊗∘ T) · S holds T_j(q_l) where S is 1, and nothing else', () => {
    const { S: masks, rho } = formsOf(cyclesOf([SIX_CALLS]), 5)
    const R = masks.flatMap((mask, i) =>
      mask.map((row, l) => row.map((bit) => (bit === 1 ? (rho[i]?.[l] ?? null) : 0))),
    )
    expect(R).toEqual([
      [0, 'T2(q1,1)', 0, 0, 0],
      ['T1(q1,2)', 0, 0, 0, 0],
      [0, 0, 'T3(q1,3)', 0, 0],
      [0, 0, 0, 0, 'T5(q1,4)'],
      [0, 'T2(q1,5)', 0, 0, 0],
      [0, 'T2(q1,6)', 0, 0, 0],
    ])
  })

  test('a second cycle has a mask of its own, with as many rows as it made calls', () => {
    const { S: masks, counts } = formsOf(cyclesOf([SIX_CALLS, SECOND_CYCLE]), 5)
    expect(masks).toEqual([
      S,
      [
        [1, 0, 0, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
      ],
    ])
    expect(counts).toEqual([6, 3])
  })
})

describe('the example with k = 5 and n = 3', () => {
  const cycles = cyclesOf(FIVE_CYCLES)
  const forms = formsOf(cycles, 3)
  const none = [0, 0, 0]

  test('μ is the most calls of a cycle, and m their sum', () => {
    const { k, mu, n, m, counts } = forms
    expect({ k, mu, n, m, counts }).toEqual({ k: 5, mu: 4, n: 3, m: 11, counts: [2, 4, 3, 0, 2] })
  })

  test('Σ pads every mask below, never between two calls, and the empty cycle with zeros alone', () => {
    expect(forms.Sigma).toEqual([
      [[0, 1, 0], [1, 0, 0], none, none],
      [
        [1, 0, 0],
        [0, 0, 1],
        [0, 1, 0],
        [0, 1, 0],
      ],
      [[0, 0, 1], [1, 0, 0], [0, 1, 0], none],
      [none, none, none, none],
      [[1, 0, 0], [0, 1, 0], none, none],
    ])
    expect(forms.S[3]).toEqual([])
  })

  test('J holds the column indices of each cycle, and σ pads them to the right', () => {
    expect(forms.J).toEqual(FIVE_CYCLES)
    expect(forms.sigma).toEqual([
      [2, 1, 0, 0],
      [1, 3, 2, 2],
      [3, 1, 2, 0],
      [0, 0, 0, 0],
      [1, 2, 0, 0],
    ])
  })

  test('θ and ρ stand where σ does, with ρ = T_σ(θ)', () => {
    expect(forms.theta).toEqual([
      ['q1,1', 'q1,2', 0, 0],
      ['q2,1', 'q2,2', 'q2,3', 'q2,4'],
      ['q3,1', 'q3,2', 'q3,3', 0],
      [0, 0, 0, 0],
      ['q5,1', 'q5,2', 0, 0],
    ])
    expect(forms.rho).toEqual([
      ['T2(q1,1)', 'T1(q1,2)', 0, 0],
      ['T1(q2,1)', 'T3(q2,2)', 'T2(q2,3)', 'T2(q2,4)'],
      ['T3(q3,1)', 'T1(q3,2)', 'T2(q3,3)', 0],
      [0, 0, 0, 0],
      ['T1(q5,1)', 'T2(q5,2)', 0, 0],
    ])
  })

  test('q̂ and r̂ are θ and ρ read row by row without their padding', () => {
    const { h, q, r } = artifactsOf(cycles)
    expect(q).toEqual('q1,1 q1,2 q2,1 q2,2 q2,3 q2,4 q3,1 q3,2 q3,3 q5,1 q5,2'.split(' '))
    const results = 'T2(q1,1) T1(q1,2) T1(q2,1) T3(q2,2) T2(q2,3) T2(q2,4) T3(q3,1) T1(q3,2) T2(q3,3) T1(q5,1) T2(q5,2)'
    expect(r).toEqual(results.split(' '))
    expect(h.map(({ u, v }) => [u, v])).toEqual([1, 2, 3, 4, 5].map((i) => [`u${i}`, `v${i}`]))
  })
})

test('an interaction without a call has k rows and no column, and one without a cycle has nothing', () => {
  expect(formsOf(cyclesOf([[], []]), 3)).toEqual({
    k: 2,
    mu: 0,
    n: 3,
    counts: [0, 0],
    m: 0,
    S: [[], []],
    Sigma: [[], []],
    J: [[], []],
    sigma: [[], []],
    theta: [[], []],
    rho: [[], []],
  })
  expect(formsOf([], 0)).toMatchObject({ k: 0, mu: 0, m: 0, sigma: [] })
})
