import { expect, test } from 'vitest'
import type { TrialLine } from '../../contract/index.js'
import { pairedDifference } from '../../stats/proportion.js'
import type { PairedCells } from '../../stats/proportion.js'
import { trialLine } from '../../testing/trial-line.js'
import { summarise } from '../summary.js'
import { createDifferences } from './comparison.js'

const line = (agent: string, scenario: number, solved: boolean, tokens: number, replica = 0): TrialLine =>
  trialLine(
    { agent, scenario, replica },
    {
      outcome: solved ? 'solved' : 'unsolved',
      metrics: { solved, billed_tokens: tokens, makespan_ms: solved ? tokens * 10 : null },
    },
  )

function compared(lines: TrialLine[]) {
  const [base, candidate] = summarise(lines, { metrics: [] }).groups
  if (base === undefined || candidate === undefined) throw new Error('Two groups are needed.')
  return createDifferences(lines)(base, candidate)
}

function newcombe(cells: PairedCells) {
  const { difference: value, low, high } = pairedDifference(cells) ?? { difference: NaN, low: NaN, high: NaN }
  return { kind: 'difference', value, low, high }
}

test('agents are paired by scenario: solved by Newcombe, billed tokens and makespan as ratios over the pairs that have both', () => {
  const lines = Array.from({ length: 15 }, (_, scenario) => [
    line('base', scenario, scenario < 13, 100 + scenario),
    line('candidate', scenario, scenario > 0, 2 * (100 + scenario)),
  ]).flat()
  const { pairs, solved, billed, makespan } = compared([...lines, line('base', 99, true, 1)])
  expect({ pairs, solved }).toEqual({
    pairs: 15,
    solved: newcombe({ both: 12, onlyBase: 1, onlyCandidate: 2, neither: 0 }),
  })
  expect([billed?.value, makespan?.value]).toEqual([expect.closeTo(2, 9), expect.closeTo(2, 9)])
})

test('where nothing differs the doubt is shown all the same, and amounts of zero have no ratio', () => {
  const lines = ['base', 'candidate'].flatMap((agent) =>
    Array.from({ length: 8 }, (_, scenario) => line(agent, scenario, true, agent === 'base' ? 1 : 5)),
  )
  const none = lines.map((one) => ({ ...one, metrics: { ...one.metrics, billed_tokens: 0 } }))
  expect(compared(none)).toMatchObject({
    solved: newcombe({ both: 8, onlyBase: 0, onlyCandidate: 0, neither: 0 }),
    billed: { kind: 'shifted', value: 1 },
  })
})

test('replicas are averaged inside their scenario, and infrastructure errors count as unsolved without tokens', () => {
  const lines = [
    line('base', 0, true, 100),
    line('base', 0, false, 300, 1),
    line('candidate', 0, true, 100),
    trialLine({ agent: 'candidate', replica: 1 }, { outcome: 'infrastructure_error', metrics: {} }),
  ]
  expect(compared(lines)).toEqual({
    pairs: 1,
    solved: newcombe({ both: 0.5, onlyBase: 0, onlyCandidate: 0, neither: 0.5 }),
    billed: null,
    makespan: null,
  })
})
