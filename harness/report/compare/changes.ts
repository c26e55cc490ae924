import type { Changes, TrialLine } from '../../contract/index.js'
import { divergenceInWords, firstDivergence } from '../../trace/algebra/behaviour.js'
import type { ScenarioPair } from './pairs.js'

/** `without` names columns to leave out, as one side alone has measured them. */
export function changesOf(pairs: readonly ScenarioPair[], without: (column: string) => boolean): Changes {
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
