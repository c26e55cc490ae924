import { fold } from '../trace/text.js'
import type { Interaction } from './interaction.js'
import { CATALOGUE, DOCUMENT, POLL, SLEEP } from './tools.js'

/** One symbol of a path: a call by the name of its function, the beginning of a further cycle, or of an activity. */
export type Symbol = { kind: 'call'; name: string } | { kind: 'cycle' } | { kind: 'activity'; role: string }

/**
 * σ with names, small enough for a result line: calls in their order, ` | ` between cycles, `*3` for a call that is
 * made three times in a row. Activities without a call are left out; where it is not plain whose calls they are,
 * `@role` stands before those of each activity.
 */
export function pathOf(interactions: readonly Interaction[]): string {
  const acting = interactions.filter(({ cycles }) => cycles.some(({ calls }) => calls.length > 0))
  const several = acting.length > 1 || new Set(interactions.map(({ role }) => role)).size > 1
  return writePath(
    acting.flatMap(({ role, tools, cycles }) => [
      ...(several ? [{ kind: 'activity' as const, role }] : []),
      ...cycles.flatMap(({ calls }, i): Symbol[] => [
        ...(i > 0 ? [{ kind: 'cycle' as const }] : []),
        ...calls.map(({ tool }) => ({ kind: 'call' as const, name: tools[tool - 1] ?? '' })),
      ]),
    ]),
  )
}

function writePath(symbols: readonly Symbol[]): string {
  const runs: { token: string; times: number }[] = []
  for (const symbol of symbols) {
    const token = tokenOf(symbol)
    const last = runs.at(-1)
    if (symbol.kind === 'call' && last?.token === token) last.times++
    else runs.push({ token, times: 1 })
  }
  return runs.map(({ token, times }) => (times === 1 ? token : `${token}*${times}`)).join(' ')
}

function tokenOf(symbol: Symbol): string {
  if (symbol.kind === 'cycle') return '|'
  return symbol.kind === 'call' ? encode(symbol.name) : `@${encode(symbol.role)}`
}

export function readPath(path: string): Symbol[] {
  if (path === '') return []
  return path.split(' ').flatMap((token): Symbol[] => {
    if (token === '|') return [{ kind: 'cycle' }]
    if (token.startsWith('@')) return [{ kind: 'activity', role: decode(token.slice(1)) }]
    const [name = '', times = '1'] = token.split('*')
    return Array.from({ length: Number(times) }, () => ({ kind: 'call', name: decode(name) }))
  })
}

/** Models call tools by any name that they like: it must not read as a path. */
function encode(name: string): string {
  if (name === '') return '%;'
  return name.replaceAll(/[^A-Za-z0-9_.-]/gu, (sign) => `%${sign.codePointAt(0)?.toString(16) ?? ''};`)
}

function decode(token: string): string {
  return token.replaceAll(/%([0-9a-f]*);/g, (_, code: string) =>
    code === '' ? '' : String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

const queries = new Map([
  [CATALOGUE, 'reads the catalogue'],
  [DOCUMENT, 'reads a document'],
  [POLL, 'reads properties'],
  [SLEEP, 'sleeps'],
])

/** What a symbol does, in words; null is the end of a path. */
export function inWords(symbol: Symbol | null): string {
  if (symbol === null) return 'ends'
  if (symbol.kind === 'cycle') return 'takes in new input'
  if (symbol.kind === 'activity') return `is done, and ${fold(symbol.role, 40)} begins`
  const known = queries.get(symbol.name)
  return known ?? `calls \`${fold(symbol.name, 80)}\``
}
