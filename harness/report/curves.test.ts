import { expect, test } from 'vitest'
import type { JsonObject, TrialLine } from '../contract/index.js'
import { identityOf } from '../testing/trace-builder.js'
import { trialLine } from '../testing/trial-line.js'
import { curvesOf } from './curves.js'
import { summarise } from './summary.js'

type Changes = {
  agent?: string
  model?: string | null
  thinking?: string
  agentParams?: JsonObject
  params?: JsonObject
}

function line({ params = {}, ...changes }: Changes): TrialLine {
  const { version, identity, ...rest } = trialLine(changes)
  return { version, identity: { ...identity, scenario: { ...identityOf().scenario, params } }, ...rest }
}

/** The curves without their groups. */
const shapes = (lines: TrialLine[]) =>
  curvesOf(summarise(lines, { metrics: [] })).map(({ series, ...curve }) => ({
    ...curve,
    series: series.map(({ label, points }) => [label, ...points.map(({ x }) => x)]),
  }))

const both = (...xs: (number | string)[]) => [
  ['a', ...xs],
  ['oracle', ...xs],
]

test('a parameter that was swept is an axis; another axis makes pictures of their own', () => {
  const points = [
    { litres: 1, lid: true },
    { litres: 1, lid: false },
    { litres: 5, lid: true },
    { litres: 5, lid: false },
  ]
  const lines = points.flatMap((params) => [
    line({ agent: 'a', params }),
    line({ agent: 'oracle', model: null, params }),
  ])
  const world = { environment: 'kettle', agent: null }
  expect(shapes(lines)).toEqual([
    { axis: 'litres', kind: 'number', setting: 'lid=true', ...world, series: both(1, 5) },
    { axis: 'litres', kind: 'number', setting: 'lid=false', ...world, series: both(1, 5) },
    { axis: 'lid', kind: 'word', setting: 'litres=1', ...world, series: both('true', 'false') },
    { axis: 'lid', kind: 'word', setting: 'litres=5', ...world, series: both('true', 'false') },
  ])
})

test('thinking times and traits of a reader are axes, models are not, and an agent’s other parameter is another line', () => {
  expect(shapes(['fixed:500', 'fixed:8000'].map((thinking) => line({ thinking })))).toMatchObject([
    { axis: 'thinking time (ms)', kind: 'number', series: [['react-polling', 500, 8_000]] },
  ])
  expect(shapes(['tokens:5', 'tokens:500'].map((thinking) => line({ thinking })))).toMatchObject([
    { axis: 'tokens a second', kind: 'number', series: [['react-polling', 5, 500]] },
  ])
  expect(shapes(['sim:careful?patience=0', 'sim:careful?patience=0.5'].map((model) => line({ model })))).toMatchObject([
    { axis: 'patience', kind: 'number', series: [['react-polling', 0, 0.5]] },
  ])
  expect(shapes(['one', 'two'].map((model) => line({ model })))).toEqual([])
  const swept = [1, 2].flatMap((litres) =>
    [10, 20].map((pollMs) => line({ params: { litres }, agentParams: { pollMs } })),
  )
  expect(shapes(swept).map(({ axis, series }) => [axis, ...series])).toEqual([
    ['litres', ['react-polling pollMs=10', 1, 2], ['react-polling pollMs=20', 1, 2]],
    ['pollMs', ['react-polling', 10, 20]],
    ['pollMs', ['react-polling', 10, 20]],
  ])
})

test('ablations of one thing at a time make one line per number, and none of words or of who stands alone', () => {
  const full = { guard: true, window: 7 }
  const ablations = [full, { ...full, guard: false }, { ...full, window: 2 }]
  const lines = ablations.map((agentParams) => line({ agent: 's-ora', agentParams }))
  expect(shapes([...lines, line({ agent: 'a' })])).toEqual([
    {
      axis: 'window',
      kind: 'number',
      setting: '',
      environment: 'kettle',
      agent: 's-ora',
      series: [['s-ora', 7, 2]],
    },
  ])
})

test('a run without a grid has no curve', () => {
  expect(shapes([line({}), line({ agent: 's-ora' }), line({ agent: 'oracle', model: null })])).toEqual([])
})

test('faults of delivery that a scenario leaves out stand at their default', () => {
  const cases: JsonObject[] = [{}, { doorbellDrop: 0.3 }, { doorbellDrop: 0.5 }]
  const lines = cases.map((params) => line({ agent: 'a', params }))
  expect(shapes(lines)).toEqual([
    {
      axis: 'doorbellDrop',
      kind: 'number',
      setting: '',
      environment: 'kettle',
      agent: null,
      series: [['a', 0, 0.3, 0.5]],
    },
  ])
})
