import { defineMetric } from '../define/index.js'
import { roleFinder } from '../trace/select.js'
import { isEffect } from './lib/effects.js'
import { tokensOf } from './lib/tokens.js'

export default defineMetric({
  name: 'idle_tokens',
  unit: 'tokens',
  better: 'lower',
  summary:
    'Prompt and completion tokens of model calls whose only effect was a poll, a sleep or nothing. A suspension counts as a sleep; re-reading a document or the catalogue, a malformed answer and an invalid call count as nothing. Where an agent works in cycles of phases, the usable calls of one cycle are judged together.',
  source: 'DESIGN §9',
  of(trace) {
    const roleOf = roleFinder(trace)
    const units = new Map<string, { tokens: number; last: number; cycle: number | null; effect: boolean }>()
    const read = new Set<string>()
    let idle = 0
    const close = (key: string) => {
      const unit = units.get(key)
      if (unit !== undefined && !unit.effect) idle += unit.tokens
      units.delete(key)
    }
    for (const record of trace) {
      const key = record.activity ?? roleOf(record)
      if (key === null) continue
      const unit = units.get(key)
      if (record.kind === 'phase' && record.cycle !== unit?.cycle) {
        close(key)
        units.set(key, { tokens: 0, last: 0, cycle: record.cycle, effect: false })
      } else if (record.kind === 'request' && (unit === undefined || unit.cycle === null)) {
        close(key)
        units.set(key, { tokens: 0, last: 0, cycle: null, effect: false })
      } else if (record.kind === 'answer' && unit !== undefined) {
        unit.last = tokensOf(record)
        unit.tokens += unit.last
      } else if (record.kind === 'malformed' && unit !== undefined) {
        // Whatever else its cycle achieved, this call achieved nothing.
        idle += unit.last
        unit.tokens -= unit.last
        unit.last = 0
      } else if (unit !== undefined) {
        const what = record.kind === 'read' ? `${roleOf(record)} ${record.document}` : null
        if (isEffect(record, what !== null && read.has(what))) unit.effect = true
        if (what !== null) read.add(what)
      }
    }
    for (const key of units.keys()) close(key)
    return idle
  },
})
