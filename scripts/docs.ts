// Fills the marked blocks of README.md and docs/*.md from declarations and committed baselines: `npm run docs`.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readBaseline } from '../harness/cli/sides.js'
import { deliverySchema } from '../harness/contract/index.js'
import type { Agent } from '../harness/contract/index.js'
import { surfaces } from '../harness/door/surfaces/index.js'
import { codebook } from '../harness/metrics/measure.js'
import { NUMBERS, PROBABILITIES, PROFILES, parseProfile } from '../harness/reader/profile.js'
import { consoleReport } from '../harness/report/console.js'
import { summarise } from '../harness/report/summary.js'
import { comparisonTable, oneLine } from '../harness/report/table.js'
import { loadAgent, loadEnvironment, loadMetrics, pluginFiles } from '../harness/run/registry.js'
import { loadSuite } from '../harness/run/suite-file.js'
import { roomRows } from '../harness/testing/architecture.js'
import { noColour } from '../harness/trace/text.js'
import { paramRows } from '../harness/trial/params.js'
import { ablationTables } from './ablations.js'
import { costsByWorld, watchRows } from './cost-tables.js'
import { regions, tables } from './error-tables.js'

const root = fileURLToPath(new URL('..', import.meta.url))
export const readPage = (page: string): string => readFileSync(`${root}${page}`, 'utf8')

/** The pages of the documentation, from the root of the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(`${root}docs`).flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
]

/** What stands between `<!-- NAME -->` and `<!-- end -->`, by the name of the block. */
const blocks: Record<string, (page: string) => string | Promise<string>> = {
  rooms: () =>
    table(
      ['room', 'what lives there', 'may import'],
      roomRows().map(([room, holds, may]) => [code(pathOf(room)), holds, may]),
    ),
  'npm start': printedByDefault,
  architectures: tokensOfArchitectures,
  'costs by world': () => {
    const { header, lines } = readBaseline(`${root}results/baselines/architectures`)
    const worlds = header.suite.environments.map((use) => (typeof use === 'string' ? use : use.use))
    return costsByWorld(lines, { worlds, own: 's-ora', rivals: ['react-polling', 'react-await'] })
  },
  'what waiting costs': () =>
    table(
      ['watch', 'agent', 'calls', 'tokens', 'billed', 'beside s-ora, in all pricings'],
      watchRows(readBaseline(`${root}results/baselines/watch`).lines),
    ),
  'lost doorbells': () =>
    baselineTable('faults', {
      columns: [
        'agent',
        'n',
        'solved [95 %]',
        'model calls',
        'billed tokens',
        'resyncs/rechecks',
        'suspended',
        'makespan',
      ],
      isWanted: (caption) => !/=0\.[24]$/.test(caption),
    }),
  'failed reads': () =>
    baselineTable('read-faults', {
      columns: [
        'agent',
        'n',
        'solved [95 %]',
        'model calls',
        'billed tokens',
        'polls/empty',
        'syncs',
        'suspended',
        'makespan',
      ],
    }),
  agents: async () => agentTable((await agentsOfHouse()).filter(({ usesModel }) => usesModel)),
  controls: async () =>
    table(
      ['control', 'what it does'],
      (await agentsOfHouse()).flatMap(({ name, usesModel, summary }) =>
        usesModel || isCeiling(name) ? [] : [[code(name), summaryOf(summary)]],
      ),
    ),
  surfaces: surfaceTable,
  ceilings: () =>
    table(
      ['ceiling', 'how it waits'],
      Object.entries(surfaces).map(([name, { ceiling }]) => [code(`ceiling-${name}`), ceiling.waits]),
    ),
  worlds: worldTable,
  suites: suiteTable,
  metrics: async () => codebook(await loadMetrics()),
  ...Object.fromEntries(Object.entries(tables).map(([name, make]) => [name, () => table(...make())])),
  'where it solves more': () => regions(),
  exposures: exposuresByWorld,
  ablations: () =>
    ablationTables()
      .map(([world, head, rows]) => `\n**${code(world)}**\n\n${table(head, rows)}`)
      .join(''),
  delivery: () =>
    table(
      ['parameter', 'range', 'default', 'meaning'],
      paramRows(deliverySchema).map(({ name, range, default: value, description }) => [
        code(name),
        grouped(range),
        grouped(value),
        description,
      ]),
    ),
  profiles: () => {
    const traits = [...Object.keys(PROBABILITIES), 'handoff']
    return table(
      ['profile', ...traits],
      Object.keys(PROFILES).map((name) => {
        const values = new Map(Object.entries(parseProfile(`sim:${name}`)))
        return [code(name), ...traits.map((trait) => String(values.get(trait)))]
      }),
    )
  },
  settings: () =>
    table(
      ['setting', 'default', 'range', 'meaning'],
      Object.entries(NUMBERS).map(([name, { value, min, max, meaning }]) => [
        code(name),
        grouped(String(value)),
        grouped(`${min} to ${max}`),
        meaning,
      ]),
    ),
}

/** A page with all of its blocks as they should be. */
export async function filled(page: string): Promise<string> {
  let text = readPage(page)
  for (const [, name = ''] of text.matchAll(/^<!-- ([a-z -]+) -->$/gm)) {
    if (name === 'end') continue
    const fill = blocks[name]
    if (fill === undefined)
      throw new Error(`${page}: nothing fills the block "${name}". Known: ${Object.keys(blocks).join(', ')}.`)
    const body = await fill(page)
    text = text.replace(
      new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`),
      (_all, begin: string, end: string) => begin + body + end,
    )
  }
  return text
}

/** Without the kind that a list of all agents shows. */
function summaryOf(summary: string): string {
  const text = summary.replace(/^Control: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
/** 3600000 → 3 600 000 */
const grouped = (text: string): string => text.replaceAll(/\B(?=(?:\d{3})+\b)/g, ' ')
const pathOf = (room: string): string => (readdirSync(`${root}harness`).includes(room) ? `harness/${room}` : room)
const code = (name: string): string => `\`${name}\``
const isCeiling = (name: string): boolean => name.startsWith('ceiling-')

const FIGURE = /^(\d[\d./: k]*( s)?|none)$/

/** Columns of figures are aligned to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return [
    line(head),
    line(head.map((_title, index) => (rows.every((cells) => FIGURE.test(cells[index] ?? '')) ? '---:' : '---'))),
    ...rows.map(line),
  ].join('')
}

/** One after the other: jiti gives a module that another one is loading half-made. */
async function eachInTurn<T>(
  kind: Parameters<typeof pluginFiles>[0],
  load: (name: string) => Promise<T>,
): Promise<T[]> {
  const loaded: T[] = []
  for (const name of pluginFiles(kind).keys()) loaded.push(await load(name))
  return loaded
}

/** All agents in the order of their surfaces, those that allow least first. */
async function agentsOfHouse(): Promise<Agent[]> {
  const order = Object.keys(surfaces)
  const agents = await eachInTurn('agent', loadAgent)
  return agents.toSorted((a, b) => order.indexOf(a.surface) - order.indexOf(b.surface) || (a.name < b.name ? -1 : 1))
}

function agentTable(agents: readonly Agent[]): string {
  return table(
    ['agent', 'surface', 'reads the state', 'waits', 'what it is'],
    agents.map(({ name, surface, summary }) => {
      const { reads, sleeps, waits } = surfaces[surface].row
      return [code(name), code(surface), reads ?? NO, waits ?? sleeps ?? NO, summary]
    }),
  )
}
const NO = '–'

async function surfaceTable(): Promise<string> {
  const agents = (await agentsOfHouse()).filter(({ usesModel }) => usesModel)
  return table(
    ['surface', 'agents', 'an operation returns', 'reads the state', 'sleeps', 'waits for a signal', 'is pushed'],
    Object.entries(surfaces).map(([name, { row }]) => [
      code(name),
      agents.flatMap((agent) => (agent.surface === name ? [code(agent.name)] : [])).join(', '),
      row.returns,
      ...[row.reads, row.sleeps, row.waits, row.pushed].map((cell) => cell ?? NO),
    ]),
  )
}

async function worldTable(page: string): Promise<string> {
  const suites = await suitesOfHouse()
  const worlds = await eachInTurn('env', loadEnvironment)
  // Suites of all worlds would stand in every row.
  const special = suites.filter(({ environments }) => environments.length < worlds.length)
  return table(
    ['world', 'what happens in it', 'suites', 'page'],
    worlds.map(({ name, summary }) => [
      code(name),
      summary,
      special.flatMap((suite) => (suite.environments.includes(name) ? [code(suite.name)] : [])).join(', '),
      linksTo(page, (other, text) => other === `docs/${name}.md` || text.includes(`## The world \`${name}\``)),
    ]),
  )
}

async function suiteTable(page: string): Promise<string> {
  return table(
    ['suite', 'what it asks', 'agents', 'worlds', 'scenarios', 'page'],
    (await suitesOfHouse()).map(({ name, summary, agents, environments, scenarios }) => [
      code(name),
      summary,
      String(agents),
      environments.map(code).join(', '),
      String(scenarios),
      linksTo(page, (_other, text) => new RegExp(`(npx )?sora-bench run ${name}\``).test(text)),
    ]),
  )
}

async function suitesOfHouse() {
  const suites = await eachInTurn('suite', loadSuite)
  const nameOf = (use: (typeof suites)[number]['environments'][number]): string =>
    typeof use === 'string' ? use : use.use
  return suites.map(({ name, summary, agents, environments, scenarios }) => ({
    name,
    summary,
    agents: new Set(agents.map(nameOf)).size,
    environments: [...new Set(environments.map(nameOf))],
    scenarios,
  }))
}

/** Links from a page to the others that a text speaks for. */
function linksTo(from: string, isWanted: (page: string, text: string) => boolean): string {
  return PAGES.filter((page) => page.startsWith('docs/') && page !== from && isWanted(page, readPage(page)))
    .map((page) => `[${page.slice('docs/'.length)}](${from.startsWith('docs/') ? page.slice('docs/'.length) : page})`)
    .join(', ')
}

/** Some columns of what a baseline shows, with the case before them. */
async function baselineTable(
  name: string,
  { columns, isWanted = () => true }: { columns: readonly string[]; isWanted?: (caption: string) => boolean },
): Promise<string> {
  const { lines } = readBaseline(`${root}results/baselines/${name}`)
  const cases = comparisonTable(summarise(lines, { metrics: await loadMetrics() })).map((each) => ({
    ...each,
    caption: each.caption.split(' · ')[0] ?? '',
  }))
  const sorted = cases.toSorted((a, b) => a.caption.localeCompare(b.caption, 'en', { numeric: true }))
  return table(
    ['world', ...columns],
    sorted
      .filter(({ caption }) => isWanted(caption))
      .flatMap((each) => {
        const places = columns.map((title) => each.columns.findIndex((column) => oneLine(column.title) === title))
        if (places.includes(-1)) throw new Error(`${name} has no such column: ${columns.join(', ')}.`)
        return each.rows.map((row) => [code(each.caption), ...places.map((place) => row[place] ?? NO)])
      }),
  )
}

/** The agents in the order of the suite: a baseline keeps them sorted. */
async function printedByDefault(): Promise<string> {
  const { header, lines } = readBaseline(`${root}results/baselines/default`)
  const order = header.suite.agents.map((use) => (typeof use === 'string' ? use : use.use))
  const sorted = lines.toSorted((a, b) => order.indexOf(a.identity.agent) - order.indexOf(b.identity.agent))
  const printed = consoleReport(summarise(sorted, { metrics: await loadMetrics() }), { columns: 120, colour: noColour })
  return `\`\`\`\n${printed.trimEnd()}\n\`\`\`\n`
}

/** Billed tokens of those who solved it; where not all did, the share of those who did goes before. */
async function tokensOfArchitectures(): Promise<string> {
  const { header, lines } = readBaseline(`${root}results/baselines/architectures`)
  const worlds = header.suite.environments.map((use) => (typeof use === 'string' ? use : use.use))
  const agents = (await agentsOfHouse()).filter(({ usesModel }) => usesModel).map(({ name }) => name)
  const played = agents.filter((name) => lines.some(({ identity }) => identity.agent === name))
  return table(
    ['agent', ...worlds],
    played.map((agent) => [code(agent), ...worlds.map((world) => cell(agent, world))]),
  )

  function cell(agent: string, world: string): string {
    const own = lines.filter(({ identity }) => identity.agent === agent && identity.scenario.environment === world)
    const solved = own.filter(({ outcome }) => outcome === 'solved').length
    const tokens = own.reduce((sum, { metrics }) => sum + Number(metrics['billed_tokens']), 0)
    if (solved === 0) return 'none'
    return `${solved === own.length ? '' : `${solved}/${own.length}: `}${(tokens / own.length / 1_000).toFixed(1)} k`
  }
}

/** Exposures of a careful reader, whom no slip leads astray: means per scenario. */
function exposuresByWorld(): string {
  const { header, lines } = readBaseline(`${root}results/baselines/architectures`)
  const agents = ['react-polling', 'react-await', 's-ora']
  const traits = [...Object.keys(PROBABILITIES), 'handoff']
  return table(
    ['world', 'agent', ...traits, 'serious'],
    header.suite.environments.flatMap((use) => {
      const world = typeof use === 'string' ? use : use.use
      return agents.map((agent) => {
        const own = lines.filter(({ identity }) => identity.agent === agent && identity.scenario.environment === world)
        const known = own.some(({ metrics }) => 'exposures.serious' in metrics)
        const meanOf = (isWanted: (key: string) => boolean): string => {
          const all = own.flatMap(({ metrics }) => Object.entries(metrics)).filter(([key]) => isWanted(key))
          const sum = all.reduce((total, [, value]) => total + Number(value), 0)
          return known ? String(Math.round((10 * sum) / own.length) / 10) : NO
        }
        return [
          code(world),
          code(agent),
          ...traits.map((trait) => meanOf((key) => key.startsWith(`exposures.${trait}_`))),
          meanOf((key) => key === 'exposures.serious'),
        ]
      })
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of PAGES) writeFileSync(`${root}${page}`, await filled(page))
