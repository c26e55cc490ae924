import canonicalize from 'canonicalize'
import { DEFAULT_CACHE } from '../../contract/index.js'
import type { Json, JsonObject, TrialIdentity, TrialLine } from '../../contract/index.js'
import { mean } from '../../stats/summary.js'
import { isSimulatedModel } from '../table.js'

/** One of the two that are compared: a run or a baseline. */
export interface Side {
  /** How sentences call it. */
  name: string
  kind: 'run' | 'baseline'
  revision: string | null
  /** Versions of the metrics that made the lines; empty where the run did not record them. */
  graders: Readonly<Record<string, string>>
  /** Per metric: what is as good as no difference. Absolute for rates, relative for amounts. */
  margins: Readonly<Record<string, number>>
  lines: readonly TrialLine[]
  /** The files that a run took from outside. */
  plugins?: readonly string[]
}

/** `reaction_ms.total` is a column of the metric `reaction_ms`. */
export const metricOf = (column: string): string => column.split('.')[0] ?? column

/** The metrics that a side has measured. */
export function measured({ graders, lines }: Side): Set<string> {
  const recorded = Object.keys(graders)
  return new Set(recorded.length > 0 ? recorded : lines.flatMap(({ metrics }) => Object.keys(metrics).map(metricOf)))
}

/**
 * What two trials must have in common to be compared, beside environment, agent and seed, and how a difference reads.
 * Agent versions may differ: they are what one compares.
 */
export const ASPECTS = [
  ['clock', 'the clock policy differs', ({ clock }) => clock],
  ['environment-version', 'the version of the environment differs', ({ scenario }) => scenario.environmentVersion],
  ['params', 'the parameters of the environment differ', ({ scenario }) => scenario.params],
  ['agent-params', 'the parameters of the agent differ', ({ agentParams }) => agentParams],
  ['model', 'the model differs', ({ model }) => model],
  ['thinking', 'the thinking policy differs', ({ thinking }) => thinking],
  ['limits', 'the limits differ', ({ limits }) => ({ ...limits })],
  ['cache', 'the settings of the prompt cache differ', ({ cache = DEFAULT_CACHE }) => cache],
] as const satisfies (readonly [name: string, sentence: string, of: (identity: TrialIdentity) => Json])[]
export type Aspect = (typeof ASPECTS)[number][0]

/** The trials of one case × agent × model × thinking policy, scenario by scenario. */
export interface Group {
  /** Like the ids of its trials: `water-hammer[rampMs=1000]/s-ora/sim:typical`. */
  label: string
  environment: string
  agent: string
  aspects: ReadonlyMap<Aspect, string>
  first: TrialIdentity
  /** By index and seed; replicas in their order. */
  scenarios: Map<string, TrialLine[]>
}

/** Groups in the order of their first lines. A trial that stands twice counts once: the last. */
export function groupLines(lines: Iterable<TrialLine>): Group[] {
  const groups = new Map<string, Group>()
  for (const line of lines) {
    const { identity } = line
    const { environment } = identity.scenario
    const aspects = new Map(ASPECTS.map(([aspect, , of]) => [aspect, canonical(of(identity))]))
    const key = canonical([environment, identity.agent, ...aspects.values()])
    const group = groups.get(key) ?? {
      label: groupLabel(identity),
      environment,
      agent: identity.agent,
      aspects,
      first: identity,
      scenarios: new Map<string, TrialLine[]>(),
    }
    groups.set(key, group)
    const scenario = `${identity.scenario.index}/${identity.scenario.seed}`
    const others = (group.scenarios.get(scenario) ?? []).filter((other) => other.identity.replica !== identity.replica)
    const replicas = [...others, line].toSorted((a, b) => a.identity.replica - b.identity.replica)
    group.scenarios.set(scenario, replicas)
  }
  return [...groups.values()]
}

/** The id without scenario and replica. */
export function groupLabel({ id }: TrialIdentity): string {
  return id.replace(/\/\d+(\/r\d+)?$/, '')
}

export const canonical = (value: Json): string => canonicalize(value) ?? ''

/** Equal identities give equal traces: the model is none, or the simulated one, and time is virtual. */
export function isDeterministic({ first: { model, clock, thinking } }: Group): boolean {
  return clock === 'virtual' && thinking !== 'measured' && (model === null || isSimulatedModel(model))
}

export interface Match {
  base: Group
  candidate: Group
  /** In what they differ although they are compared. */
  differing: Aspect[]
}

export interface Matching {
  matches: Match[]
  onlyBase: Group[]
  onlyCandidate: Group[]
}

/**
 * Groups that are equal in all aspects belong together. Of what is left, groups of one environment and agent that both
 * sides have are told as differing, the nearest first: by the number of aspects, then by their parameters, so that cases
 * of two grids are held against those that they are most like. The rest is on one side only.
 */
export function matchGroups(base: readonly Group[], candidate: readonly Group[]): Matching {
  const matches: Match[] = []
  const left = new Set(base)
  const right = new Set(candidate)
  const take = (one: Group, other: Group): void => {
    matches.push({ base: one, candidate: other, differing: differences(one, other) })
    left.delete(one)
    right.delete(other)
  }
  for (const one of base) {
    const twin = candidate.find(
      (other) => right.has(other) && isAlike(one, other) && differences(one, other).length === 0,
    )
    if (twin !== undefined) take(one, twin)
  }
  const possible = [...left].flatMap((one) =>
    [...right].filter((other) => isAlike(one, other)).map((other) => ({ one, other, distance: distance(one, other) })),
  )
  for (const { one, other } of possible.toSorted((a, b) => a.distance - b.distance)) {
    if (left.has(one) && right.has(other)) take(one, other)
  }
  const rank = new Map(candidate.map((group, index) => [group, index]))
  matches.sort((a, b) => (rank.get(a.candidate) ?? 0) - (rank.get(b.candidate) ?? 0))
  return { matches, onlyBase: [...left], onlyCandidate: [...right] }
}

const isAlike = (one: Group, other: Group): boolean =>
  one.environment === other.environment && one.agent === other.agent

const differences = (one: Group, other: Group): Aspect[] =>
  [...one.aspects.keys()].filter((aspect) => one.aspects.get(aspect) !== other.aspects.get(aspect))

/** An aspect counts more than any number of parameters; two numbers of one parameter are apart by what the greater has more. */
function distance(one: Group, other: Group): number {
  const [a, b] = [one.first, other.first]
  const params = apart(a.scenario.params, b.scenario.params) + apart(a.agentParams, b.agentParams)
  return differences(one, other).length + params / (1 + params)
}

function apart(one: JsonObject, other: JsonObject): number {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return keys.reduce((sum, key) => {
    const [a, b] = [one[key], other[key]]
    if (JSON.stringify(a) === JSON.stringify(b)) return sum
    if (typeof a !== 'number' || typeof b !== 'number') return sum + 2
    return sum + 1 + Math.abs(a - b) / (Math.abs(a) + Math.abs(b))
  }, 0)
}

/** One scenario that both sides have played, with its replicas. */
export interface ScenarioPair {
  seed: string
  base: TrialLine[]
  candidate: TrialLine[]
}

export interface Pairing {
  pairs: ScenarioPair[]
  /** Scenarios of one side alone. */
  onlyBase: number
  onlyCandidate: number
}

export function pairScenarios(base: Group, candidate: Group): Pairing {
  const pairs = [...candidate.scenarios].flatMap(([key, lines]) => {
    const others = base.scenarios.get(key)
    const seed = lines[0]?.identity.scenario.seed
    return others === undefined || seed === undefined ? [] : [{ seed, base: others, candidate: lines }]
  })
  return {
    pairs,
    onlyBase: base.scenarios.size - pairs.length,
    onlyCandidate: candidate.scenarios.size - pairs.length,
  }
}

/** A column of one scenario on both sides; replicas are averaged. Null: the scenario has no value. */
export interface ValuePair {
  seed: string
  base: number | null
  candidate: number | null
}

export interface Column {
  name: string
  /** A rate where every trial says yes or no, an amount elsewhere. */
  kind: 'rate' | 'amount'
  values: ValuePair[]
}

/** Whether a trial did any harm: the rate that `violations` counts the kinds of. */
export const VIOLATED = 'violated'

/** All columns that a number can be had of, in the order of their names; `without` names metrics to leave out. */
export function columnsOf(pairs: readonly ScenarioPair[], without: (column: string) => boolean): Column[] {
  const lines = pairs.flatMap(({ base, candidate }) => [...base, ...candidate])
  const names = new Set(lines.flatMap(({ metrics }) => Object.keys(metrics)))
  if (names.has('violations')) names.add(VIOLATED)
  return [...names]
    .filter((name) => !without(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => columnOf(pairs, name) ?? [])
}

/** Null where no line has a value. What infrastructure ended is not solved, and has no other value (docs/design.md#statistics). */
export function columnOf(
  pairs: readonly ScenarioPair[],
  name: string,
  valueOf: (line: TrialLine) => unknown = (line) => figureOf(line, name),
): Column | null {
  const read = (line: TrialLine): number | boolean | null => {
    if (line.outcome === 'infrastructure_error') return name === 'solved' ? false : null
    const value = valueOf(line)
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
  const average = (lines: readonly TrialLine[]): number | null =>
    mean(lines.flatMap((line) => read(line) ?? []).map(Number))
  const raw = pairs
    .flatMap(({ base, candidate }) => [...base, ...candidate].map(read))
    .filter((value) => value !== null)
  if (raw.length === 0) return null
  return {
    name,
    kind: raw.every((value) => typeof value === 'boolean') ? 'rate' : 'amount',
    values: pairs.map(({ seed, base, candidate }) => ({ seed, base: average(base), candidate: average(candidate) })),
  }
}

function figureOf({ metrics }: TrialLine, name: string): unknown {
  if (name !== VIOLATED) return metrics[name]
  const { violations } = metrics
  return typeof violations === 'number' ? violations > 0 : null
}
