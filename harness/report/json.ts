import type { Summary } from './summary.js'

/** `summary.json`: the data as they are, unrounded. */
export function jsonReport(summary: Summary): string {
  return `${JSON.stringify(summary, null, 2)}\n`
}
