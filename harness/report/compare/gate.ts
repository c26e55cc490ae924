import type {
  Changes,
  Comparison,
  Failure,
  GateResult,
  GroupComparison,
  MetricComparison,
} from '../../contract/index.js'
import { counted } from '../../trace/text.js'
import { VIOLATED, metricOf } from './pairs.js'

/** `worse`: a confirmatory metric is worse beyond its margin. `change`: that, or anything at all differs. */
export const FAIL_ON = ['worse', 'change', 'never'] as const
export type FailOn = (typeof FAIL_ON)[number]

export const NO_GATE: GateResult = { failures: [], undecided: null }

/** A test that cannot be made decides nothing: it neither passes nor fails. */
export function gate(comparison: Comparison, failOn: FailOn): GateResult {
  if (failOn === 'never') return NO_GATE
  const { groups } = comparison
  const worse = groups.flatMap((group) =>
    group.metrics
      .filter(isRegression)
      .map((metric) => fail(group.label, metric.column, `${group.label}: ${metric.column} is worse${means(metric)}.`)),
  )
  if (failOn === 'worse') return { failures: worse, undecided: missing(comparison) ?? undecided(groups) }
  return { failures: [...worse, ...groups.flatMap(changed), ...oneSided(comparison)], undecided: null }
}

function means({ base, candidate }: MetricComparison): string {
  return base === null || candidate === null ? '' : ` (${rounded(base)} → ${rounded(candidate)})`
}

const rounded = (value: number): number => Number(value.toPrecision(4))

export const isRegression = ({ family, verdict, beyondMargin }: MetricComparison): boolean =>
  family === 'confirmatory' && verdict === 'worse' && beyondMargin

/** Of deterministic trials every difference counts, of others those that chance does not explain. */
function changed({ label, changes, metrics, scenarios, onlyBase, onlyCandidate }: GroupComparison): Failure[] {
  const because = (sentence: string, metric: string | null = null): Failure =>
    fail(label, metric, `${label}: ${sentence}`)
  const other = onlyBase + onlyCandidate
  const unpaired =
    other === 0 ? [] : [because(`${counted(other, 'scenario', 'are')} on one side only, ${scenarios} on both.`)]
  if (changes === null) {
    return metrics
      .filter(({ verdict }) => verdict === 'better' || verdict === 'differs' || verdict === 'worse')
      .filter((metric) => !isRegression(metric))
      .map((metric) => {
        const verdict = metric.verdict === 'differs' ? 'different' : metric.verdict
        return because(`${metric.column} is ${verdict}${means(metric)}.`, metric.column)
      })
      .concat(unpaired)
  }
  if (changes.unpaired > 0) unpaired.push(because(`${counted(changes.unpaired, 'replica', 'are')} on one side only.`))
  return changes.changed === 0 ? unpaired : [because(changesInWords(changes)), ...unpaired]
}

/** “41 of 50 trials changed (the outcome in 28, …); the first difference is step 6: … (38 trials; 2 other kinds)”. */
export function changesInWords({ trials, changed: count, outcomes, columns, kinds }: Changes): string {
  const [first, ...others] = kinds
  if (first === undefined) return `none of ${counted(trials, 'trial')} changed.`
  const figures = Object.entries(columns).filter(([column]) => column !== 'outcome')
  const named = figures.slice(0, MOST_NAMED).map(([column, times]) => `${column} in ${times}`)
  const parts = [
    ...(outcomes > 0 ? [`the outcome in ${outcomes}`] : []),
    ...named,
    ...(figures.length > MOST_NAMED ? ['…'] : []),
  ]
  const more = others.length === 0 ? '' : `; ${counted(others.length, 'other kind')}`
  return (
    `${count} of ${counted(trials, 'trial')} changed${parts.length === 0 ? '' : ` (${parts.join(', ')})`}; ` +
    `the first difference is ${first.what} (${counted(first.trials.length, 'trial')}${more}).`
  )
}

const MOST_NAMED = 3

const oneSided = (comparison: Comparison): Failure[] => {
  const sides = [['onlyBase', 'base'] as const, ['onlyCandidate', 'candidate'] as const]
  return [
    ...sides.flatMap(([only, side]) =>
      comparison.measuredOnce[only].map((metric) => fail('', metric, `${metric} is measured in the ${side} only.`)),
    ),
    ...sides.flatMap(([only, side]) =>
      comparison[only].map((group) => fail(group, null, `${group} is in the ${side} only.`)),
    ),
  ]
}

const fail = (group: string, metric: string | null, sentence: string): Failure => ({ group, metric, sentence })

/** What the base has and the candidate has not cannot be said to be no worse. */
function missing({ onlyBase, groups, measuredOnce, confirmatory }: Comparison): string | null {
  const [lost] = onlyBase
  const [part] = groups.filter((group) => group.onlyBase > 0)
  const metric = confirmatory.find((column) =>
    measuredOnce.onlyBase.includes(column === VIOLATED ? 'violations' : metricOf(column)),
  )
  const what =
    lost ??
    (part === undefined ? undefined : `${counted(part.onlyBase, 'scenario')} of ${part.label}`) ??
    (metric === undefined ? undefined : `the metric ${metric}`)
  if (what === undefined) return null
  return `The base has ${what}, the candidate has not: whether it is worse cannot be told. Finish the run, name what to compare with --agents or --metrics, or use --fail-on never.`
}

/** Too few scenarios for any verdict on a confirmatory metric that changed. */
function undecided(groups: readonly GroupComparison[]): string | null {
  const short = groups.flatMap(({ label, scenarios: n, metrics }) =>
    metrics
      .filter(({ family }) => family === 'confirmatory')
      .map(({ column, scenariosNeeded }) => ({ label, column, n, needed: scenariosNeeded ?? 0 }))
      .filter(({ needed }) => n < needed),
  )
  const [first] = short
  if (first === undefined) return null
  const needed = Math.max(...short.map((cell) => cell.needed))
  return (
    `${counted(first.n, 'shared scenario')} cannot tell whether ${first.column} of ${first.label} is worse: at least ${needed} are needed. ` +
    'Run more scenarios on both sides, or use --fail-on change or never.'
  )
}
