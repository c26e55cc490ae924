import { UserError } from '../../contract/index.js'
import type {
  Changes,
  Comparison,
  Cost,
  GroupComparison,
  MetricComparison,
  SideFacts,
  TrialIdentity,
  TrialLine,
} from '../../contract/index.js'
import { SPENT, spendingOf, tariffsFor } from '../../metrics/billing.js'
import { divergenceInWords, firstDivergence } from '../../trace/algebra/behaviour.js'
import { costOver } from '../costs.js'
import { seatOf } from '../summary.js'
import { isSimulatedModel } from '../table.js'
import {
  VIOLATED,
  columnOf,
  columnsOf,
  groupLines,
  isDeterministic,
  matchGroups,
  metricOf,
  pairScenarios,
} from './pairs.js'
import type { Column, Match, Pairing, ScenarioPair, Side } from './pairs.js'
import { oneSided, refuseOrNote } from './refusal.js'
import type { Allowable } from './refusal.js'
import { cellOf, judge } from './verdict.js'
import type { Cell, MetricFacts } from './verdict.js'

/** The confirmatory family where none is named: what a gate watches, as the metrics declare. */
export const confirmatoryOf = (metrics: readonly MetricFacts[]): string[] =>
  metrics
    .flatMap(({ name, shown }) => (shown?.confirmatory === true ? [{ name, place: shown.place }] : []))
    .toSorted((a, b) => a.place - b.place)
    .map(({ name }) => (name === 'violations' ? VIOLATED : name))

export interface CompareOptions {
  metrics: readonly MetricFacts[]
  /** Columns of the confirmatory family; all others are exploratory. */
  confirmatory?: readonly string[]
  /** Of intervals and verdicts; 1 − α. */
  confidence?: number
  allow?: ReadonlySet<Allowable>
  resamples?: number
  /** For which the detectable difference is stated; null: it is not. */
  power?: number | null
}

interface Compared {
  match: Match
  pairing: Pairing
  cells: Cell[]
  changes: Changes | null
}

/** Base and candidate, paired by scenario (docs/design.md#comparison). Throws `Refused` where that would mean nothing. */
export function compare(base: Side, candidate: Side, options: CompareOptions): Comparison {
  const { metrics, confirmatory = confirmatoryOf(options.metrics), confidence = 0.95, power = 0.8 } = options
  checkOptions(metrics, options.confirmatory ?? [], confidence)
  const { margins } = base
  const marginOf = (column: string): number | null => margins[column] ?? margins[metricOf(column)] ?? null
  const hasMargin = ({ name }: Column): boolean => marginOf(name) !== null
  const matching = matchGroups(groupLines(base.lines), groupLines(candidate.lines))
  const notes = refuseOrNote([base, candidate], matching, options.allow ?? new Set())
  const lone = oneSided(base, candidate)
  const without = (column: string): boolean =>
    [...lone.onlyBase, ...lone.onlyCandidate].includes(metricOf(column === VIOLATED ? 'violations' : column))

  const compared = matching.matches.map((match): Compared => {
    const pairing = pairScenarios(match.base, match.candidate)
    const exact = isDeterministic(match.base) && isDeterministic(match.candidate)
    const coupled = [match.base, match.candidate].some(({ first: { model } }) => isSimulatedModel(model))
    return {
      match,
      pairing,
      cells: columnsOf(pairing.pairs, without).map((column) =>
        cellOf(column, {
          confidence,
          seed: 'compare',
          resamples: options.resamples,
          coupled,
          margin: hasMargin(column),
        }),
      ),
      changes: exact ? changesOf(pairing.pairs, without) : null,
    }
  })
  if (compared.every(({ pairing }) => pairing.pairs.length === 0)) throw nothingShared(base, candidate)

  const judged = judge(
    compared.map(({ cells }) => cells),
    { confirmatory, confidence, power, metrics, marginOf },
  )
  return {
    ...nothingCompared(base, candidate, options),
    power,
    groups: compared.map((one, index) => describe(one, judged[index] ?? [])),
    onlyBase: matching.onlyBase.map(({ label }) => label),
    onlyCandidate: matching.onlyCandidate.map(({ label }) => label),
    notes: [...notes, ...measuredOnce(lone)],
    measuredOnce: lone,
  }
}

function checkOptions(metrics: CompareOptions['metrics'], confirmatory: readonly string[], confidence: number): void {
  if (!(confidence > 0.5 && confidence < 1))
    throw new UserError(`A confidence of ${confidence} is not between 0.5 and 1; 0.95 is usual.`)
  const known = [...metrics.map(({ name }) => name), VIOLATED].toSorted()
  const unknown = confirmatory.find((column) => !known.includes(metricOf(column)))
  if (unknown !== undefined) throw new UserError(`No metric named "${unknown}". Known: ${known.join(', ')}.`)
}

function describe({ match, pairing, changes }: Compared, metrics: MetricComparison[]): GroupComparison {
  const { first } = match.candidate
  const broken = (side: 'base' | 'candidate'): number =>
    pairing.pairs.flatMap((pair) => pair[side]).filter(({ outcome }) => outcome === 'infrastructure_error').length
  const { name, ...agent } = seatOf(first).agent
  const { environment, model, thinking } = seatOf(first)
  return {
    label: match.candidate.label,
    environment,
    agent: { name, baseVersion: match.base.first.agentVersion, ...agent },
    model,
    thinking,
    scenarios: pairing.pairs.length,
    onlyBase: pairing.onlyBase,
    onlyCandidate: pairing.onlyCandidate,
    infrastructureErrors: { base: broken('base'), candidate: broken('candidate') },
    metrics,
    cost: match.base.first.model === model ? costOf(pairing.pairs, first) : null,
    changes,
  }
}

function costOf(pairs: readonly ScenarioPair[], { model, thinking }: TrialIdentity): Cost | null {
  if (model === null) return null
  const columns = new Map(Object.values(SPENT).map((name) => [name as string, columnOf(pairs, name)?.values]))
  const spent = pairs.flatMap(({ seed }, index) => {
    const of = (side: 'base' | 'candidate') => spendingOf((name) => columns.get(name)?.[index]?.[side] ?? null)
    const [base, candidate] = [of('base'), of('candidate')]
    return base === null || candidate === null ? [] : [{ seed, base, candidate }]
  })
  return costOver(spent, tariffsFor(model, thinking))
}

/** What is left of a comparison that was refused. */
export function nothingCompared(base: Side, candidate: Side, options: CompareOptions): Comparison {
  return {
    version: 1,
    base: factsOf(base),
    candidate: factsOf(candidate),
    confidence: options.confidence ?? 0.95,
    power: null,
    confirmatory: [...(options.confirmatory ?? confirmatoryOf(options.metrics))],
    groups: [],
    onlyBase: [],
    onlyCandidate: [],
    notes: [],
    measuredOnce: { onlyBase: [], onlyCandidate: [] },
  }
}

const factsOf = ({ name, kind, revision, lines }: Side): SideFacts => ({ name, kind, revision, trials: lines.length })

function nothingShared(base: Side, candidate: Side): UserError {
  return new UserError(
    `${base.name} and ${candidate.name} share no scenario (${example(base)}; ${example(candidate)}). ` +
      'Compare runs of the same environments and agents with the same --seed.',
  )
}

function example({ lines: [first] }: Side): string {
  return first === undefined ? 'no trial' : `e.g. ${first.identity.id}, seed ${first.identity.scenario.seed}`
}

function measuredOnce({ onlyBase, onlyCandidate }: { onlyBase: string[]; onlyCandidate: string[] }): string[] {
  return [['base', onlyBase] as const, ['candidate', onlyCandidate] as const].flatMap(([side, metrics]) =>
    metrics.length === 0 ? [] : [`Measured in the ${side} only, and not compared: ${metrics.join(', ')}.`],
  )
}

/** The exact differences of two deterministic groups. `without` names columns to leave out, as one side alone has measured them. */
function changesOf(pairs: readonly ScenarioPair[], without: (column: string) => boolean): Changes {
  const changes: Changes = { trials: 0, changed: 0, unpaired: 0, outcomes: 0, paths: 0, columns: {}, kinds: [] }
  for (const pair of pairs) changes.unpaired += pair.base.length + pair.candidate.length - 2 * trialPairs(pair).length
  const kinds = new Map<string, string[]>()
  for (const [base, candidate] of pairs.flatMap(trialPairs)) {
    changes.trials++
    const columns = differingColumns(base, candidate).filter((column) => !without(column))
    const acted = actedDifferently(base, candidate)
    if (base.outcome === candidate.outcome && !acted && columns.length === 0 && base.error === candidate.error) continue
    changes.changed++
    if (base.outcome !== candidate.outcome) changes.outcomes++
    if (base.behaviour?.path !== candidate.behaviour?.path) changes.paths++
    for (const column of columns) changes.columns[column] = (changes.columns[column] ?? 0) + 1
    const what = inWords(base, candidate, columns)
    kinds.set(what, [...(kinds.get(what) ?? []), candidate.identity.id])
  }
  changes.columns = Object.fromEntries(
    Object.entries(changes.columns).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)),
  )
  changes.kinds = [...kinds]
    .map(([what, trials]) => ({ what, trials }))
    .toSorted((a, b) => b.trials.length - a.trials.length)
  return changes
}

function trialPairs({ base, candidate }: ScenarioPair): [TrialLine, TrialLine][] {
  return candidate.flatMap((line): [TrialLine, TrialLine][] => {
    const other = base.find(({ identity }) => identity.replica === line.identity.replica)
    return other === undefined ? [] : [[other, line]]
  })
}

function differingColumns(base: TrialLine, candidate: TrialLine): string[] {
  const names = new Set([...Object.keys(base.metrics), ...Object.keys(candidate.metrics)])
  return [...names].filter((name) => (base.metrics[name] ?? null) !== (candidate.metrics[name] ?? null))
}

const actedDifferently = (base: TrialLine, candidate: TrialLine): boolean =>
  base.behaviour?.full !== candidate.behaviour?.full || base.behaviour?.structural !== candidate.behaviour?.structural

function inWords(base: TrialLine, candidate: TrialLine, columns: readonly string[]): string {
  const divergence = firstDivergence(candidate.behaviour?.path ?? '', base.behaviour?.path ?? '')
  if (divergence !== null) return divergenceInWords(divergence, 'the base')
  if (actedDifferently(base, candidate)) return 'the same steps with other words or values in them'
  if (columns.length > 0) return `the same steps with other figures: ${columns.slice(0, 3).join(', ')}`
  return 'the same steps with another outcome or error'
}
