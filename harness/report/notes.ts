import type { Cost, Group, Metric, Summary } from '../contract/index.js'
import { clean } from '../trace/text.js'
import { sumOf } from '../stats/summary.js'
import { contrastNotes } from './contrast-table.js'
import { COST_IN_WORDS, PRICINGS_IN_WORDS, costInWords } from './costs.js'
import { frontNotes } from './front.js'
import { agentLabel, capital, cases, columnsOf, count, isSimulatedModel } from './table.js'
import type { Measure } from './table.js'

/** What a reader must know to read the tables. */
export function notes(summary: Summary): string[] {
  const broken = sumOf(summary.groups, ({ infrastructureErrors }) => infrastructureErrors)
  const replicated = summary.groups.some(({ trials, scenarios }) => trials > scenarios)
  const clocks = [...new Set(summary.groups.map(({ clock }) => clock))].filter((clock) => clock !== 'virtual')
  const simulated = summary.groups.some(({ model }) => isSimulatedModel(model))
  return [
    ...(simulated ? [SIMULATED] : []),
    ...columnNotes(columnsOf(summary)),
    ...predictionNotes(summary),
    ...contrastNotes(summary.contrasts ?? []),
    ...frontNotes(summary),
    ...costNotes(summary),
    ...clocks.map((clock) => `Real time decided (${clock}): these trials do not come back.`),
    ...summary.groups.flatMap(reportedNote),
    ...limitNotes(summary),
    ...(replicated ? ['Replicas are averaged inside their scenario; pass^k: k of one scenario all solve it.'] : []),
    ...(broken > 0
      ? [
          `Trials that ended in an infrastructure error (n!): ${broken}. They count as not solved, and are left out of everything else.`,
        ]
      : []),
  ]
}

/** Whose trials a limit has ended: they might have been solved with more. */
function limitNotes(summary: Summary): string[] {
  const told = [
    ['out_of_budget', 'a budget of the trial (model calls, tokens, operations or cost)'],
    ['out_of_context', 'the length of the model’s context'],
  ] as const
  return told.flatMap(([outcome, what]) => {
    const ended = cases(summary).flatMap(({ groups }) =>
      groups.flatMap((group) =>
        group.outcomes[outcome] > 0
          ? [`${agentLabel(group, groups)} ${group.outcomes[outcome]} of ${group.trials}`]
          : [],
      ),
    )
    return ended.length === 0 ? [] : [`Trials ended by ${what}: ${ended.join(', ')}.`]
  })
}

/** Do exposures alone explain how often the simulated reader's agents solve it? Where nothing can go wrong there is no question. */
function predictionNotes(summary: Summary): string[] {
  const asked = cases(summary).flatMap(({ groups }) =>
    groups.flatMap((group) => {
      const predicted = group.metrics['predicted']?.mean ?? null
      const { low, high } = group.solved
      if (predicted === null || predicted >= 1 || low === null || high === null || group.scenarios < ENOUGH) return []
      const [exposures, slips] = ['exposures', 'slips'].map((name) => group.metrics[`${name}.serious`]?.mean ?? null)
      const label = agentLabel(group, groups)
      const figures = `${label} (${count(exposures ?? null)} exposures, ${count(slips ?? null)} slips)`
      return [{ label, figures, explained: low <= predicted && predicted <= high }]
    }),
  )
  const explained = asked.filter((each) => each.explained)
  const others = asked.filter((each) => !each.explained)
  const few = asked.length <= MOST_NAMED && new Set(asked.map(({ label }) => label)).size === asked.length
  const who = (some: typeof asked): string =>
    few ? some.map(({ figures }) => figures).join(', ') : `${some.length} of ${asked.length} rows`
  const isExposed = ({ metrics }: Group): boolean => metrics['exposures.serious']?.mean !== 0
  const labels = (groups: readonly Group[]) => new Set(groups.map((group) => agentLabel(group, summary.groups)))
  const exposed = labels(summary.groups.filter(isExposed))
  const names = [...labels(summary.groups)].filter((label) => !exposed.has(label))
  return [
    ...(names.length > 0
      ? [
          `Nothing is predicted for ${names.join(', ')}, without a serious exposure: where such an agent fails, it is for what it cannot do.`,
        ]
      : []),
    ...(explained.length > 0
      ? [
          `Solved is as predicted, within its interval, for ${who(explained)}: their differences are counts of exposures.`,
        ]
      : []),
    ...(others.length > 0
      ? [`Solved is not as predicted for ${who(others)}: there slips do less harm, or something else does more.`]
      : []),
  ]
}
const MOST_NAMED = 8
/** In the interval of fewer scenarios almost everything lies. */
const ENOUGH = 10

/** Of each two agents of a run, for its notes. Where they met more than once, how often which. */
function costNotes({ groups, costs }: Summary): string[] {
  const pairs = new Map<string, Duel>()
  for (const cost of costs.filter(({ verdict }) => verdict !== 'too few')) {
    const [base, candidate] = [groups[cost.base], groups[cost.candidate]]
    if (base === undefined || candidate === undefined) continue
    const names = { base: agentLabel(base, groups), candidate: agentLabel(candidate, groups) }
    const key = JSON.stringify(names)
    pairs.set(key, { ...names, met: [...(pairs.get(key)?.met ?? []), cost] })
  }
  if (pairs.size === 0) return []
  const duels = [...pairs.values()]
  const told = duels.length > MOST_DUELS ? ranked(duels) : duels.map(inFull)
  return [`Billed tokens of two agents, paired by scenario; all pricings: ${PRICINGS_IN_WORDS}. ${told.join('; ')}.`]
}

/** Two agents, and what the candidate cost beside the base wherever they met. */
interface Duel {
  base: string
  candidate: string
  met: Cost[]
}

/** As many as three agents make; of more each pair has its place in a list. */
const MOST_DUELS = 3

function inFull({ base, candidate, met }: Duel): string {
  const pair = `${candidate} beside ${base}`
  const [only, ...others] = met
  if (only !== undefined && others.length === 0) return `${pair}: ${costInWords(only)}`
  const counts = Object.entries(COST_IN_WORDS).flatMap(([verdict, words]) => {
    const times = met.filter((cost) => cost.verdict === verdict).length
    return times === 0 ? [] : [`${words} in ${times} of ${met.length} rows`]
  })
  return `${pair}: ${counts.join(', ')}`
}

/** Whom each agent undercuts wherever they met, then the pairs of which that can be said neither way. */
function ranked(duels: readonly Duel[]): string[] {
  const under = new Map<string, string[]>()
  const open: string[] = []
  for (const { base, candidate, met } of duels) {
    const all = (verdict: Cost['verdict']): boolean => met.every((cost) => cost.verdict === verdict)
    if (all('cheaper')) under.set(candidate, [...(under.get(candidate) ?? []), base])
    else if (all('dearer')) under.set(base, [...(under.get(base) ?? []), candidate])
    else open.push(`${candidate} beside ${base}`)
  }
  const won = [...under].map(([agent, others]) => `${agent} is cheaper in all pricings than ${others.join(', ')}`)
  const depends = `it depends on the pricing or the row, or cannot be told, for ${open.join(', ')}`
  return open.length === 0 ? won : [...won, depends]
}

/** How the figures of the columns were summed up. */
function columnNotes(columns: readonly Measure[]): string[] {
  const of = (kind: Metric['summedUp']) => columns.filter(({ metric: { summedUp = 'mean' } }) => summedUp === kind)
  const counts = of('count').map(({ called, shown }) => `${called} counts the scenarios with ${shown.among ?? 'any'}`)
  const means = of('mean').map(({ called }) => called)
  const last = means.at(-1) ?? ''
  const listed = means.length < 2 ? `${last} is a mean` : `${means.slice(0, -1).join(', ')} and ${last} are means`
  const medians = of('median').map(({ metric, called, shown: { among } }) => {
    const which = among === undefined ? 'those that have a value' : `the ${among} ones`
    return `${called} is the median of ${which}${metric.unit === 'ms' ? ', in virtual time' : ''}`
  })
  const figures = [...(means.length === 0 ? [] : [`${listed} per scenario`]), ...medians].join('; ')
  return [
    `${['n counts scenarios, the unit of analysis', '[ ] is the Wilson interval at 95 %', ...counts].join('; ')}.`,
    ...(figures === '' ? [] : [`${capital(figures)}.`]),
  ]
}

const SIMULATED =
  'sim: is the simulated model: a parametric reader, not a language model; intervals are Monte-Carlo error of an authored world.'

/** The word of a program stands beside what was measured, never in it. */
function reportedNote(group: Group): string[] {
  if (group.metrics['reported.programs'] === undefined) return []
  const said = (key: string): number | null => group.metrics[`reported.${key}`]?.mean ?? null
  const [calls, prompt, completion] = ['calls', 'prompt_tokens', 'completion_tokens'].map(said)
  const own =
    typeof calls === 'number' && typeof prompt === 'number' && typeof completion === 'number'
      ? `By their own word, which nobody has checked: ${count(calls)} calls, ${count(prompt + completion)} tokens per scenario.`
      : 'They report nothing.'
  return [`* ${clean(group.agent.name)}: without what its programs use. ${own}`]
}
