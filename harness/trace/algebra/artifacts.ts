import type { Json } from '../../contract/index.js'

/** Half of a surrogate pair, which models may write and canonical JSON refuses, becomes U+FFFD. */
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return whole(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [whole(key), wellFormed(inner)]))
}

const whole = (broken: string): string => broken.replaceAll(/\p{Cs}/gu, '\uFFFD')

/** `Array.isArray` does not narrow read-only arrays. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** One call of a tool: `tool` is the index of T_tool, from 1; 0 is padding and never a tool. */
export interface Call {
  tool: number
  q: Json
  r: Json
}

/** An input, what was called because of it, and the value that the activity yielded. */
export interface Cycle {
  u: Json
  v: Json
  calls: readonly Call[]
}

/** The four artifacts of the paper: h, σ ∈ {0..n}^{k×μ}, q̂ and r̂. */
export interface Artifacts {
  h: readonly { u: Json; v: Json }[]
  sigma: readonly (readonly number[])[]
  q: readonly Json[]
  r: readonly Json[]
}

/** Rows of σ are left-packed and padded with zeros to the longest cycle. */
export function artifactsOf(cycles: readonly Cycle[]): Artifacts {
  const mu = Math.max(0, ...cycles.map(({ calls }) => calls.length))
  const all = cycles.flatMap(({ calls }) => calls)
  return {
    h: cycles.map(({ u, v }) => ({ u, v })),
    sigma: cycles.map(({ calls }) => padded(calls, mu, 0, ({ tool }) => tool)),
    q: all.map(({ q }) => q),
    r: all.map(({ r }) => r),
  }
}

/** The inverse of `artifactsOf`. Throws on artifacts that no interaction has. */
export function reconstruct({ h, sigma, q, r }: Artifacts): Cycle[] {
  if (h.length !== sigma.length) throw new Error(`h has ${h.length} cycles, and σ has ${sigma.length} rows.`)
  const m = sigma.flat().filter((tool) => tool !== 0).length
  if (q.length !== m || r.length !== m) {
    throw new Error(`σ tells of ${m} calls, q̂ has ${q.length} entries and r̂ has ${r.length}.`)
  }
  let p = 0
  const cycles = h.map(({ u, v }, i) => {
    const calls = packed(sigma[i] ?? [], i).map((tool) => {
      const call = { tool, q: q[p] ?? null, r: r[p] ?? null }
      p++
      return call
    })
    return { u, v, calls }
  })
  const mu = Math.max(0, ...cycles.map(({ calls }) => calls.length))
  const odd = sigma.findIndex((row) => row.length !== mu)
  if (odd === -1) return cycles
  throw new Error(`Row ${odd + 1} of σ has ${sigma[odd]?.length} columns, and the longest cycle ${mu} calls.`)
}

/** `items` as a row of length `mu`. */
export function padded<T, U>(items: readonly T[], mu: number, padding: U, of: (item: T, index: number) => U): U[] {
  return Array.from({ length: mu }, (_, j) => {
    const item = items[j]
    return item === undefined ? padding : of(item, j)
  })
}

/** A row of σ without its padding. */
function packed(row: readonly number[], i: number): number[] {
  const length = row.findLastIndex((tool) => tool !== 0) + 1
  const tools = row.slice(0, length)
  const wrong = tools.find((tool) => !Number.isInteger(tool) || tool < 1)
  if (wrong !== undefined) throw new Error(`Row ${i + 1} of σ is not left-packed over {1..n}: it holds ${wrong}.`)
  return tools
}
