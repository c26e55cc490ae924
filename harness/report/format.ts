import { thousands } from '../trace/text.js'

/** Numbers for people; data files keep them as they are. An absent value is a dash, and never a zero. */
export const ABSENT = '–'

export function percent(rate: number | null): string {
  if (rate === null) return ABSENT
  const value = rate * 100
  // What is not all must not read as all, nor what is not nothing as nothing.
  if (rate < 1 && value > 99.5) return '>99 %'
  if (rate > 0 && value < 0.5) return '<1 %'
  return `${Math.round(value)} %`
}

export function rateWithInterval({
  rate,
  low,
  high,
}: {
  rate: number | null
  low: number | null
  high: number | null
}): string {
  if (rate === null || low === null || high === null) return ABSENT
  return `${percent(rate)} [${Math.round(low * 100)}, ${Math.round(high * 100)}]`
}

export function count(value: number | null): string {
  if (value === null) return ABSENT
  if (value > 0 && value < 0.05) return '<0.1'
  if (value < 0 && value > -0.05) return '>-0.1'
  const rounded = Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value)
  return thousands(rounded)
}

export function duration(ms: number | null): string {
  if (ms === null) return ABSENT
  if (ms === 0) return '0 s'
  return ms < 50 ? '<0.1 s' : `${count(ms / 1_000)} s`
}

/** By the unit of a metric: only ms and rates are not plain counts. */
export function quantity(value: number | null, unit: string): string {
  if (unit === 'ms') return duration(value)
  if (unit === 'boolean') return percent(value)
  return count(value)
}
