import { markdownReport } from './markdown.js'
import { defineReporter } from './reporter.js'

export default defineReporter({
  name: 'md',
  summary: 'Markdown: the run, a table and the outcomes per case',
  render: ({ summary, ...header }) => markdownReport(summary, header),
})
