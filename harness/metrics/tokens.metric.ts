import { defineMetric } from '../contract/index.js'
import { billed, pricingOf } from '../model/prices.js'
import { sumOf } from '../stats/summary.js'
import { phaseFinder, recordsOf, roleFinder } from '../trace/records.js'
import { effectFinder, suspensionsOf, tokensOf, usageSum } from './calls.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'prompt_tokens',
    ...measuredIn('tokens', 'lower'),
    summary: 'Prompt tokens of all answered or interrupted calls, cached ones included.',
    shown: {
      heading: 'tokens',
      place: 50,
      importance: 7,
      plus: ['completion_tokens'],
      besides: 'reported.programs',
      charts: ['curve'],
      confirmatory: true,
    },
    of: (trace) => usageSum(trace, ({ promptTokens }) => promptTokens),
  }),
  defineMetric({
    name: 'completion_tokens',
    ...measuredIn('tokens', 'lower'),
    summary: 'Completion tokens of all answered calls, and of interrupted ones what had been produced.',
    shown: { heading: 'completion\ntokens', place: 55, confirmatory: true },
    of: (trace) => usageSum(trace, ({ completionTokens }) => completionTokens),
  }),
  defineMetric({
    name: 'cached_tokens',
    ...measuredIn('tokens', 'neither', 'docs/design.md#models'),
    summary:
      "Prompt tokens that were served from the endpoint's cache: as it reports them, or for simulated models as a prompt cache would. They are part of prompt_tokens.",
    of: (trace) => usageSum(trace, ({ cachedTokens }) => cachedTokens),
  }),
  defineMetric({
    name: 'cache_write_tokens',
    ...measuredIn('tokens', 'neither', 'docs/design.md#models'),
    summary:
      "Prompt tokens that were put into the endpoint's cache. They are part of prompt_tokens, and none of cached_tokens. Absent as soon as one call does not tell.",
    of(trace) {
      let sum = 0
      for (const { usage } of recordsOf(trace, 'answer')) {
        if (usage.cacheWriteTokens === undefined) return null
        sum += usage.cacheWriteTokens
      }
      return sum
    },
  }),
  defineMetric({
    name: 'reasoning_tokens',
    ...measuredIn('tokens', 'neither', 'docs/models.md#failures'),
    summary:
      'Completion tokens that were spent on thoughts, as the endpoint reports them. They are part of completion_tokens. Absent as soon as one call does not tell, and for simulated models.',
    of(trace) {
      const told = recordsOf(trace, 'answer').map(({ usage }) => usage.reasoningTokens)
      const known = told.filter((tokens) => tokens !== undefined)
      return known.length === 0 || known.length < told.length ? null : sumOf(known, (tokens) => tokens)
    },
  }),
  defineMetric({
    name: 'billed_tokens',
    ...measuredIn('tokens', 'lower', 'docs/design.md#models'),
    summary:
      "What all calls cost in fresh prompt tokens: a cached one counts 0.1, one that is put into the cache 1, a completion token as many times as the model's price says, 4 where none is known. Other pricings follow from prompt_tokens, cached_tokens, cache_write_tokens and completion_tokens.",
    shown: {
      heading: 'billed\ntokens',
      place: 52,
      importance: 7,
      besides: 'reported.programs',
      charts: ['curve'],
      ifMeasured: true,
    },
    of(trace) {
      const models = new Map(recordsOf(trace, 'request').map(({ call, model }) => [call, model]))
      const sum = recordsOf(trace, 'answer').reduce(
        (total, { call, usage }) => total + billed(usage, pricingOf(models.get(call) ?? '')),
        0,
      )
      // Tenths of tokens do not add up evenly in binary.
      return Math.round(sum * 10) / 10
    },
  }),
  defineMetric({
    name: 'peak_prompt_tokens',
    ...measuredIn('tokens', 'lower'),
    summary: 'The largest prompt of the trial. Absent without a model call.',
    shown: { heading: 'largest prompt', called: 'tokens of the largest prompt', place: 45, charts: ['curve'] },
    of(trace) {
      const answers = recordsOf(trace, 'answer')
      return answers.length === 0 ? null : answers.reduce((peak, { usage }) => Math.max(peak, usage.promptTokens), 0)
    },
  }),
  defineMetric({
    name: 'idle_tokens',
    ...measuredIn('tokens', 'lower'),
    summary:
      'Prompt and completion tokens of model calls whose only effect was a poll, a sleep or nothing. A suspension counts as a sleep; re-reading a document or the catalogue, a malformed answer and an invalid call count as nothing. Where an agent works in cycles of phases, the usable calls of one cycle are judged together.',
    of(trace) {
      const roleOf = roleFinder(trace)
      const [phaseOf, isEffect] = [phaseFinder(trace), effectFinder(trace)]
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
        const cycle = phaseOf(record)?.cycle ?? null
        if (cycle !== null && cycle !== unit?.cycle) {
          close(key)
          units.set(key, { tokens: 0, last: 0, cycle, effect: false })
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
  }),
  defineMetric({
    name: 'tokens_while_suspended',
    ...measuredIn('tokens', 'lower', 'thesis 5.3, 6.3'),
    summary:
      "Prompt and completion tokens of an activity's model calls that were asked between its suspension and its waking: measured, not assumed. Absent for agents that never suspend.",
    of(trace) {
      const suspensions = suspensionsOf(trace)
      if (suspensions.length === 0) return null
      const asleep = new Set(
        recordsOf(trace, 'request')
          .filter(({ n, activity, role }) =>
            suspensions.some(
              ({ activity: own, suspend, wake }) =>
                own === (activity ?? role ?? '') && suspend.n < n && n < (wake?.n ?? Infinity),
            ),
          )
          .map(({ call }) => call),
      )
      return sumOf(recordsOf(trace, 'answer'), (answer) => (asleep.has(answer.call) ? tokensOf(answer) : 0))
    },
  }),
  defineMetric({
    name: 'cost_usd',
    ...measuredIn('USD', 'lower'),
    summary:
      'Cost of all calls by the price table. Absent as soon as the price of one call is unknown, as for simulated models; 0 only where no call was made.',
    of(trace) {
      let sum = 0
      for (const { costUsd } of [...recordsOf(trace, 'answer'), ...recordsOf(trace, 'embedding')]) {
        if (costUsd === null) return null
        sum += costUsd
      }
      return sum
    },
  }),
]
