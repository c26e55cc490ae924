import { expect, test } from 'vitest'
import { trialLine } from '../testing/trial-line.js'
import { notes } from './notes.js'
import { summarise } from './summary.js'

test('whose trials a budget or the context has ended is said, with how many', () => {
  const line = (agent: string, index: number, outcome: 'solved' | 'out_of_budget' | 'out_of_context') => ({
    ...trialLine({ id: `w/${agent}/${index}`, agent }),
    outcome,
  })
  const told = (...lines: ReturnType<typeof trialLine>[]) =>
    notes(summarise(lines, { metrics: [] })).filter((note) => note.startsWith('Trials ended by'))
  expect(told(line('first', 0, 'solved'), line('second', 0, 'solved'))).toEqual([])
  expect(
    told(
      line('first', 0, 'out_of_budget'),
      line('first', 1, 'solved'),
      line('second', 0, 'out_of_context'),
      line('third', 0, 'out_of_budget'),
    ),
  ).toEqual([
    'Trials ended by a budget of the trial (model calls, tokens, operations or cost): first 1 of 2, third 1 of 1.',
    'Trials ended by the length of the model’s context: second 1 of 1.',
  ])
})
