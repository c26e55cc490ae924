import { jsonReport } from './json.js'
import { defineReporter } from './reporter.js'

export default defineReporter({
  name: 'json',
  summary: 'JSON: the summary, unrounded',
  render: ({ summary }) => jsonReport(summary),
})
