import { OUTCOMES } from '../../../contract/index.js'
import type { Group, Outcome, TrialLine } from '../../../contract/index.js'
import { quantile } from '../../../stats/summary.js'
import { groupKey, lineKey } from '../../summary.js'
import { agentLabel, capital, duration } from '../../table.js'
import type { Measure } from '../../table.js'
import { SHARES, amount, isFew, isSimulated, rowLabel, scaleOf, signsOf } from './draw.js'
import type { Figure } from './draw.js'

/** A row per group. What tells agents of one name apart stands below the name, so that it is not cut off. */
const rowAxis = {
  field: 'agent',
  type: 'nominal' as const,
  sort: null,
  title: null,
  axis: {
    domain: false,
    ticks: false,
    labelExpr: "split(replace(datum.label, ' ', '\\n'), '\\n')",
    // Vega centres the first of several lines.
    labelOffset: { condition: { test: "indexof(datum.label, ' ') >= 0", value: -6 }, value: 0 },
  },
}

/** The size of a picture with a row per group. */
const ROWS = { width: 190, height: { step: 30 } }

/** The colour of a mark: grey on too little evidence. */
const evidence = { condition: { test: 'datum.few', value: 'var(--faint)' }, value: 'var(--mark)' }

const COLOURS: Record<Outcome, string> = {
  solved: 'var(--c3)',
  violated: 'var(--bad)',
  unsolved: 'var(--c7)',
  deadlocked: 'var(--c4)',
  out_of_time: 'var(--c5)',
  out_of_budget: 'var(--c6)',
  out_of_context: 'var(--c1)',
  agent_error: 'var(--c8)',
  infrastructure_error: 'var(--c2)',
}

/** How the trials of each agent ended. */
export function outcomesFigure(groups: readonly Group[]): Figure {
  const seen = OUTCOMES.filter((outcome) => groups.some((group) => group.outcomes[outcome] > 0))
  const words = seen.map((outcome) => outcome.replaceAll('_', ' '))
  const values = groups.flatMap((group) =>
    seen.map((outcome, order) => ({
      agent: rowLabel(group, groups),
      outcome: words[order],
      order,
      share: group.trials === 0 ? 0 : group.outcomes[outcome] / group.trials,
    })),
  )
  const scale = { domain: words, range: seen.map((outcome) => COLOURS[outcome]) }
  return {
    title: 'Outcomes',
    remark: 'Share of all trials; infrastructure errors are among them.',
    simulated: isSimulated(groups),
    chart: {
      ...ROWS,
      data: { values },
      mark: { type: 'bar', height: 13 },
      encoding: {
        y: rowAxis,
        x: amount('share', { title: null, ...SHARES }),
        order: { field: 'order' },
        color: { field: 'outcome', type: 'nominal', title: null, sort: null, scale },
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
  const interval = { x: amount('low', { title: null, ...SHARES }), x2: { field: 'high' }, color: evidence }
  return {
    title: capital(title),
    remark: `Share of scenarios and its Wilson interval at 95 %. Grey: fewer than 10 ${title}.`,
    simulated: isSimulated(groups),
    chart: {
      ...ROWS,
      data: { values },
      encoding: { y: rowAxis },
      layer: [
        { mark: { type: 'rule', strokeWidth: 2 }, encoding: interval },
        { mark: { type: 'point' }, encoding: { x: amount('rate'), color: evidence } },
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
  const { color, shape } = signsOf([...new Set(values.map(({ agent }) => agent))])
  const costs = { title: 'tokens', scale: { zero: true, nice: true }, axis: { tickCount: 5, format: '~s' } }
  const interval = { y: amount('low', { title: 'solved', ...SHARES }), y2: { field: 'high' } }
  return {
    title: 'Tokens against solved',
    remark: 'Mean prompt and completion tokens per scenario. Faint: fewer than 10 solved.',
    simulated: isSimulated(groups),
    chart: {
      width: 250,
      height: 170,
      data: { values },
      encoding: {
        x: amount('tokens', costs),
        color,
        opacity: { condition: { test: 'datum.few', value: 0.55 }, value: 1 },
      },
      layer: [
        { mark: { type: 'rule', strokeWidth: 2 }, encoding: interval },
        { mark: { type: 'point', size: 110 }, encoding: { y: amount('rate'), shape } },
      ],
    },
  }
}

/** Mean prompt and completion tokens of a scenario. */
function tokensOf({ metrics }: Group): number | null {
  const prompt = metrics['prompt_tokens']?.mean ?? null
  const completion = metrics['completion_tokens']?.mean ?? null
  return prompt === null || completion === null ? null : prompt + completion
}

/** The values of a metric by group key, trial by trial. */
type Values = ReadonlyMap<string, readonly number[]>

/** Reads the lines once, whatever is asked for. */
export function valuesOf(lines: Iterable<TrialLine>, names: readonly string[]): (name: string) => Values {
  const all = new Map(names.map((name) => [name, new Map<string, number[]>()]))
  for (const line of lines) {
    const key = lineKey(line)
    for (const [name, groups] of all) {
      const value = line.metrics[name]
      if (typeof value !== 'number') continue
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [value])
      else known.push(value)
    }
  }
  return (name) => all.get(name) ?? new Map()
}

/** How a figure is spread over trials: deciles, quartiles and median, so that its size does not grow with the run's. */
export function spreadFigure(groups: readonly Group[], valuesIn: Values, measure: Measure): Figure | null {
  const { divisor, axis: title } = scaleOf(measure)
  const { among } = measure.shown
  const time = measure.metric.unit === 'ms' ? ', in virtual time' : ''
  const which = among === undefined ? '' : `Of ${among} trials${time}: `
  const values = groups.flatMap((group) => {
    const all = valuesIn.get(groupKey(group)) ?? []
    if (all.length === 0) return []
    const at = [10, 25, 50, 75, 90].map((share) => [`p${share}`, (quantile(all, share / 100) ?? 0) / divisor])
    return [{ agent: rowLabel(group, groups), ...Object.fromEntries(at), few: all.length < 10 }]
  })
  if (values.length === 0) return null
  const deciles = amount('p10', { title, scale: { zero: true }, axis: { tickCount: 5 } })
  return {
    title: capital(measure.title),
    remark: `${which}10–90 %, quartiles, median. Grey: fewer than 10${among === undefined ? '' : ` ${among}`}.`,
    simulated: isSimulated(groups),
    chart: {
      ...ROWS,
      data: { values },
      encoding: { y: rowAxis },
      layer: [
        { mark: { type: 'rule' }, encoding: { x: deciles, x2: { field: 'p90' }, color: evidence } },
        { mark: { type: 'bar', height: 10 }, encoding: { x: amount('p25'), x2: { field: 'p75' }, color: evidence } },
        { mark: { type: 'tick', size: 18, thickness: 2.5, color: 'var(--ink)' }, encoding: { x: amount('p50') } },
      ],
    },
  }
}

const PARTS = [
  ['delivered', 'until it was delivered', 'var(--c7)'],
  ['call', 'until a model call began', 'var(--c6)'],
  ['decision', 'until it had decided', 'var(--c2)'],
  ['operation', 'until the operation', 'var(--c3)'],
] as const

/** From a signal to what the agent did about it, in its parts. */
export function reactionFigure(groups: readonly Group[]): Figure | null {
  const thinking = groups.filter(({ model, metrics }) => model !== null && metrics['reaction_ms.reacted'] !== undefined)
  if (!thinking.some(({ metrics }) => metrics['reaction_ms.total'] !== undefined)) return null
  const bars = thinking.flatMap((group) =>
    PARTS.flatMap(([part, label], order) => {
      const ms = group.metrics[`reaction_ms.${part}`]?.mean ?? null
      return ms === null ? [] : [{ agent: rowLabel(group, groups), part: label, order, seconds: ms / 1_000 }]
    }),
  )
  const totals = thinking.map((group) => {
    const total = PARTS.reduce((sum, [part]) => sum + (group.metrics[`reaction_ms.${part}`]?.mean ?? 0), 0)
    return { agent: rowLabel(group, groups), end: total / 1_000, text: totalInWords(group) }
  })
  // Beside the longest bar there is room for its text.
  const domain = [0, Math.max(...totals.map(({ end }) => end), 0.001) * 1.7]
  const seconds = { title: 'virtual seconds', scale: { domain, nice: false }, axis: { tickCount: 4 } }
  const parts = { domain: PARTS.map(([, label]) => label), range: PARTS.map(([, , colour]) => colour) }
  return {
    title: 'Reaction time',
    remark: 'From a signal to the first accepted operation or claim that was decided with knowledge of it: mean parts.',
    simulated: isSimulated(groups),
    chart: {
      ...ROWS,
      encoding: { y: { ...rowAxis, scale: { domain: totals.map(({ agent }) => agent) } } },
      layer: [
        {
          data: { values: bars },
          mark: { type: 'bar', height: 12 },
          encoding: {
            x: amount('seconds', seconds),
            order: { field: 'order' },
            color: { field: 'part', type: 'nominal', title: null, sort: null, scale: parts, legend: { columns: 1 } },
          },
        },
        {
          data: { values: totals },
          mark: { type: 'text', align: 'left', dx: 5, fontSize: 10 },
          encoding: { x: amount('end'), text: { field: 'text', type: 'nominal' } },
        },
      ],
    },
  }
}

function totalInWords({ metrics }: Group): string {
  const total = metrics['reaction_ms.total']?.mean ?? null
  const censored = metrics['reaction_ms.censored']
  const never = Math.round((censored?.mean ?? 0) * (censored?.n ?? 0))
  if (total === null) return never === 0 ? 'no signal came' : `never (${never} signals)`
  return never === 0 ? duration(total) : `${duration(total)}, ${never} never`
}
