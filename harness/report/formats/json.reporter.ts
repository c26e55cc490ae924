import { defineReporter } from '../reporter.js'
import type { Summary } from '../summary.js'

/** `summary.json`: the data as they are, unrounded. */
function jsonReport(summary: Summary): string {
  return `${JSON.stringify(summary, null, 2)}\n`
}

export default defineReporter({
  name: 'json',
  summary: 'JSON: the summary, unrounded',
  render: ({ summary }) => jsonReport(summary),
})
