import { expect, test } from 'vitest'
import { loadMetrics } from '../../../run/registry.js'
import { trialLine } from '../../../testing/trial-line.js'
import { summarise } from '../../summary.js'
import { measuresOf } from '../../table.js'
import { advantageFigure } from './advantage.js'
import { drawChart, signsOf } from './draw.js'
import { rateFigure } from './figures.js'

test('a row’s label is cut nowhere: what tells agents of one name apart stands below the name', async () => {
  const lines = [true, false].map((knowledgeConstraint, index) =>
    trialLine({ id: `w/${index}`, agent: 's-ora-reference', agentParams: { knowledgeConstraint } }),
  )
  const summary = summarise(lines, { metrics: await loadMetrics() })
  const [solved] = measuresOf(summary)
  const { source } = solved === undefined ? { source: '' } : await drawChart(rateFigure(summary.groups, solved).chart)
  expect(source).not.toContain('…')
  for (const text of ['>s-ora-reference<', '>knowledgeConstraint=true<', '>knowledgeConstraint=false<'])
    expect(source).toContain(text)
})

test('no two of 40 agents share a sign, and long labels stand below each other', () => {
  const labels = Array.from({ length: 40 }, (_, index) => `agent-${index}`)
  const { color, shape, series } = signsOf(labels)
  expect(new Set(color.scale.range.map((colour, index) => `${colour} ${shape.scale.range[index]}`)).size).toBe(40)
  expect(series.legend).toEqual({ columns: 2 })
  expect(signsOf(['a', 'react-blocking goalPolicy=sequential']).series.legend).toEqual({ columns: 1 })
})

test('who solves more is told by the interval, for each two agents and every reader of a sweep', async () => {
  const players = ['0', '1'].flatMap((correlation) =>
    ['exposure', 'decision'].flatMap((per) =>
      ['polls', 'waits'].map((agent) => ({
        agent,
        model: `sim:typical?correlation=${correlation}&per=${per}`,
        better: correlation === '1' ? 0.3 : -0.1,
      })),
    ),
  )
  const figure = advantageFigure(players, (_base, { better }) => ({
    kind: 'difference',
    value: better,
    low: better - 0.2,
    high: better + 0.2,
  }))
  const tile = (row: string, column: string, who: string, points: string) => ({
    pair: 'waits less polls',
    row: `per=${row}`,
    column,
    who,
    points,
  })
  expect(figure?.chart.data).toEqual({
    values: [
      tile('exposure', '0', 'neither', '-10'),
      tile('decision', '0', 'neither', '-10'),
      tile('exposure', '1', 'waits', '+30'),
      tile('decision', '1', 'waits', '+30'),
    ],
  })
  const onOneScale = advantageFigure(players, (_base, { better, model }) => {
    const shift = model.includes('decision') ? 0.3 : 0
    return { kind: 'difference', value: better - shift, low: better - shift - 0.2, high: better - shift + 0.2 }
  })
  const told = JSON.stringify(onOneScale?.chart.data)
  expect([...told.matchAll(/"who":"([^"]*)"/g)].map(([, who]) => who)).toEqual(
    Array.from({ length: 4 }, () => 'depends on the scale'),
  )
  const { source } = figure === null ? { source: '' } : await drawChart(figure.chart)
  for (const text of ['>waits less polls<', '>per=exposure<', '>per=decision<', '>+30<', '>neither<'])
    expect(source).toContain(text)
})

test('of a run that sweeps no two settings of the reader there is no picture of who solves more', () => {
  const estimate = () => ({ kind: 'difference' as const, value: 0, low: 0, high: 0 })
  const play = (...models: string[]) => models.flatMap((model) => ['a', 'b'].map((agent) => ({ agent, model })))
  expect(advantageFigure(play('sim:careful'), estimate)).toBe(null)
  expect(advantageFigure(play('sim:careful?patience=1', 'sim:careful?patience=0'), estimate)).toBe(null)
})
