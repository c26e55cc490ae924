import { expect, test } from 'vitest'
import type { TrialLine } from '../../../define/index.js'
import { loadMetrics } from '../../../run/discover.js'
import { identityOf } from '../../../testing/trace-builder.js'
import { trialLine } from '../../../testing/trial-line.js'
import { curvesOf } from '../../curves.js'
import { summarise } from '../../summary.js'
import { curveFigures } from './curve.js'

function line(litres: number, calls: number): TrialLine {
  const { identity, metrics, ...rest } = trialLine({})
  const scenario = { ...identityOf().scenario, params: { litres } }
  return { ...rest, identity: { ...identity, scenario }, metrics: { ...metrics, model_calls: calls } }
}

/** The remark of the picture of model calls. */
async function callsAlong(calls: number[]) {
  const lines = calls.map((count, litres) => line(litres + 1, count))
  const [curve] = curvesOf(summarise(lines, { metrics: await loadMetrics() }))
  const figure = curve && curveFigures(curve).find(({ title }) => title === 'Model calls along litres')
  return figure?.remark
}

test('calls along a parameter stand on a logarithm where they grow twentyfold, and else on an even scale', async () => {
  expect(await callsAlong([10, 199])).toBe('Mean per scenario.')
  expect(await callsAlong([10, 200])).toBe('Mean per scenario. Logarithmic, without zeros.')
  expect(await callsAlong([0, 10, 199])).toBe('Mean per scenario.')
})
