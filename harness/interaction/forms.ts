import type { Json } from '../define/index.js'
import { artifactsOf, padded } from './artifacts.js'
import type { Call, Cycle } from './artifacts.js'

type Mask = readonly (readonly number[])[]

/** All that the paper derives from an interaction, under its symbols (docs/algebra.md). */
export interface Forms {
  k: number
  mu: number
  n: number
  /** m_1 … m_k: the calls of each cycle; m is their sum. */
  counts: number[]
  m: number
  /** S_1 … S_k: S_i is m_i × n, so the mask of an empty cycle has no row. */
  S: Mask[]
  /** k × μ × n: the masks, padded below with rows of zeros. */
  Sigma: Mask[]
  /** The column indices of each S_i; the empty cycle gives the empty sequence. */
  J: number[][]
  sigma: readonly (readonly number[])[]
  /** k × μ; 0 is padding where σ is 0, and a query where it is not. */
  theta: Json[][]
  /** ρ = T_σ(θ), padded likewise. */
  rho: Json[][]
}

export function formsOf(cycles: readonly Cycle[], n: number): Forms {
  const counts = cycles.map(({ calls }) => calls.length)
  const mu = Math.max(0, ...counts)
  const zeros = Array.from({ length: n }, () => 0)
  const S = cycles.map(({ calls }) => selectionMask(calls, n))
  const matrix = (of: (call: Call) => Json): Json[][] => cycles.map(({ calls }) => padded<Call, Json>(calls, mu, 0, of))
  return {
    k: cycles.length,
    mu,
    n,
    counts,
    m: counts.reduce((sum, count) => sum + count, 0),
    S,
    Sigma: S.map((mask) => padded<readonly number[], readonly number[]>(mask, mu, zeros, (row) => row)),
    J: S.map(columnIndices),
    sigma: artifactsOf(cycles).sigma,
    theta: matrix(({ q }) => q),
    rho: matrix(({ r }) => r),
  }
}

/** One row per call with a 1 in the column of its tool. */
export function selectionMask(calls: readonly { tool: number }[], n: number): Mask {
  return calls.map(({ tool }) => Array.from({ length: n }, (_, column) => (column + 1 === tool ? 1 : 0)))
}

/** (j_l): the column of the 1 in each row of a mask. */
export function columnIndices(mask: Mask): number[] {
  return mask.map((row) => row.indexOf(1) + 1)
}
