// Plays the suite `sensitivity` for docs/simulated-model.md, and draws its picture: `npm run sensitivity -- SCENARIOS`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Agent, Environment, Estimate, Metric, TrialIdentity } from '../harness/contract/index.js'
import { measure } from '../harness/metrics/measure.js'
import { parseThinking } from '../harness/model/thinking.js'
import { advantageFigure } from '../harness/report/page/charts/advantage.js'
import { drawChart } from '../harness/report/page/charts/draw.js'
import { light } from '../harness/report/page/style.js'
import { openModel } from '../harness/run/models.js'
import { planSuite } from '../harness/run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../harness/run/registry.js'
import { loadSuite } from '../harness/run/suite-file.js'
import { pairedDifference } from '../harness/stats/proportion.js'
import { runTrial } from '../harness/trial/trial.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const KEPT = `${root}docs/sensitivity.json`
export const PICTURE = `${root}docs/images/sensitivity.svg`

/** What is kept of the trials of one agent and reader, scenario by scenario. */
export interface Cell {
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

/** The trials of the suite with so many scenarios, and how to play one. */
export async function openSuite(scenarios: number) {
  const suite = await loadSuite('sensitivity')
  const agents = new Map<string, Agent>()
  const environments = new Map<string, Environment>()
  for (const use of suite.agents) if (typeof use === 'string') agents.set(use, await loadAgent(use))
  for (const use of suite.environments) if (typeof use === 'string') environments.set(use, await loadEnvironment(use))
  const metrics = await loadMetrics()
  const { trials } = planSuite({ ...suite, scenarios }, { agents, environments })
  return { trials, play: (identity: TrialIdentity) => play(identity, { agents, environments, metrics }) }
}

interface Loaded {
  agents: ReadonlyMap<string, Agent>
  environments: ReadonlyMap<string, Environment>
  metrics: readonly Metric[]
}

/** One trial as a cell of its own. */
async function play(identity: TrialIdentity, { agents, environments, metrics }: Loaded): Promise<Cell> {
  const [agent, environment] = [agents.get(identity.agent), environments.get(identity.scenario.environment)]
  const { model } = identity
  if (agent === undefined || environment === undefined || model === null)
    throw new Error(`${identity.id} is not whole.`)
  const chat = openModel(model, { env: {} })
  const trace = await runTrial(identity, { agent, environment, chat, thinking: parseThinking(identity.thinking) })
  const figures = measure(trace, metrics)
  return {
    agent: identity.agent,
    model,
    solved: figures['solved'] === true ? '1' : '0',
    predicted: Number(figures['predicted']),
    exposures: Number(figures['exposures.serious']),
    slips: Number(figures['slips.serious']),
    calls: Number(figures['model_calls']),
  }
}

const cellIn = (cells: readonly Cell[], agent: string, settings: string): Cell => {
  const found = cells.find((cell) => cell.agent === agent && cell.model === `sim:typical?${settings}`)
  if (found === undefined) throw new Error(`Nothing was played by ${agent} with ${settings}.`)
  return found
}
const percent = (share: number): string => `${Math.round(share * 100)} %`
const rateOf = ({ solved }: Cell): number => solved.replaceAll('0', '').length / solved.length
const signed = (share: number): string =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${Math.abs(Math.round(share * 100))}`

/** How much more the candidate solves, with Newcombe's interval. */
function difference(base: Cell, candidate: Cell): Estimate | null {
  const cells = { both: 0, onlyBase: 0, onlyCandidate: 0, neither: 0 }
  for (const [index, one] of base.solved.split('').entries()) {
    const other = candidate.solved[index]
    if (one === '1') cells[other === '1' ? 'both' : 'onlyBase']++
    else cells[other === '1' ? 'onlyCandidate' : 'neither']++
  }
  const found = pairedDifference(cells, 0.95)
  return found && { kind: 'difference', value: found.difference, low: found.low, high: found.high }
}

/** Those that the page sets side by side; the first table has all that the suite plays. */
const AGENTS = ['react-polling', 'react-await', 's-ora', 's-ora-lean']
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
const PAIRS = [
  ['react-polling', 'react-await'],
  ['react-polling', 's-ora'],
  ['react-await', 's-ora'],
  ['react-await', 's-ora-lean'],
  ['react-await', 'react-push'],
  ['react-push', 'sora-push'],
  ['sora-push', 's-ora'],
] as const
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

/** Tables of the page: their heads and rows. */
export const tables: Record<string, () => [head: string[], rows: string[][]]> = {
  'solved by error model': () => {
    const cells = keptCells()
    return [
      ['agent', 'draws', ...SCALES.map(([title]) => title)],
      [...new Set(cells.map(({ agent }) => agent))].flatMap((agent) =>
        DRAWS.map(([draws, own]) => [
          `\`${agent}\``,
          draws,
          ...SCALES.map(([, scale]) => {
            const cell = cellIn(cells, agent, scale + own)
            return `${percent(rateOf(cell))} (${percent(cell.predicted / cell.solved.length)})`
          }),
        ]),
      ),
    ]
  },
  'differences by error model': () => {
    const cells = keptCells()
    return [
      ['points', 'draws', ...SCALES.map(([title]) => title)],
      PAIRS.flatMap(([base, candidate]) =>
        DRAWS.map(([draws, own]) => [
          `\`${candidate}\` less \`${base}\``,
          draws,
          ...SCALES.map(([, scale]) =>
            interval(difference(cellIn(cells, base, scale + own), cellIn(cells, candidate, scale + own))),
          ),
        ]),
      ),
    ]
  },
  'one setting at a time': () => {
    const cells = keptCells()
    const scale = 'correlation=0.5&per=exposure'
    return [
      ['ρ = 0.5, per exposure', ...AGENTS.map((agent) => `\`${agent}\``)],
      ABLATIONS.map(([title, settings]) => [
        title,
        ...AGENTS.map((agent) => {
          const cell = cellIn(cells, agent, scale + settings)
          const per = (sum: number): string => (sum / cell.solved.length).toFixed(1)
          return `${percent(rateOf(cell))} (${per(cell.exposures)} exposures, ${per(cell.slips)} slips)`
        }),
      ]),
    ]
  },
}

const interval = (found: Estimate | null): string =>
  found === null ? '–' : `${signed(found.value)} [${signed(found.low)}, ${signed(found.high)}]`

/** The picture of who solves more, in the colours of a light page. */
export async function picture(): Promise<string> {
  // Who shares no draws with the others is compared in the tables.
  const figure = advantageFigure(
    keptCells().filter(({ agent, model }) => AGENTS.includes(agent) && !model.includes('draws=own')),
    difference,
  )
  if (figure === null) throw new Error('There is nothing to draw.')
  const { source } = await drawChart({ ...figure.chart, background: 'white' })
  const colours = new Map([...light.matchAll(/(--[\w-]+):(#\w+)/g)].map(([, name, colour]) => [name, colour]))
  return `${source.replaceAll(/var\((--[\w-]+)\)/g, (whole, name: string) => colours.get(name) ?? whole)}\n`
}

async function main(scenarios: number): Promise<void> {
  const { trials, play: playOne } = await openSuite(scenarios)
  const cells = new Map<string, Cell>()
  for (const [index, identity] of trials.entries()) {
    const one = await playOne(identity)
    const key = `${one.agent} ${one.model}`
    const sum = cells.get(key)
    cells.set(
      key,
      sum === undefined
        ? one
        : {
            ...sum,
            solved: sum.solved + one.solved,
            predicted: sum.predicted + one.predicted,
            exposures: sum.exposures + one.exposures,
            slips: sum.slips + one.slips,
          },
    )
    if (trials[index + 1]?.scenario.index === identity.scenario.index) continue
    process.stderr.write(`${identity.scenario.index + 1} of ${scenarios} scenarios\n`)
    const rounded = [...cells.values()].map((cell) => ({ ...cell, predicted: Number(cell.predicted.toFixed(4)) }))
    writeFileSync(KEPT, `[\n${rounded.map((cell) => JSON.stringify(cell)).join(',\n')}\n]\n`)
  }
  writeFileSync(PICTURE, await picture())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(Number(process.argv[2] ?? 24))
