import { mean } from '../stats/summary.js'
import { testAmount } from './amount.js'
import type { Column, ValuePair } from './pairs.js'
import { testRate } from './rate.js'

/** How far the candidate is from the base. A rate: their difference. An amount: their ratio, `shifted` where zeros made it one of value + 1. */
export interface Estimate {
  kind: 'difference' | 'ratio' | 'shifted'
  value: number
  low: number
  high: number
}

/** What a test found, before families and margins. */
export interface Tested {
  /** Null with too few scenarios for an interval. */
  estimate: Estimate | null
  /** Its interval at 1 − 2α: what a margin is held against (TOST). */
  narrow: { low: number; high: number } | null
  p: number
  /** The smallest difference or ratio that so many scenarios find with this α and power; null where it cannot be told. */
  detectable: (alpha: number, power: number) => number | null
}

export interface TestOptions {
  confidence: number
  resamples: number
  /** Is the narrow interval wanted? It costs a bootstrap of its own. */
  margin: boolean
}

/** A pair of values, both present. */
export interface Both {
  seed: string
  base: number
  candidate: number
}

/** One metric of one group: the pairs, and what a test says of them. */
export interface Cell {
  column: string
  kind: 'rate' | 'amount'
  /** Scenarios with a value on both sides, and those without. */
  n: number
  missing: number
  /** Scenarios whose values differ, an absent one included. */
  changed: number
  /** Means over the n scenarios. */
  base: number | null
  candidate: number | null
  /** Null where nothing changed, or no scenario has both values. */
  tested: Tested | null
}

export function cellOf({ name, kind, values }: Column, options: TestOptions): Cell {
  const both = values.filter((pair): pair is Both => pair.base !== null && pair.candidate !== null)
  const changed = values.filter(differs).length
  const moved = both.some(differs)
  return {
    column: name,
    kind,
    n: both.length,
    missing: values.length - both.length,
    changed,
    base: mean(both.map(({ base }) => base)),
    candidate: mean(both.map(({ candidate }) => candidate)),
    tested: moved ? (kind === 'rate' ? testRate : testAmount)(both, options) : null,
  }
}

const differs = ({ base, candidate }: ValuePair): boolean => base !== candidate
