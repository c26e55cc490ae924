import { VERDICTS } from '../../contract/index.js'
import type { Comparison, GroupComparison, MetricComparison, SideFacts } from '../../contract/index.js'
import { sumOf } from '../../stats/summary.js'
import { clean, counted } from '../../trace/text.js'
import { PRICINGS_IN_WORDS, costInWords } from '../costs.js'
import { ABSENT, capital, isSimulatedModel, left, percent, quantity, right } from '../table.js'
import type { Table } from '../table.js'
import { isRegression } from './gate.js'

/** One group as a table: what `keep` chooses of its metrics, the confirmatory ones first. */
export function groupTable(
  comparison: Comparison,
  group: GroupComparison,
  keep: (metric: MetricComparison) => boolean,
): Table {
  const rank = ({ column, family }: MetricComparison): number =>
    family === 'confirmatory' ? comparison.confirmatory.indexOf(column) : comparison.confirmatory.length
  const metrics = group.metrics.filter(keep).toSorted((a, b) => rank(a) - rank(b))
  return {
    caption: `${clean(group.label)} · ${counted(group.scenarios, 'scenario')}`,
    simulated: isSimulatedModel(group.model),
    columns: [
      left('metric'),
      right('n', 2),
      right('base'),
      right('candidate'),
      right(`change [${confidence(comparison)}]`),
      right('p', 1),
      left('verdict'),
    ],
    rows: metrics.map((metric) => metricCells(metric)),
  }
}

export const confidence = ({ confidence: level }: Comparison): string => `${Number((level * 100).toPrecision(4))} %`

export function metricCells(metric: MetricComparison): string[] {
  return [
    metric.family === 'confirmatory' ? clean(metric.column) : `${clean(metric.column)} (exploratory)`,
    String(metric.n),
    shown(metric.base, metric),
    shown(metric.candidate, metric),
    changeText(metric),
    pText(metric.adjusted),
    verdictText(metric),
  ]
}

const shown = (value: number | null, { kind, unit }: MetricComparison): string =>
  kind === 'rate' ? percent(value) : quantity(value, unit)

export function changeText({ estimate }: MetricComparison): string {
  if (estimate === null) return ABSENT
  const { kind, value, low, high } = estimate
  if (kind === 'difference') return `${points(value)} pts [${points(low)}, ${points(high)}]`
  const digits = [value, low, high].every((bound) => bound > 0.9 && bound < 1.1) ? 3 : 2
  const [shownValue, ...bounds] = [value, low, high].map((number) => ratio(number, digits))
  return `×${shownValue} [${bounds.join(', ')}]${kind === 'shifted' ? ' of value + 1' : ''}`
}

function points(share: number): string {
  const value = Math.round(share * 1_000) / 10
  return `${value > 0 ? '+' : ''}${value === 0 ? 0 : value}`
}

const ratio = (value: number, digits = 2): string => (value < 10 ? value.toFixed(digits) : String(Math.round(value)))

function pText(p: number | null): string {
  if (p === null) return ABSENT
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/** `no evidence` says what would have been found, and `worse` whether it is more than the margin allows. */
export function verdictText(metric: MetricComparison): string {
  const { verdict, kind, detectable, scenariosNeeded, margin, beyondMargin } = metric
  if (verdict === 'no evidence') {
    if (scenariosNeeded !== null) return `no evidence: ${metric.n} of ${counted(scenariosNeeded, 'scenario')} needed`
    if (detectable === null) return verdict
    return `no evidence (${kind === 'rate' ? `${points(detectable).slice(1)} pts` : `×${ratio(detectable)}`} detectable)`
  }
  if (verdict === 'equivalent' && margin !== null) return `equivalent (margin ${marginText(kind, margin)})`
  if (verdict !== 'worse') return verdict
  if (!beyondMargin && margin !== null) return `worse, within the margin of ${marginText(kind, margin)}`
  return isRegression(metric) ? 'WORSE' : 'worse'
}

const marginText = (kind: MetricComparison['kind'], margin: number): string =>
  kind === 'rate' ? `${points(margin).slice(1)} pts` : `${Number((margin * 100).toPrecision(4))} %`

/** Is there anything to tell of a group? */
export const hasNews = ({ metrics, changes }: GroupComparison): boolean =>
  metrics.some(({ verdict }) => verdict !== 'unchanged') || (changes?.changed ?? 0) > 0

/** The whole comparison in one sentence. */
export function headline({ groups, onlyBase, onlyCandidate, measuredOnce }: Comparison): string {
  if (groups.length === 0) return 'Nothing was compared.'
  const trials = sumOf(groups, ({ changes }) => changes?.trials ?? 0)
  const changed = sumOf(groups, ({ changes }) => changes?.changed ?? 0)
  const exact = groups.every(({ changes }) => changes !== null)
  const told = groups.flatMap(({ metrics }) => metrics.filter(({ family }) => family === 'confirmatory'))
  const counts = VERDICTS.slice(0, 3).flatMap((verdict) => {
    const found = told.filter((metric) => metric.verdict === verdict)
    const regressions = found.filter(isRegression).length
    if (found.length === 0) return []
    return regressions > 0 && regressions < found.length
      ? [`${found.length} ${verdict} (${regressions} beyond the margin)`]
      : [`${found.length} ${verdict}`]
  })
  const lone = onlyBase.length + onlyCandidate.length
  const once = measuredOnce.onlyBase.length + measuredOnce.onlyCandidate.length
  const unpaired = sumOf(groups, ({ changes }) => changes?.unpaired ?? 0)
  const missing = [
    lone === 0 ? '' : ` ${counted(lone, 'group', 'are')} on one side only.`,
    unpaired === 0 ? '' : ` ${counted(unpaired, 'replica', 'are')} on one side only.`,
    once === 0 ? '' : ` ${counted(once, 'metric', 'are')} measured on one side only, and not compared.`,
  ].join('')
  if (exact && changed === 0)
    return `No change: ${trials === 1 ? 'the only trial is' : `all ${trials} trials are`} identical in outcome, behaviour and figures.${missing}`
  const trialsPart = trials === 0 ? '' : `${changed} of ${counted(trials, 'deterministic trial')} changed; `
  const verdicts = counts.length === 0 ? 'no evidence of a change' : counts.join(', ')
  return `${capital(`${trialsPart}${verdicts}`)} among ${counted(told.length, 'confirmatory metric')} of ${counted(groups.length, 'group')}.${missing}`
}

export function sideText({ name, kind, revision, trials }: SideFacts): string {
  const facts = [kind, counted(trials, 'trial'), ...(revision === null ? [] : [`revision ${shortRevision(revision)}`])]
  return `${clean(name)} (${facts.join(', ')})`
}

export const shortRevision = (revision: string): string => {
  const [hash = '', mark] = revision.split('+')
  return mark === undefined ? hash.slice(0, 10) : `${hash.slice(0, 10)}+${mark}`
}

/** The exact changes of a group, one line each, the most frequent first. */
export function changeLines({ changes, agent, environment }: GroupComparison, most: number): string[] {
  if (changes === null || changes.changed === 0) return []
  const { trials, changed, outcomes, columns, kinds } = changes
  const figures = Object.entries(columns)
    .filter(([column]) => column !== 'outcome')
    .map(([column, times]) => `${clean(column)} ${times}`)
  const version =
    agent.baseVersion === agent.version
      ? ` Neither ${clean(agent.name)} (version ${clean(agent.version)}) nor ${clean(environment.name)} has a new version.`
      : ''
  return [
    `${changed} of ${counted(trials, 'trial')} changed: ${[`outcome ${outcomes}`, `path ${changes.paths}`, ...figures.slice(0, 5)].join(', ')}.${version}`,
    ...kinds
      .slice(0, most)
      .map(({ what, trials: ids }) => `${ids.length} × ${clean(what)}, e.g. ${clean(ids[0] ?? '')}`),
    ...(kinds.length > most ? [`and ${counted(kinds.length - most, 'other kind')}.`] : []),
  ]
}

/** Who costs less, where that is told. */
export const costLines = ({ cost }: GroupComparison): string[] =>
  cost === null || cost.verdict === 'no evidence' || cost.verdict === 'too few'
    ? []
    : [`Billed tokens: ${costInWords(cost)}.`]

/** What a reader must know beside the verdicts. */
export function comparisonNotes(comparison: Comparison): string[] {
  const { groups, onlyBase, onlyCandidate, notes } = comparison
  const broken = (side: 'base' | 'candidate'): number =>
    sumOf(groups, ({ infrastructureErrors }) => infrastructureErrors[side])
  const lost = sumOf(groups, (group) => group.onlyBase)
  const added = sumOf(groups, (group) => group.onlyCandidate)
  return [
    ...notes.map(clean),
    ...(onlyBase.length > 0 ? [`In the base only: ${onlyBase.map(clean).join(', ')}.`] : []),
    ...(onlyCandidate.length > 0 ? [`In the candidate only: ${onlyCandidate.map(clean).join(', ')}.`] : []),
    ...(lost + added > 0
      ? [`Scenarios of one side only are left out: ${lost} of the base, ${added} of the candidate, over all groups.`]
      : []),
    ...(broken('base') + broken('candidate') > 0
      ? [
          `Trials that an infrastructure error ended count as not solved: base ${broken('base')}, candidate ${broken('candidate')}.`,
        ]
      : []),
    ...(groups.length === 0 ? [] : readingNotes(comparison)),
  ]
}

/** How the figures were come by. */
function readingNotes(comparison: Comparison): string[] {
  const { groups, power } = comparison
  const simulated = groups.some(({ model }) => isSimulatedModel(model))
  return [
    `Paired by scenario; [ ] is the interval at ${confidence(comparison)} of a difference (Newcombe) or a ratio (bootstrap); ` +
      `p is McNemar's mid-p or Wilcoxon's, by Holm over the confirmatory metrics (${comparison.confirmatory.map(clean).join(', ')}), ` +
      `by Benjamini–Hochberg over the exploratory ones.` +
      (power === null ? '' : ` Detectable: found with a power of ${Math.round(power * 100)} %.`),
    ...(groups.some((group) => costLines(group).length > 0) ? [`All pricings: ${PRICINGS_IN_WORDS}.`] : []),
    ...(simulated
      ? [
          'sim: is the simulated model, not a language model; tests tell its scenarios from chance, no more. Its rates have an interval and no p: how many scenarios differ is a product of draws that both sides share.',
        ]
      : []),
  ]
}
