import { expect, test } from 'vitest'
import type { Metric } from '../contract/index.js'
import { trialLine } from '../testing/trial-line.js'
import { sparkline, trendTable, trends } from './history.js'
import { summarise } from './summary.js'

const calls: Metric = { name: 'model_calls', unit: 'count', better: 'lower', summary: '', source: '', of: () => null }

function past(day: number, agent: string, solved: number, modelCalls: number) {
  const lines = Array.from({ length: 4 }, (_, scenario) =>
    trialLine({ scenario, agent }, { metrics: { solved: scenario < solved, model_calls: modelCalls } }),
  )
  return {
    run: `run-${day}`,
    startedAt: `2026-11-0${day}T10:00:00.000Z`,
    revision: day === 3 ? null : `${day}234567890abcdef+changes`,
    summary: summarise(lines, { metrics: [calls] }),
  }
}

test('a trend holds every run of a group from the oldest on, with intervals of rates', () => {
  const all = trends([past(2, 'a', 4, 8), past(1, 'a', 2, 10), past(3, 'b', 1, 1)], ['solved', 'model_calls'])
  expect(all.map(({ agent, runs }) => [agent.name, runs.map(({ run }) => run)])).toEqual([
    ['a', ['run-1', 'run-2']],
    ['b', ['run-3']],
  ])
  const [first] = all
  if (first === undefined) throw new Error('There is a trend.')
  const table = trendTable(first, all)
  expect(table.caption).toBe('kettle · a · sim:typical')
  expect(table.columns.map(({ title }) => title)).toEqual([
    'date',
    'revision',
    'run',
    'versions',
    'n',
    'solved',
    'model_calls',
  ])
  expect(table.rows).toEqual([
    ['2026-11-01 10:00', '1234567890+changes', 'run-1', '1/1', '4', '50 % [15, 85]', '10'],
    ['2026-11-02 10:00', '2234567890+changes', 'run-2', '1/1', '4', '100 % [51, 100]', '8'],
    ['trend', '', '', '', '', '▁█', '█▁'],
  ])
})

test('a sparkline spans its values, leaves a gap for none, and puts equal ones in the middle', () => {
  expect([sparkline([0, 1, 2, 3, 4, 5, 6, 7]), sparkline([1, null, 2]), sparkline([3, 3]), sparkline([null])]).toEqual([
    '▁▂▃▄▅▆▇█',
    '▁ █',
    '▅▅',
    ' ',
  ])
})
