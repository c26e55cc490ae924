import { expect, test } from 'vitest'
import { loadMetrics } from '../../../run/registry.js'
import { trialLine } from '../../../testing/trial-line.js'
import { summarise } from '../../summary.js'
import { measuresOf } from '../../table.js'
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
