import { expect, test } from 'vitest'
import type { TrialLine } from '../contract/index.js'
import { trialLine } from '../testing/trial-line.js'
import { frontNotes, frontTables, frontsOf } from './front.js'
import { frontFigure } from './page/charts/front.js'
import { drawChart } from './page/charts/draw.js'
import { summarise } from './summary.js'

/** Eight scenarios of a setting: whether each is solved, and what it bills on scenarios of even and of odd index. */
const setting = (
  agent: string,
  model: string | null,
  solved: (index: number) => boolean,
  billed: [number, number],
): TrialLine[] =>
  Array.from({ length: 8 }, (_, scenario) =>
    trialLine(
      { agent, model, scenario, id: `${agent}/${model}/${scenario}` },
      {
        outcome: solved(scenario) ? 'solved' : 'unsolved',
        metrics: { solved: solved(scenario), billed_tokens: billed[scenario % 2] ?? 0 },
      },
    ),
  )
const always = () => true
const lines = [
  // The cheaper one on even scenarios is the dearer one on the others.
  ...setting('polls', 'sim:careful?pollMs=1000', always, [100, 300]),
  ...setting('polls', 'sim:careful?pollMs=5000', always, [200, 200]),
  // Half as often solved: 120 for each solved one.
  ...setting('polls', 'sim:careful?pollMs=9000', (index) => index % 4 < 2, [60, 60]),
  ...setting('waits', 'sim:careful?pollMs=1000', always, [150, 150]),
  ...setting('oracle', null, always, [0, 0]),
]
const figures = summarise(lines, { metrics: [] })
const summary = { ...figures, fronts: frontsOf(figures, lines) }

test('a setting is chosen on the scenarios of even index, and shown on the others', () => {
  const point = (agent: string, named: string, solved: number, billed: number) => ({
    agent,
    setting: named,
    solved,
    billed,
    n: 4,
  })
  expect(summary.fronts).toEqual([
    {
      world: 'kettle',
      points: [
        { ...point('polls', 'pollMs=1000', 1, 300), chosen: true, ownFront: false, front: false },
        { ...point('polls', 'pollMs=5000', 1, 200), chosen: false, ownFront: true, front: false },
        { ...point('polls', 'pollMs=9000', 0.5, 60), chosen: false, ownFront: true, front: true },
        { ...point('waits', '', 1, 150), chosen: true, ownFront: true, front: true },
      ],
    },
  ])
})

test('the table names what is chosen and what is on a front, the notes the criterion', () => {
  const [all, few] = [frontTables(summary), frontTables(summary, false)]
  expect(all[0]?.rows).toEqual([
    ['polls', 'pollMs=1000', '4', '100 %', '300', 'yes', ''],
    ['polls', 'pollMs=5000', '4', '100 %', '200', '', 'own'],
    ['polls', 'pollMs=9000', '4', '50 %', '60', '', 'of all'],
    ['waits', '–', '4', '100 %', '150', 'yes', 'of all'],
  ])
  expect(few[0]?.rows).toEqual(all[0]?.rows)
  expect(frontNotes(summary)[0]).toMatch(/chosen on those of even index: the least that was billed for each solved one/)
  expect(frontNotes(figures)).toEqual([])
})

test('who solves nothing anywhere is chosen by what it bills', () => {
  const none = [
    ...setting('polls', 'sim:careful?pollMs=1', () => false, [50, 50]),
    ...setting('polls', 'sim:careful?pollMs=2', () => false, [40, 40]),
  ]
  const found = frontsOf(summarise(none, { metrics: [] }), none)
  expect(found[0]?.points.map(({ chosen }) => chosen)).toEqual([false, true])
})

test('the picture has a sign for each agent', async () => {
  const [front] = summary.fronts
  const { source } = front === undefined ? { source: '' } : await drawChart(frontFigure(front, true).chart)
  for (const text of ['>polls<', '>waits<', '>billed tokens per scenario<']) expect(source).toContain(text)
})
