import { expect, test } from 'vitest'
import type { TrialLine } from '../../../contract/index.js'
import { loadMetrics } from '../../../run/registry.js'
import { identityOf } from '../../../testing/trace-builder.js'
import { trialLine } from '../../../testing/trial-line.js'
import { curvesOf } from '../../curves.js'
import { summarise } from '../../summary.js'
import { measuresOf } from '../../table.js'
import { curveFigures } from './curve.js'
import { drawChart } from './draw.js'

function line(litres: number | string, calls: number): TrialLine {
  const { identity, metrics, ...rest } = trialLine({})
  const scenario = { ...identityOf().scenario, params: { litres } }
  return { ...rest, identity: { ...identity, scenario }, metrics: { ...metrics, model_calls: calls } }
}

/** The remark of the picture of model calls. */
async function callsAlong(calls: number[]) {
  const lines = calls.map((count, litres) => line(litres + 1, count))
  const summary = summarise(lines, { metrics: await loadMetrics() })
  const [curve] = curvesOf(summary)
  const figure =
    curve && curveFigures(curve, measuresOf(summary)).find(({ title }) => title === 'Model calls along litres')
  return figure?.remark
}

test('calls along a parameter stand on a logarithm where they grow tenfold, and else on an even scale', async () => {
  expect(await callsAlong([10, 99])).toBe('Mean per scenario.')
  expect(await callsAlong([10, 100])).toBe('Mean per scenario. Logarithmic, without zeros.')
  expect(await callsAlong([0, 10, 99])).toBe('Mean per scenario.')
})

test('where nothing was counted the axis goes from 0 to 1, and what nowhere has a value has no picture', async () => {
  const lines = [1, 2].map((litres) => {
    const { metrics, ...rest } = line(litres, 0)
    return { ...rest, metrics: { ...metrics, solved: false, makespan_ms: null } }
  })
  const summary = summarise(lines, { metrics: await loadMetrics() })
  const [curve] = curvesOf(summary)
  const figures = curve === undefined ? [] : curveFigures(curve, measuresOf(summary))
  expect(figures.map(({ title }) => title)).not.toContain('Makespan along litres')
  const drawn = await Promise.all(figures.map(async ({ chart }) => String(await drawChart(chart))))
  expect(drawn.filter((svg) => svg.includes('NaN'))).toEqual([])
})

test('the words along an axis are never cut', async () => {
  const words = [
    'the first of all of them',
    'the second of all of them',
    'the third',
    'and the last one, which is long',
  ]
  const lines = words.map((litres) => line(litres, 3))
  const summary = summarise(lines, { metrics: await loadMetrics() })
  const [curve] = curvesOf(summary)
  const [figure] = curve === undefined ? [] : curveFigures(curve, measuresOf(summary))
  const svg = figure === undefined ? '' : String(await drawChart(figure.chart))
  expect(words.filter((word) => !svg.includes(`>${word}<`))).toEqual([])
})

test('a legend tells variants of one agent apart, however long their names are', async () => {
  const variant = (goalPolicy: string, documents: number): TrialLine => {
    const { identity, ...rest } = line(documents, 10)
    return { ...rest, identity: { ...identity, agent: 'an-agent-of-some-name', agentParams: { goalPolicy } } }
  }
  const lines = ['sequential', 'merged'].flatMap((policy) => [variant(policy, 1), variant(policy, 2)])
  const summary = summarise(lines, { metrics: await loadMetrics() })
  const [curve] = curvesOf(summary)
  const [figure] = curve === undefined ? [] : curveFigures(curve, measuresOf(summary))
  const svg = figure === undefined ? '' : String(await drawChart(figure.chart))
  const legend = ['sequential', 'merged'].map((policy) => svg.includes(`>an-agent-of-some-name goalPolicy=${policy}<`))
  expect(legend).toEqual([true, true])
})
