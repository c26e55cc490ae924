import { OUTCOMES } from '../../../define/index.js'
import type { Outcome } from '../../../define/index.js'
import type { Group } from '../../summary.js'
import type { Figure } from './figure.js'
import { isSimulated, rowLabel, rowAxis } from './rows.js'

const COLOURS: Record<Outcome, string> = {
  solved: 'var(--c3)',
  violated: 'var(--bad)',
  unsolved: 'var(--c7)',
  deadlocked: 'var(--c4)',
  out_of_time: 'var(--c5)',
  out_of_budget: 'var(--c6)',
  agent_error: 'var(--c8)',
  infrastructure_error: 'var(--c2)',
}

/** How the trials of each agent ended. */
export function outcomesFigure(groups: readonly Group[]): Figure {
  const seen = OUTCOMES.filter((outcome) => groups.some((group) => group.outcomes[outcome] > 0))
  const values = groups.flatMap((group) =>
    seen.map((outcome, order) => ({
      agent: rowLabel(group, groups),
      outcome: outcome.replaceAll('_', ' '),
      order,
      share: group.trials === 0 ? 0 : group.outcomes[outcome] / group.trials,
    })),
  )
  return {
    title: 'Outcomes',
    remark: 'Share of all trials; infrastructure errors are among them.',
    simulated: isSimulated(groups),
    chart: {
      width: 190,
      height: { step: 30 },
      data: { values },
      mark: { type: 'bar', height: 13 },
      encoding: {
        y: rowAxis,
        x: {
          field: 'share',
          type: 'quantitative',
          title: null,
          scale: { domain: [0, 1] },
          axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
        },
        order: { field: 'order' },
        color: {
          field: 'outcome',
          type: 'nominal',
          title: null,
          sort: null,
          scale: {
            domain: seen.map((outcome) => outcome.replaceAll('_', ' ')),
            range: seen.map((outcome) => COLOURS[outcome]),
          },
        },
      },
    },
  }
}
