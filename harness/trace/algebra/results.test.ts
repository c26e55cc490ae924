import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../contract/index.js'
import { artifactsOf, compareResults } from './artifacts.js'
import { FIVE_CYCLES, cyclesOf } from './fixtures/paper.js'
import { randomInteraction } from './fixtures/random-interaction.js'

/** T_tool as a pure function. */
const apply = (tool: number, q: Json): Json => ({ tool, q })

test('ρ = T_σ(θ) holds for every interaction with tools that are functions', () => {
  fc.assert(
    fc.property(randomInteraction(), ({ cycles }) => {
      const executed = cycles.map((cycle) => ({
        ...cycle,
        calls: cycle.calls.map(({ tool, q }) => ({ tool, q, r: apply(tool, q) })),
      }))
      const { h, sigma, q, r } = artifactsOf(executed)
      const tools = sigma.flat().filter((tool) => tool !== 0)
      const again = tools.map((tool, p) => apply(tool, q[p] ?? null))
      expect(compareResults({ h, sigma, q, r }, again)).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('a result that came out otherwise is named by its place in q̂ and in σ', () => {
  const artifacts = artifactsOf(cyclesOf(FIVE_CYCLES))
  const again = artifacts.r.map((r, p) => (p === 8 ? 'another' : r))
  expect(compareResults(artifacts, again)).toEqual([
    { p: 9, i: 3, j: 3, tool: 2, q: 'q3,3', recorded: { r: 'T2(q3,3)' }, again: { r: 'another' } },
  ])
})

test('results that are missing or too many are differences, and the order of keys is none', () => {
  const artifacts = artifactsOf([{ u: 'u', v: 'v', calls: [{ tool: 1, q: 'q', r: { a: 1, b: '\uD800' } }] }])
  expect(compareResults(artifacts, [{ b: '\uD800', a: 1 }])).toEqual([])
  expect(compareResults(artifacts, [])).toMatchObject([{ p: 1, again: null }])
  expect(compareResults(artifacts, [{ a: 1, b: '\uD800' }, null])).toEqual([
    { p: 2, i: 0, j: 0, tool: 0, q: null, recorded: null, again: { r: null } },
  ])
})
