import { summaryCsv } from './csv.js'
import { defineReporter } from './reporter.js'

export default defineReporter({
  name: 'csv',
  summary: 'CSV: one row per case, agent and measure',
  render: ({ summary }) => summaryCsv(summary),
})
