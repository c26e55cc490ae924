import type { Comparison, GroupComparison, SideFacts } from '../compare/comparison.js'
import { isRegression } from '../compare/gate.js'
import { VERDICTS } from '../compare/verdict.js'
import { clean } from '../trace/text.js'
import { confidence } from './comparison-table.js'

/** The whole comparison in one sentence. */
export function headline({ groups, onlyBase, onlyCandidate, measuredOnce }: Comparison): string {
  const trials = sum(groups, ({ changes }) => changes?.trials ?? 0)
  const changed = sum(groups, ({ changes }) => changes?.changed ?? 0)
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
  const unpaired = sum(groups, ({ changes }) => changes?.unpaired ?? 0)
  const missing = [
    lone === 0 ? '' : ` ${lone} groups are on one side only.`,
    unpaired === 0 ? '' : ` ${unpaired} replicas are on one side only.`,
    once === 0 ? '' : ` ${once} metrics are measured on one side only, and not compared.`,
  ].join('')
  if (exact && changed === 0)
    return `No change: all ${trials} trials are identical in outcome, behaviour and figures.${missing}`
  const trialsPart = trials === 0 ? '' : `${changed} of ${trials} deterministic trials changed; `
  const verdicts = counts.length === 0 ? 'no evidence of a change' : counts.join(', ')
  return `${capital(`${trialsPart}${verdicts}`)} among ${told.length} confirmatory metrics of ${groups.length} ${groups.length === 1 ? 'group' : 'groups'}.${missing}`
}

const sum = (groups: readonly GroupComparison[], of: (group: GroupComparison) => number): number =>
  groups.reduce((total, group) => total + of(group), 0)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function sideText({ name, kind, revision, trials }: SideFacts): string {
  const facts = [kind, `${trials} trials`, ...(revision === null ? [] : [`revision ${shortRevision(revision)}`])]
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
    `${changed} of ${trials} trials changed: ${[`outcome ${outcomes}`, `path ${changes.paths}`, ...figures.slice(0, 5)].join(', ')}.${version}`,
    ...kinds
      .slice(0, most)
      .map(({ what, trials: ids }) => `${ids.length} × ${clean(what)}, e.g. ${clean(ids[0] ?? '')}`),
    ...(kinds.length > most ? [`and ${kinds.length - most} other kinds.`] : []),
  ]
}

/** What a reader must know beside the verdicts. */
export function comparisonNotes(comparison: Comparison): string[] {
  const { groups, onlyBase, onlyCandidate, notes, power } = comparison
  const broken = (side: 'base' | 'candidate'): number =>
    sum(groups, ({ infrastructureErrors }) => infrastructureErrors[side])
  const errors = { base: broken('base'), candidate: broken('candidate') }
  const unpaired = {
    base: sum(groups, (group) => group.onlyBase),
    candidate: sum(groups, (group) => group.onlyCandidate),
  }
  const simulated = groups.some(({ model }) => model?.startsWith('sim:') === true)
  return [
    ...notes.map(clean),
    ...(onlyBase.length > 0 ? [`In the base only: ${onlyBase.map(clean).join(', ')}.`] : []),
    ...(onlyCandidate.length > 0 ? [`In the candidate only: ${onlyCandidate.map(clean).join(', ')}.`] : []),
    ...(unpaired.base + unpaired.candidate > 0
      ? [
          `Scenarios of one side only are left out: ${unpaired.base} of the base, ${unpaired.candidate} of the candidate, over all groups.`,
        ]
      : []),
    ...(errors.base + errors.candidate > 0
      ? [
          `Trials that an infrastructure error ended count as not solved: base ${errors.base}, candidate ${errors.candidate}.`,
        ]
      : []),
    `Paired by scenario; [ ] is the interval at ${confidence(comparison)} of a difference (Newcombe) or a ratio (bootstrap); ` +
      `p is McNemar's mid-p or Wilcoxon's, by Holm over the confirmatory metrics (${comparison.confirmatory.map(clean).join(', ')}), ` +
      `by Benjamini–Hochberg over the exploratory ones.` +
      (power === null ? '' : ` Detectable: found with a power of ${Math.round(power * 100)} %.`),
    ...(simulated
      ? ['sim: is the simulated model, not a language model; tests tell its scenarios from chance, no more.']
      : []),
  ]
}
