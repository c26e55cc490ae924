import { expect, test } from 'vitest'
import type { Outcome, TrialLine } from '../../../contract/index.js'
import { trialLine } from '../../../testing/trial-line.js'
import { chooseScenes } from './svg.js'

const line = (
  agent: string,
  scenario: number,
  outcome: Outcome,
  more: { model?: string | null; replica?: number } = {},
) => trialLine({ id: `${agent}/${scenario}${more.replica ?? ''}`, agent, scenario, ...more }, { outcome })
const scenes = (lines: TrialLine[], wanted: string[] = []) => chooseScenes(() => lines, wanted)

test('by default the first scenario is shown in which agents with a model ended differently', () => {
  expect(
    scenes([
      line('a', 0, 'solved'),
      line('b', 0, 'solved'),
      line('control', 0, 'unsolved', { model: null }),
      line('a', 1, 'violated'),
      line('a', 1, 'violated', { replica: 1 }),
      line('b', 1, 'solved'),
      line('b', 1, 'violated', { model: 'sim:other' }),
      line('a', 2, 'solved'),
      line('b', 2, 'violated'),
    ]),
  ).toEqual([{ environment: 'kettle', scenario: 1, ids: ['a/1', 'b/1'] }])
})

test('where nothing differs the first scenario is shown, and where nobody has a model none', () => {
  expect(scenes([line('a', 4, 'solved'), line('a', 5, 'solved')])).toEqual([
    { environment: 'kettle', scenario: 4, ids: ['a/4'] },
  ])
  expect(scenes([line('a', 4, 'solved', { model: null })])).toEqual([])
})

test('wanted trials stand above each other in the wanted order where they share a scenario', () => {
  const lines = [line('a', 0, 'solved'), line('b', 0, 'solved'), line('a', 1, 'solved')]
  expect(scenes(lines, ['b/0', 'a/1', 'a/0'])).toEqual([
    { environment: 'kettle', scenario: 0, ids: ['b/0', 'a/0'] },
    { environment: 'kettle', scenario: 1, ids: ['a/1'] },
  ])
})
