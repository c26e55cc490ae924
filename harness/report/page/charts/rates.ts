import { OUTCOMES } from '../../../contract/index.js'
import type { Outcome } from '../../../contract/index.js'
import type { Group } from '../../summary.js'
import { agentLabel } from '../../table.js'
import type { Measure } from '../../table.js'
import { capital, isFew, isSimulated, rowAxis, rowLabel, signsOf, tokensOf } from './draw.js'
import type { Figure } from './draw.js'

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

/** A share of the scenarios of each agent, with its interval. */
export function rateFigure(groups: readonly Group[], { title, rate: of }: Measure): Figure {
  const values = groups.flatMap((group) => {
    const share = of?.(group) ?? null
    if (share === null) return []
    const { rate, low, high } = share
    return [{ agent: rowLabel(group, groups), rate, low, high, few: isFew(share) }]
  })
  const colour = { condition: { test: 'datum.few', value: 'var(--faint)' }, value: 'var(--mark)' }
  return {
    title: capital(title),
    remark: `Share of scenarios and its Wilson interval at 95 %. Grey: fewer than 10 ${title}.`,
    simulated: isSimulated(groups),
    chart: {
      width: 190,
      height: { step: 30 },
      data: { values },
      encoding: {
        y: rowAxis,
      },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: {
            x: {
              field: 'low',
              type: 'quantitative',
              title: null,
              scale: { domain: [0, 1] },
              axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
            },
            x2: { field: 'high' },
            color: colour,
          },
        },
        { mark: { type: 'point' }, encoding: { x: { field: 'rate', type: 'quantitative' }, color: colour } },
      ],
    },
  }
}

/** What an agent costs against what it achieves; agents without a model cost no token and are left out. */
export function tokensFigure(groups: readonly Group[]): Figure | null {
  const values = groups.flatMap((group) => {
    const tokens = tokensOf(group)
    if (group.model === null || tokens === null) return []
    const { rate, low, high } = group.solved
    return [{ agent: agentLabel(group, groups), tokens, rate, low, high, few: isFew(group.solved) }]
  })
  if (values.length === 0) return null
  // Models and thinking policies of one agent share its sign: more signs than agents could not be told apart.
  const agents = [...new Set(values.map(({ agent }) => agent))]
  const { colours, shapes, legend } = signsOf(agents)
  const series = { field: 'agent', type: 'nominal' as const, sort: null, title: null, legend }
  return {
    title: 'Tokens against solved',
    remark: 'Mean prompt and completion tokens per scenario. Faint: fewer than 10 solved.',
    simulated: isSimulated(groups),
    chart: {
      width: 250,
      height: 170,
      data: { values },
      encoding: {
        x: {
          field: 'tokens',
          type: 'quantitative',
          title: 'tokens',
          scale: { zero: true, nice: true },
          axis: { tickCount: 5, format: '~s' },
        },
        color: { ...series, scale: { domain: agents, range: colours } },
        opacity: { condition: { test: 'datum.few', value: 0.55 }, value: 1 },
      },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: {
            y: {
              field: 'low',
              type: 'quantitative',
              title: 'solved',
              scale: { domain: [0, 1] },
              axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
            },
            y2: { field: 'high' },
          },
        },
        {
          mark: { type: 'point', size: 110 },
          encoding: {
            y: { field: 'rate', type: 'quantitative' },
            shape: { ...series, scale: { domain: agents, range: shapes } },
          },
        },
      ],
    },
  }
}
