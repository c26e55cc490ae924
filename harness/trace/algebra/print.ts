import type { Json, JsonObject } from '../../contract/index.js'
import { clean, fold } from '../text.js'
import { artifactsOf, padded, reconstruct } from './artifacts.js'
import type { Artifacts, Call, Cycle } from './artifacts.js'
import { fullHash, structuralHash } from './behaviour.js'
import type { Interaction } from './interaction.js'

type Mask = readonly (readonly number[])[]

/** All that the paper derives from an interaction, under its symbols (docs/algebra.md). */
interface Forms {
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

/** An interaction as the paper writes it. Texts of the trace are cleaned, and folded unless `full`. */
export function printInteraction(interaction: Interaction, { full = false }: { full?: boolean } = {}): string[] {
  const { role, activity, tools, cycles, replayKey } = interaction
  const forms = formsOf(cycles, tools.length)
  const show = (value: Json): string => {
    const text = JSON.stringify(value)
    return full ? clean(text) : fold(text)
  }
  const calls = places(interaction)
  return [
    `Activity ${clean(activity)} of ${clean(role)}`,
    `k = ${forms.k}, μ = ${forms.mu}, n = ${forms.n}, m = ${forms.m}, (m_1, …, m_k) = ${sequence(forms.counts)}`,
    '',
    `T = ${vector(tools.map((_, index) => `T${index + 1}`))}`,
    ...tools.map((name, index) => `  T${index + 1} = ${clean(name)}`),
    '',
    `h = ${vector(cycles.map((_, i) => `(u${i + 1}, v${i + 1})`).join(', '))}`,
    ...cycles.flatMap(({ u, v }, i) => [`  u${i + 1} = ${show(u)}`, `  v${i + 1} = ${show(v)}`]),
    '',
    ...forms.S.flatMap((mask, i) => labelled(`S${i + 1} = `, bracketed(mask.map(texts), `0 × ${forms.n}`))),
    '',
    `Σ, ${forms.k} × ${forms.mu} × ${forms.n}:`,
    ...sideBySide(forms.Sigma.map((mask) => bracketed(mask.map(texts), `0 × ${forms.n}`))),
    '',
    `J = ${vector(forms.J.map(sequence).join(', '))}`,
    '',
    ...labelled('σ = ', bracketed(forms.sigma.map(texts), 'no cycle')),
    '',
    ...labelled(
      'θ = ',
      bracketed(
        symbolic(forms, (i, j) => `θ${i},${j}`),
        'no cycle',
      ),
    ),
    '',
    ...labelled(
      'ρ = ',
      bracketed(
        symbolic(forms, (i, j, tool) => `T${tool}(θ${i},${j})`),
        'no cycle',
      ),
    ),
    '',
    `q̂ = ${vector(calls.map(({ p }) => `q${p}`))}`,
    ...calls.map(({ p, i, j, call }) => `  q${p} = θ${i},${j} = ${show(call.q)}`),
    `r̂ = ${vector(calls.map(({ p }) => `r${p}`))}`,
    ...calls.map(({ p, i, j, call }) => `  r${p} = T${call.tool}(θ${i},${j}) = ${show(call.r)}`),
    '',
    'Replay key (virtual ms): when a cycle began, the signals it took in, and its calls',
    ...replayKey.cycles.map(
      ({ at, signals, calls: times }, i) =>
        `  ${i + 1}: ${at}; ${signals.map(({ seq, at: emitted }) => `seq ${seq} at ${emitted}`).join(', ') || 'no signal'}; ${times.join(' ') || 'no call'}`,
    ),
    '',
    `structural hash  ${structuralHash(interaction)}`,
    `full hash        ${fullHash(interaction)}`,
  ]
}

/** The same as data, with the paper's names. */
export function interactionJson(interaction: Interaction): JsonObject {
  const { role, activity, tools, cycles, replayKey } = interaction
  const { k, mu, n, m, counts, S, Sigma, J, theta, rho } = formsOf(cycles, tools.length)
  const { h, sigma, q, r } = artifactsOf(cycles)
  const key = {
    cycles: replayKey.cycles.map(({ at, signals, calls }) => ({
      at,
      signals: signals.map((signal) => ({ seq: signal.seq, at: signal.at })),
      calls,
    })),
  }
  const forms = { k, mu, n, m, counts, T: tools, h, S, Sigma, J, sigma, theta, rho, q, r }
  const hashes = { structural: structuralHash(interaction), full: fullHash(interaction) }
  return { role, activity, ...forms, replayKey: key, ...hashes }
}

/** Do h, σ, θ and ρ come back from the four artifacts alone? A sentence that says so, or names the first place where not. */
export function reconstruction(
  { role, activity, tools, cycles }: Interaction,
  artifacts: Artifacts = artifactsOf(cycles),
): { agrees: boolean; sentence: string } {
  const whose = `Activity ${clean(activity)} of ${clean(role)}`
  const told = cellsOf(cycles, tools.length)
  const rebuilt = cellsOf(reconstruct(artifacts), tools.length)
  for (const place of new Set([...told.keys(), ...rebuilt.keys()])) {
    const [was, is] = [told.get(place), rebuilt.get(place)]
    if (was === is) continue
    const values = `${fold(was ?? 'nothing')} in the trace, ${fold(is ?? 'nothing')} rebuilt`
    return { agrees: false, sentence: `${whose}: ${place} is ${values}.` }
  }
  const calls = cycles.reduce((sum, cycle) => sum + cycle.calls.length, 0)
  const size = `k = ${cycles.length}, m = ${calls}`
  return { agrees: true, sentence: `${whose}: h, σ, θ and ρ come back from h, σ, q̂ and r̂ (${size}).` }
}

/** Each entry of h, σ, θ and ρ, by its place. */
function cellsOf(cycles: readonly Cycle[], n: number): Map<string, string> {
  const { sigma, theta, rho } = formsOf(cycles, n)
  const h = cycles.map(({ u, v }) => [u, v])
  return new Map(
    Object.entries({ h, σ: sigma, θ: theta, ρ: rho }).flatMap(([name, rows]) =>
      rows.flatMap((row, i) =>
        row.map((cell, j): [string, string] => [`${name}(${i + 1}, ${j + 1})`, JSON.stringify(cell)]),
      ),
    ),
  )
}

function places({ cycles }: Interaction): { p: number; i: number; j: number; call: Call }[] {
  return cycles
    .flatMap(({ calls }, i) => calls.map((call, j) => ({ i: i + 1, j: j + 1, call })))
    .map((place, p) => ({ ...place, p: p + 1 }))
}

function symbolic({ sigma }: Forms, name: (i: number, j: number, tool: number) => string): string[][] {
  return sigma.map((row, i) => row.map((tool, j) => (tool === 0 ? '0' : name(i + 1, j + 1, tool))))
}

const texts = (row: readonly number[]): string[] => row.map(String)
const vector = (items: string | readonly string[]): string => `[ ${[items].flat().join(' ')} ]`.replace('[  ]', '[ ]')
const sequence = (items: readonly number[]): string => `(${items.join(', ')})`

/** A matrix in brackets, one line per row; `empty` is said of one without rows or columns. */
function bracketed(rows: readonly (readonly string[])[], empty: string): string[] {
  const [first = []] = rows
  if (rows.length === 0 || first.length === 0) return [`[ ] (${rows.length === 0 ? empty : `${rows.length} × 0`})`]
  const widths = first.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row, index) => {
    const [open, close] = brackets(index, rows.length)
    return `${open} ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(' ')} ${close}`
  })
}

function brackets(index: number, rows: number): [string, string] {
  if (rows === 1) return ['[', ']']
  if (index === 0) return ['⎡', '⎤']
  return index === rows - 1 ? ['⎣', '⎦'] : ['⎢', '⎥']
}

/** The name stands at the middle row. */
function labelled(name: string, lines: readonly string[]): string[] {
  const middle = Math.floor((lines.length - 1) / 2)
  return lines.map((line, index) => `${index === middle ? name : ' '.repeat(name.length)}${line}`)
}

/** Matrices of equal height, as many beside each other as fit a line. */
function sideBySide(matrices: readonly (readonly string[])[]): string[] {
  const width = Math.max(1, ...matrices.flat().map((line) => line.length))
  const across = Math.max(1, Math.floor(100 / (width + 1)))
  const height = Math.max(0, ...matrices.map((matrix) => matrix.length))
  const lines: string[] = []
  for (let start = 0; start < matrices.length; start += across) {
    const group = matrices.slice(start, start + across)
    for (let row = 0; row < height; row++) lines.push(`  ${group.map((matrix) => matrix[row] ?? '').join(' ')}`)
  }
  return lines
}
