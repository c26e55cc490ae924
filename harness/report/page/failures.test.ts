import { expect, test } from 'vitest'
import type { ReportInput, Trace, TrialLine } from '../../contract/index.js'
import { story } from '../../testing/trace-builder.js'
import { loadMetrics } from '../../run/registry.js'
import { trialLine } from '../../testing/trial-line.js'
import { summarise } from '../summary.js'
import { failuresOf } from './outcomes.js'

const metrics = await loadMetrics()
const input = (lines: TrialLine[], traces: Record<string, Trace>): ReportInput => ({
  title: '',
  facts: [],
  folder: '',
  codebook: '',
  summary: summarise(lines, { metrics }),
  lines: () => lines,
  trace: async (id) => {
    const trace = traces[id] ?? null
    return { trace, note: trace === null ? `The run kept no trace of ${id}.` : null }
  },
  timelines: [],
})
const gaveUp = (at: number, text: string): Trace =>
  story()
    .as('operator')
    .operate('kettle.heat')
    .at(at)
    .add({ kind: 'claim', claim: 'gave_up', text })
    .verdict('unsolved').trace
const unsolved = (id: string, error: string | null = null) => trialLine({ id }, { outcome: 'unsolved', error })

test('trials that failed alike but for numbers and quoted words are told once, most frequent first', async () => {
  const lines = [unsolved('lost/0', 'Something else.'), trialLine({ id: 'fine' }), unsolved('a/1'), unsolved('a/2')]
  const found = await failuresOf(input(lines, { 'a/1': gaveUp(2_000, 'No.'), 'a/2': gaveUp(31_500, 'Never.') }))
  expect([...found.values()]).toEqual([
    {
      hidden: 0,
      failures: [
        {
          outcome: 'unsolved',
          ids: ['a/1', 'a/2'],
          reasons: [
            'When the last agent ended at 2 s, the goal was not reached, and the world did not get there by itself.',
            'operator gave up at 2 s: “No.”',
          ],
        },
        { outcome: 'unsolved', ids: ['lost/0'], reasons: ['Something else.', 'The run kept no trace of lost/0.'] },
      ],
    },
  ])
})

test('beyond fifty failed trials of an agent the rest is counted, and no trace of it is read', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => unsolved(`a/${index}`))
  const given = input(lines, {})
  let read = 0
  const found = await failuresOf({ ...given, trace: (id) => (read++, given.trace(id)) })
  expect([...found.values()].map(({ hidden, failures }) => [hidden, failures.map(({ ids }) => ids.length)])).toEqual([
    [10, [50]],
  ])
  expect(read).toBe(50)
})
