import { defineReporter } from '../../contract/index.js'
import { summaryJson } from '../summary.js'

export default defineReporter({
  name: 'json',
  summary: 'JSON: the summary or the comparison, unrounded',
  run: ({ summary }) => summaryJson(summary),
  comparison: ({ comparison }) => `${JSON.stringify(comparison, null, 2)}\n`,
})
