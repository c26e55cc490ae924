import type {
  ContrastFigure,
  ContrastFigures,
  ContrastOutcome,
  Contrasts,
  Factors,
  Group,
  Summary,
  TrialLine,
} from '../contract/index.js'
import { contrast, factorialContrasts } from '../stats/contrast.js'
import type { Contrast, Contrasted, World } from '../stats/contrast.js'
import { holm } from '../stats/significance.js'
import { mean } from '../stats/summary.js'
import { groupKey, lineKey } from './summary.js'
import { cases } from './table.js'

/** What is read of a trial, and how its scenarios become the figure of a cell. */
interface Reading extends Pick<ContrastOutcome, 'name' | 'kind' | 'unit' | 'confirmatory'> {
  of: (line: TrialLine, horizon: number) => number | null
  /** The log of each scenario's value, where all cells solved it. */
  amongSolved?: boolean
  /** The sum over all scenarios for each that was solved. */
  perSolved?: boolean
}

export const isSolved = ({ metrics, outcome }: TrialLine): boolean =>
  (metrics['solved'] ?? outcome === 'solved') === true

/** What infrastructure ended is not solved, and has no other value (docs/design.md#statistics). */
const figure = (line: TrialLine, metric: string): number | null => {
  const value = line.outcome === 'infrastructure_error' ? null : line.metrics[metric]
  return typeof value === 'number' ? value : null
}

const solved: Reading = {
  name: 'solved',
  kind: 'difference',
  unit: 'share',
  confirmatory: true,
  of: (line) => (line.outcome !== 'infrastructure_error' && isSolved(line) ? 1 : 0),
}
const counted = (name: string, confirmatory: boolean): Reading => {
  return { name, kind: 'difference', unit: 'count', confirmatory, of: (line) => figure(line, name) }
}
const amount = (name: string, metric: string, confirmatory: boolean): Reading[] => {
  const own = { kind: 'ratio' as const, unit: 'ratio', of: (line: TrialLine) => figure(line, metric) }
  return [
    { ...own, name, confirmatory, amongSolved: true },
    { ...own, name: `${name} ÷ solved`, confirmatory: false, perSolved: true },
  ]
}
/** Whoever does not solve it has not done so at the horizon either. */
const restricted: Reading = {
  name: 'makespan',
  kind: 'difference',
  unit: 'ms',
  confirmatory: false,
  of(line, horizon) {
    if (line.outcome === 'infrastructure_error' || horizon === 0) return null
    return isSolved(line) ? Math.min(figure(line, 'makespan_ms') ?? horizon, horizon) : horizon
  },
}
const READINGS = [
  solved,
  counted('violations', true),
  ...amount('billed', 'billed_tokens', true),
  ...amount('calls', 'model_calls', false),
  counted('polls', false),
  restricted,
]

/** One world: by scenario, the replicas of each cell. */
type Scenarios = ReadonlyMap<string, readonly (readonly TrialLine[])[]>

/** The contrasts of the factors that a suite declares, from the trials themselves: all cells of a scenario stay together. */
export function contrastsOf(
  summary: Summary,
  lines: Iterable<TrialLine>,
  factors: Factors,
  resamples?: number,
): Contrasts[] {
  const names = Object.keys(Object.values(factors)[0] ?? {})
  const [first = [], second = []] = names.map((name) => [
    ...new Set(Object.values(factors).flatMap((cell) => cell[name] ?? [])),
  ])
  const agents = first.flatMap((a) =>
    second.flatMap((b) =>
      Object.keys(factors).filter((agent) => Object.values(factors[agent] ?? {}).join() === [a, b].join()),
    ),
  )
  const trials = new Map<string, TrialLine[]>()
  for (const line of lines) {
    const known = trials.get(lineKey(line))
    if (known === undefined) trials.set(lineKey(line), [line])
    else known.push(line)
  }
  const seats = new Map(summary.groups.map((group) => [JSON.stringify([group.model, group.thinking]), group]))
  return [...seats.values()].flatMap(({ model, thinking }) => {
    const worlds = cases(summary).map(({ caption, groups }) => {
      const own = groups.filter((group) => group.model === model && group.thinking === thinking)
      const cells = agents.map((agent) => own.filter((group) => group.agent.name === agent))
      return { caption, touched: cells.some((some) => some.length > 0), scenarios: scenariosOf(cells, trials) }
    })
    const whole = worlds.flatMap(({ caption, scenarios }) => (scenarios === null ? [] : [{ caption, scenarios }]))
    const left = worlds.flatMap(({ caption, touched, scenarios }) => (touched && scenarios === null ? [caption] : []))
    if (whole.length + left.length === 0) return []
    const found = READINGS.map((reading) =>
      outcomeOf(
        reading,
        whole.map(({ scenarios }) => scenarios),
        factorialContrasts([first, second]),
        {
          seed: `contrasts ${model ?? ''} ${thinking}`,
          resamples,
        },
      ),
    )
    return [{ model, thinking, worlds: whole.map(({ caption }) => caption), left, outcomes: adjusted(found) }]
  })
}

/** Null where a cell was not played, or with several settings. */
function scenariosOf(cells: readonly (readonly Group[])[], trials: ReadonlyMap<string, TrialLine[]>): Scenarios | null {
  const scenarios = new Map<string, TrialLine[][]>()
  for (const [cell, [group, ...others]] of cells.entries()) {
    if (group === undefined || others.length > 0) return null
    for (const line of trials.get(groupKey(group)) ?? []) {
      const { seed } = line.identity.scenario
      const row = scenarios.get(seed) ?? cells.map(() => [])
      scenarios.set(seed, row)
      row[cell]?.push(line)
    }
  }
  return scenarios
}

interface Options {
  seed: string
  resamples: number | undefined
}

function outcomeOf(
  reading: Reading,
  worlds: readonly Scenarios[],
  contrasts: readonly Contrast[],
  options: Options,
): ContrastOutcome {
  const { of: _of, amongSolved: _among, perSolved = false, ...own } = reading
  const read = worlds.map((scenarios) => readWorld(reading, scenarios))
  const used = read.filter(({ of }) => of.length > 0)
  const places = read.map((world) => (used.includes(world) ? used.indexOf(world) : null))
  const found = contrast(used, contrasts, { scale: perSolved ? 'log' : 'mean', ...options })
  const logits = own.unit === 'share' ? contrast(used, contrasts, { ...options, scale: 'logit', resamples: 1 }) : null
  return {
    ...own,
    n: read.map(({ of }) => of.length),
    missing: read.map(({ of }, index) => (worlds[index]?.size ?? 0) - of.length),
    contrasts: contrasts.map(({ name, kind }, index) => {
      const each = shown(found[index], places, own.kind)
      const logit = logits?.[index]?.mean ?? null
      const agrees = logit !== null &&
        kind === 'interaction' && { agrees: sign(logit.value) === sign(each.mean?.value ?? 0) }
      return { name, kind, ...each, holm: null, ...agrees }
    }),
  }
}

/** What rounding left over is nothing. */
const sign = (value: number): number => Math.sign(Math.round(value * 1e9))

function readWorld({ of, amongSolved, perSolved }: Reading, scenarios: Scenarios): Required<World> {
  const all = [...scenarios.values()]
  const horizon = Math.max(
    0,
    ...all
      .flat(2)
      .filter(isSolved)
      .map((line) => figure(line, 'makespan_ms') ?? 0),
  )
  const read = (row: readonly (readonly TrialLine[])[], value: Reading['of']) =>
    row.flatMap((lines) => {
      const values = lines.map((line) => value(line, horizon))
      return values.some((one) => one === null) ? [] : (mean(values.flatMap((one) => one ?? [])) ?? [])
    })
  const rows = all.flatMap((row) => {
    const [values, wins] = [read(row, of), read(row, solved.of)]
    if (values.length < row.length || wins.length < row.length) return []
    if (amongSolved === true && (wins.some((win) => win < 1) || values.some((value) => value <= 0))) return []
    return [
      {
        of: amongSolved === true ? values.map(Math.log) : values,
        per: perSolved === true ? wins : values.map(() => 1),
      },
    ]
  })
  return { of: rows.map((row) => row.of), per: rows.map((row) => row.per) }
}

/** Back at the places of all worlds; those without a scenario have no figure, and are in no mean. */
function shown(
  found: Contrasted | undefined,
  places: readonly (number | null)[],
  kind: ContrastOutcome['kind'],
): Pick<ContrastFigures, 'mean' | 'worlds' | 'without'> {
  const scale = (value: number | null) => (value !== null && kind === 'ratio' ? Math.exp(value) : value)
  const one = (each: ContrastFigure | null | undefined): ContrastFigure | null =>
    each ? { ...each, value: scale(each.value) ?? 0, low: scale(each.low), high: scale(each.high) } : null
  const placed = (all: readonly (ContrastFigure | null)[] = []) =>
    places.map((place) => (place === null ? null : one(all[place])))
  return { mean: one(found?.mean), worlds: placed(found?.worlds), without: placed(found?.without) }
}

/** Holm over the contrasts of the confirmatory outcomes; simple effects are exploratory. An interaction whose sign is that of the scale has a p of 1. */
function adjusted(outcomes: readonly ContrastOutcome[]): ContrastOutcome[] {
  const family = outcomes
    .filter(({ confirmatory }) => confirmatory)
    .flatMap(({ contrasts }) => contrasts.filter(({ kind, mean: figures }) => kind !== 'simple' && figures?.p != null))
  const ps = holm(family.map(({ mean: figures, agrees = true }) => (agrees ? (figures?.p ?? 1) : 1)))
  const byContrast = new Map(family.map((each, index) => [each, ps[index] ?? null]))
  return outcomes.map((outcome) => ({
    ...outcome,
    contrasts: outcome.contrasts.map((each) => ({ ...each, holm: byContrast.get(each) ?? null })),
  }))
}
