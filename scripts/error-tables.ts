// What docs/sensitivity.json holds, as tables, words and a picture of docs/simulated-model.md.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Estimate } from '../harness/contract/index.js'
import { advantageFigure } from '../harness/report/page/charts/advantage.js'
import { drawChart } from '../harness/report/page/charts/draw.js'
import { light } from '../harness/report/page/style.js'
import { pairedDifference } from '../harness/stats/proportion.js'

export const KEPT = fileURLToPath(new URL('../docs/sensitivity.json', import.meta.url))
export const PICTURE = fileURLToPath(new URL('../docs/images/sensitivity.svg', import.meta.url))

/** What is kept of the trials of one world, agent and reader, scenario by scenario. */
export interface Cell {
  world: string
  agent: string
  model: string
  /** A letter for each scenario: 1, solved. */
  solved: string
  /** Sums over the scenarios. */
  predicted: number
  exposures: number
  slips: number
  /** Model calls of the first scenario, by which any change of behaviour is likely to show. */
  calls: number
}

export const keptCells = (): Cell[] => (existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [])

/** Who is compared with each of the others. */
const OWN = 's-ora'
/** Those that the page and its picture set side by side; the first table has all that the suite plays. */
const AGENTS = ['react-polling', 'react-await', OWN, 's-ora-lean']
const PAIRS = [
  ['react-polling', 'react-await'],
  ['react-polling', OWN],
  ['react-await', OWN],
  ['react-await', 's-ora-lean'],
  ['react-await', 'react-push'],
  ['react-push', 'sora-push'],
  ['sora-push', OWN],
] as const

const CORRELATIONS = ['0', '0.5', '1']
const SCALES: [title: string, settings: string][] = [
  ['ρ = 0', 'correlation=0&per=exposure'],
  ['ρ = 0.5', 'correlation=0.5&per=exposure'],
  ['ρ = 1', 'correlation=1&per=exposure'],
  ['ρ = 0, per decision', 'correlation=0&per=decision'],
  ['ρ = 1, per decision', 'correlation=1&per=decision'],
]
const DRAWS: [title: string, settings: string][] = [
  ['common', ''],
  ['own', '&draws=own'],
]
const ABLATIONS: [title: string, settings: string][] = [
  ['as it is', ''],
  ['v = 1: what is seen mends nothing', '&visible=1'],
  ['w = 3: what is outdated misleads', '&misled=3'],
  ['c = 0: each exposure anew', '&persistence=0'],
  ['attention = 1', '&attention=1'],
  ['h = 0, v = 0.5', '&visible=0.5&handoff=0'],
  ['h = 0.3, v = 0.5', '&visible=0.5&handoff=0.3'],
  ['h = 0.3, v = 1', '&visible=1&handoff=0.3'],
]
/** What is set beside correlation and scale. */
const SETTINGS: [title: string, settings: string][] = [
  ['', ''],
  ['each its own draws', '&draws=own'],
  ...['0', '0.3'].flatMap((handoff) =>
    ['0.5', '1'].map((visible): [string, string] => [
      `h = ${handoff}, v = ${visible}`,
      `&visible=${visible}&handoff=${handoff}`,
    ]),
  ),
]

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]
const worldsOf = (cells: readonly Cell[]): string[] => unique(cells.map(({ world }) => world))
const agentsOf = (cells: readonly Cell[]): string[] => unique(cells.map(({ agent }) => agent))
const finder =
  (cells: readonly Cell[]) =>
  (world: string, agent: string, settings: string): Cell | undefined =>
    cells.find((cell) => cell.world === world && cell.agent === agent && cell.model === `sim:typical?${settings}`)

const code = (name: string): string => `\`${name}\``
const percent = (share: number): string => `${Math.round(share * 100)} %`
const rateOf = ({ solved }: Cell): number => solved.replaceAll('0', '').length / solved.length
const signed = (share: number): string =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${Math.abs(Math.round(share * 100))}`
const interval = (found: Estimate | null): string =>
  found === null ? '–' : `${signed(found.value)} [${signed(found.low)}, ${signed(found.high)}]`

/** How much more the candidate solves, with Newcombe's interval, over the scenarios that both have played. */
export function difference(base: Cell, candidate: Cell): Estimate | null {
  const cells = { both: 0, onlyBase: 0, onlyCandidate: 0, neither: 0 }
  for (const [index, one] of base.solved.split('').entries()) {
    const other = candidate.solved[index]
    if (one === '1') cells[other === '1' ? 'both' : 'onlyBase']++
    else cells[other === '1' ? 'onlyCandidate' : 'neither']++
  }
  const found = pairedDifference(cells, 0.95)
  return found && { kind: 'difference', value: found.difference, low: found.low, high: found.high }
}

const VERDICTS = ['more', 'fewer', 'no difference told', 'depends on the scale'] as const
type Verdict = (typeof VERDICTS)[number]

/** Whether the candidate solves more, by more than the interval, on all of these scales alike. */
export function acrossScales(found: readonly (Estimate | null)[]): Verdict {
  const [verdict, ...others] = unique(
    found.map((each): Verdict =>
      each !== null && each.low > 0 ? 'more' : each !== null && each.high < 0 ? 'fewer' : 'no difference told',
    ),
  )
  return verdict === undefined || others.length > 0 ? 'depends on the scale' : verdict
}

/** Both scales are one at the correlation that is the default. */
function verdictAt(
  find: ReturnType<typeof finder>,
  where: { world: string; base: string; correlation: string; settings: string },
) {
  const { world, base, correlation, settings } = where
  const found = ['exposure', 'decision'].flatMap((per) => {
    const reader = `correlation=${correlation}&per=${per}${settings}`
    const [one, other] = [find(world, base, reader), find(world, OWN, reader)]
    return one === undefined || other === undefined ? [] : [{ n: one.solved.length, estimate: difference(one, other) }]
  })
  const [first] = found
  return first === undefined ? null : { n: first.n, verdict: acrossScales(found.map(({ estimate }) => estimate)) }
}

/** Where it solves more and where not, in words: a line for each world and rival. */
export function regions(cells: readonly Cell[] = keptCells()): string {
  const find = finder(cells)
  return worldsOf(cells)
    .flatMap((world) =>
      agentsOf(cells)
        .filter((agent) => agent !== OWN)
        .map((base) => {
          const told = SETTINGS.flatMap(([title, settings]) => {
            const verdicts = CORRELATIONS.flatMap((correlation) => {
              const found = verdictAt(find, { world, base, correlation, settings })
              return found === null ? [] : [{ ...found, correlation }]
            })
            const [first] = verdicts
            if (first === undefined) return []
            const words = VERDICTS.flatMap((verdict) => {
              const at = verdicts.filter((each) => each.verdict === verdict).map(({ correlation }) => correlation)
              return at.length === 0 ? [] : [`${verdict} at ρ = ${at.join(', ')}`]
            })
            return [{ title, words: `(n = ${first.n}): ${words.join('; ')}.\n` }]
          })
          const [plain, ...others] = told
          // Settings of which the same is told stand in one line.
          const alike = new Map<string, string[]>()
          for (const { title, words } of others) alike.set(words, [...(alike.get(words) ?? []), title])
          const lines = [...alike].map(([words, titles]) => `  - ${titles.join('; or ')} ${words}`)
          return `- ${code(world)}, ${code(OWN)} beside ${code(base)} ${plain?.words ?? ''}${lines.join('')}`
        }),
    )
    .join('')
}

/** Tables of the page: their heads and rows. */
export const tables: Record<string, () => [head: string[], rows: string[][]]> = {
  'solved by error model': () => {
    const cells = keptCells()
    const find = finder(cells)
    return [
      ['world', 'agent', 'draws', 'n', ...SCALES.map(([title]) => title)],
      worldsOf(cells).flatMap((world) =>
        agentsOf(cells).flatMap((agent) =>
          DRAWS.flatMap(([draws, own]) => {
            const row = SCALES.map(([, scale]) => find(world, agent, scale + own))
            const [first] = row
            if (first === undefined) return []
            return [[code(world), code(agent), draws, String(first.solved.length), ...row.map(solvedIn)]]
          }),
        ),
      ),
    ]
  },
  'differences by error model': () => {
    const cells = keptCells()
    const find = finder(cells)
    return [
      ['world', 'points', 'draws', ...SCALES.map(([title]) => title)],
      worldsOf(cells).flatMap((world) =>
        PAIRS.flatMap(([base, candidate]) =>
          DRAWS.flatMap(([draws, own]) => {
            const row = SCALES.map(([, scale]) => [find(world, base, scale + own), find(world, candidate, scale + own)])
            if (row[0]?.includes(undefined) !== false) return []
            const found = row.map(([one, other]) => (one && other ? interval(difference(one, other)) : '–'))
            return [[code(world), `${code(candidate)} less ${code(base)}`, draws, ...found]]
          }),
        ),
      ),
    ]
  },
  'one setting at a time': () => {
    const cells = keptCells()
    const find = finder(cells)
    const [world = ''] = worldsOf(cells)
    const agents = AGENTS.filter((agent) => agentsOf(cells).includes(agent))
    return [
      [`${code(world)}, ρ = 0.5`, 'n', ...agents.map(code)],
      ABLATIONS.map(([title, settings]) => {
        const row = agents.map((agent) => find(world, agent, `correlation=0.5&per=exposure${settings}`))
        return [
          title,
          String(row[0]?.solved.length ?? '–'),
          ...row.map((cell) => {
            if (cell === undefined) return '–'
            const per = (total: number): string => (total / cell.solved.length).toFixed(1)
            return `${percent(rateOf(cell))} (${per(cell.exposures)} exposures, ${per(cell.slips)} slips)`
          }),
        ]
      }),
    ]
  },
}

/** Where no exposure is serious nothing is predicted. */
function solvedIn(cell: Cell | undefined): string {
  if (cell === undefined) return '–'
  const predicted = cell.exposures === 0 ? '–' : percent(cell.predicted / cell.solved.length)
  return `${percent(rateOf(cell))} (${predicted})`
}

/** The picture of who solves more, in the colours of a light page. */
export async function picture(): Promise<string> {
  const cells = keptCells()
  const [world] = worldsOf(cells)
  // Who shares no draws with the others is compared in the tables.
  const figure = advantageFigure(
    cells.filter((cell) => cell.world === world && AGENTS.includes(cell.agent) && !cell.model.includes('draws=own')),
    difference,
  )
  if (figure === null) throw new Error('There is nothing to draw.')
  const { source } = await drawChart({ ...figure.chart, background: 'white' })
  const colours = new Map([...light.matchAll(/(--[\w-]+):(#\w+)/g)].map(([, name, colour]) => [name, colour]))
  return `${source.replaceAll(/var\((--[\w-]+)\)/g, (whole, name: string) => colours.get(name) ?? whole)}\n`
}
