import { expect, test } from 'vitest'
import type { TrialLine } from '../contract/index.js'
import { trialLine } from '../testing/trial-line.js'
import { noColour } from '../trace/text.js'
import { consoleReport } from './console.js'
import { contrastTables } from './contrast-table.js'
import { contrastsOf } from './contrasts.js'
import { contrastsCsv } from './formats/csv.reporter.js'
import { markdownReport } from './formats/md.reporter.js'
import { contrastFigures } from './page/charts/contrast.js'
import { drawChart } from './page/charts/draw.js'
import { summarise } from './summary.js'

const factors = {
  'one-poll': { loop: 'one', surface: 'poll' },
  'two-push': { loop: 'two', surface: 'push' },
  'one-push': { loop: 'one', surface: 'push' },
  'two-poll': { loop: 'two', surface: 'poll' },
}
const CELLS = ['one-poll', 'one-push', 'two-poll', 'two-push'] as const
type Cell = (typeof CELLS)[number]
type Trial = { solved: boolean; tokens: number; broken?: boolean }

/** Ten scenarios of a world of so many litres. */
const world = (litres: number, trialOf: (agent: Cell, scenario: number) => Trial): TrialLine[] =>
  Array.from({ length: 10 }, (_, scenario) =>
    CELLS.map((agent) => {
      const { solved, tokens, broken = false } = trialOf(agent, scenario)
      const line = trialLine(
        { agent, scenario, id: `${litres}/${agent}/${scenario}`, model: 'sim:typical' },
        broken
          ? { outcome: 'infrastructure_error', metrics: {} }
          : {
              outcome: solved ? 'solved' : 'violated',
              metrics: {
                solved,
                violations: solved ? 0 : 2,
                billed_tokens: tokens,
                model_calls: 5,
                polls: 0,
                makespan_ms: solved ? tokens : null,
              },
            },
      )
      line.identity.scenario.params = { litres }
      return line
    }),
  ).flat()

const made = (lines: TrialLine[]) => {
  const summary = summarise(lines, { metrics: [] })
  return { ...summary, contrasts: contrastsOf(summary, lines, factors, 500) }
}
const outcomeOf = ({ contrasts: [all] }: ReturnType<typeof made>, name: string) => {
  const found = all?.outcomes.find((outcome) => outcome.name === name)
  if (found === undefined) throw new Error(`No outcome ${name}.`)
  return found
}
const figures = (from: ReturnType<typeof made>, outcome: string, contrast: string) =>
  outcomeOf(from, outcome).contrasts.find(({ name }) => name === contrast)

/** Push solves all and costs half; polls solve the even scenarios, and twice as many by two. */
const costs = (agent: Cell): number => (agent.endsWith('push') ? 1_000 : 2_000) * (agent.startsWith('two') ? 3 : 1)
const run = made([
  ...world(1, (agent, scenario) => ({
    solved: agent.endsWith('push') || scenario % 2 === 0,
    tokens: costs(agent) + scenario,
  })),
  ...world(2, (agent, scenario) => ({
    solved: agent === 'two-push' || (agent === 'one-poll' ? scenario < 2 : scenario < 4),
    tokens: costs(agent),
  })),
])

test('a rate is the difference of the cells, in each world and with equal weight over both', () => {
  const solved = figures(run, 'solved', 'poll → push')
  expect(solved?.worlds.map((one) => one?.value)).toEqual([0.5, expect.closeTo(0.4)])
  expect(solved?.mean?.value).toBeCloseTo(0.45)
  expect(solved?.without.map((one) => one?.value)).toEqual([expect.closeTo(0.4), 0.5])
  expect(figures(run, 'violations', 'one → two')?.mean?.value).toBeCloseTo(-2 * 0.2)
})

test('amounts are ratios over the scenarios that every cell solved, and of sums per solved one', () => {
  expect(outcomeOf(run, 'billed')).toMatchObject({ n: [5, 2], missing: [5, 8] })
  expect(figures(run, 'billed', 'one → two')?.worlds[1]?.value).toBeCloseTo(3)
  expect(figures(run, 'billed', '(one → two) × (poll → push)')?.worlds[1]?.value).toBeCloseTo(1)
  // One poll solves 2 of 10 at 2 000, one push 4 of 10 at 1 000.
  expect(figures(run, 'billed ÷ solved', 'poll → push at one')?.worlds[1]?.value).toBeCloseTo(0.25)
})

test('who does not solve it has the world’s horizon for a makespan', () => {
  // By two: polls 2 × 6 000 at 4 of 10, all others at the horizon of 6 000, which is the longest.
  expect(figures(run, 'makespan', 'poll → push at two')?.worlds[1]?.value).toBeCloseTo(3_000 - 6_000)
  expect(figures(run, 'makespan', 'poll → push at one')?.worlds[1]?.value).toBeCloseTo(
    0.4 * 1_000 + 3_600 - (0.2 * 2_000 + 4_800),
  )
})

test('Holm adjusts the contrasts of three outcomes, and nothing that is exploratory', () => {
  const family = run.contrasts.flatMap(({ outcomes }) =>
    outcomes.flatMap(({ name, contrasts }) =>
      contrasts.flatMap((each) => (each.holm === null ? [] : [`${name}: ${each.kind}`])),
    ),
  )
  expect(new Set(family)).toEqual(
    new Set(['solved', 'violations', 'billed'].flatMap((name) => [`${name}: main`, `${name}: interaction`])),
  )
  const { p = null, holm = null } = {
    ...figures(run, 'solved', 'poll → push')?.mean,
    holm: figures(run, 'solved', 'poll → push')?.holm,
  }
  expect(holm).toBeGreaterThan(p ?? 1)
})

test('an interaction whose sign is that of the scale counts for nothing', () => {
  // One step adds 3 of 10, the other 4: more in points, and less in odds, as it begins at 4 and not at 0.
  const rates = { 'one-poll': 0, 'one-push': 3, 'two-poll': 4, 'two-push': 8 }
  const turned = made(world(1, (agent, scenario) => ({ solved: scenario < rates[agent], tokens: 1 })))
  const interaction = figures(turned, 'solved', '(one → two) × (poll → push)')
  expect(interaction).toMatchObject({ mean: { value: expect.closeTo(0.1) }, agrees: false, holm: 1 })
  expect(contrastTables(turned.contrasts)[0]?.rows[2]?.[2]).toBe('of the scale')
})

test('what infrastructure ended is not solved, has no other value, and is told', () => {
  const broken = made(
    world(1, (agent, scenario) => ({ solved: true, tokens: 10, broken: agent === 'one-poll' && scenario === 0 })),
  )
  expect(outcomeOf(broken, 'solved')).toMatchObject({ n: [10], missing: [0] })
  expect(outcomeOf(broken, 'violations')).toMatchObject({ n: [9], missing: [1] })
  expect(figures(broken, 'solved', 'one → two at poll')?.mean?.value).toBeCloseTo(0.1)
  const text = consoleReport(broken, { columns: 200, colour: noColour })
  expect(text).toContain('Contrasts, mean of 1 world · model sim:typical · thinking fixed:1000 (simulated model)')
  expect(text).toContain('violations 9 (1 left out)')
})

test('a world without one of the cells is in no contrast, and is named', () => {
  const lines = [...world(1, () => ({ solved: true, tokens: 1 })), ...world(2, () => ({ solved: true, tokens: 1 }))]
  const left = made(
    lines.filter(({ identity: { agent, scenario } }) => agent !== 'two-push' || scenario.params['litres'] === 1),
  )
  expect(left.contrasts).toMatchObject([{ worlds: ['kettle litres=1'], left: ['kettle litres=2'] }])
  expect(consoleReport(left, { columns: 200, colour: noColour })).toContain(
    'No contrasts of kettle litres=2 (sim:typical)',
  )
})

test('Markdown has each world, the CSV a row for every contrast and scope, the page a forest per outcome', async () => {
  const markdown = markdownReport(run, { title: 't', facts: [], codebook: 'codebook.md' })
  expect(markdown).toContain('## solved Δ points by world · model sim:typical')
  expect(markdown).toContain('| without kettle litres=1 |')
  const rows = contrastsCsv(run.contrasts).trimEnd().split('\n')
  // 8 outcomes, 3 contrasts and 4 simple effects, over both, in each and without each.
  expect(rows).toHaveLength(1 + 8 * 7 * 5)
  expect(rows[1]).toMatch(/^sim:typical,fixed:1000,solved,difference,share,true,one → two,main,mean,,,,0\.(2|19999)/)
  const forests = run.contrasts.flatMap(contrastFigures)
  expect(forests.map(({ title }) => title)).toContain('Billed ×')
  const { source } = forests[0] === undefined ? { source: '' } : await drawChart(forests[0].chart)
  for (const text of ['>one → two<', '>poll → push<', '>solved Δ points<']) expect(source).toContain(text)
})
