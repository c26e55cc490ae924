import { defineMetric } from '../contract/index.js'
import type { MetricResult } from '../contract/index.js'
import { sumOf } from '../stats/summary.js'
import { notesOf, recordsOf } from '../trace/records.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'model_calls',
    ...measuredIn('count', 'lower'),
    summary:
      'Requests to the model, also those that were interrupted or that the trial did not live to see answered. Retries of the transport are not counted.',
    shown: {
      heading: 'model\ncalls',
      place: 40,
      importance: 8,
      called: 'calls',
      besides: 'reported.programs',
      charts: ['curve'],
      confirmatory: true,
    },
    of: (trace) => recordsOf(trace, 'request').length,
  }),
  defineMetric({
    name: 'model_calls_by_phase',
    ...measuredIn('count', 'lower'),
    summary: 'model_calls, split by the phase that the agent gives each call. Absent for phases that made none.',
    of(trace) {
      const calls: Record<string, number> = {}
      for (const { phase } of recordsOf(trace, 'request')) calls[phase] = (calls[phase] ?? 0) + 1
      return calls
    },
  }),
  defineMetric({
    name: 'malformed',
    ...measuredIn('count', 'lower', 'docs/design.md#models'),
    summary:
      'Answers of the model that could not be carried out: invalid JSON, a schema or form missed, refused, cut, or held back by the runtime. Each is charged; those that were asked again are the corrective retries.',
    of: (trace) => recordsOf(trace, 'malformed').length,
  }),
  defineMetric({
    name: 'repaired',
    unit: 'count',
    better: 'lower',
    summary:
      'Answers of the model that were used although their form was wrong: behind a thought, in a fence or between prose, several calls where one was asked for, numbers in quotes.',
    source: 'docs/design.md#metrics',
    of: (trace) => notesOf(trace, 'repaired').length,
  }),
  defineMetric({
    name: 'thinking_ms',
    ...measuredIn('ms', 'lower', 'docs/design.md#time'),
    summary:
      'Virtual time of all model calls together, also of those that were interrupted, and of scripts that think like one: what was charged, whoever else thought at the same time.',
    of: (trace) => sumOf([...recordsOf(trace, 'answer'), ...recordsOf(trace, 'thought')], ({ thoughtMs }) => thoughtMs),
  }),
  defineMetric({
    name: 'thinking_by_phase_ms',
    ...measuredIn('ms', 'lower', 'docs/design.md#time'),
    summary:
      'thinking_ms of model calls, split by the phase that the agent gives each call. Absent for phases that made none.',
    of(trace) {
      const phases = new Map(recordsOf(trace, 'request').map(({ call, phase }) => [call, phase]))
      const sums: Record<string, number> = {}
      for (const { call, thoughtMs } of recordsOf(trace, 'answer')) {
        const phase = phases.get(call)
        if (phase !== undefined) sums[phase] = (sums[phase] ?? 0) + thoughtMs
      }
      return sums
    },
  }),
  defineMetric({
    name: 'inert_directives',
    ...measuredIn('count', 'neither', 'Agencia, §5'),
    summary:
      'Template directives in texts of the world, the model or the user, which stayed text, once for each time that a text brought them. Absent for agents that expand no templates.',
    of(trace) {
      if (notesOf(trace, 'unit').length === 0) return null
      return notesOf(trace, 'inert').length
    },
  }),
  defineMetric({
    name: 'reported',
    ...measuredIn('count', 'neither', 'docs/agents-of-your-own.md'),
    summary:
      'Of agents that are programs of their own: how many there are (programs), and what they say that they used (calls, prompt_tokens, completion_tokens; absent where they say nothing). Nobody has measured it, and it is in no other metric. Absent where there is no program.',
    of(trace): MetricResult {
      const programs = recordsOf(trace, 'program').filter(({ what }) => what === 'started').length
      if (programs === 0) return {}
      const reports = recordsOf(trace, 'reported')
      if (reports.length === 0) return { programs }
      return {
        programs,
        calls: sumOf(reports, ({ calls }) => calls),
        prompt_tokens: sumOf(reports, ({ promptTokens }) => promptTokens),
        completion_tokens: sumOf(reports, ({ completionTokens }) => completionTokens),
      }
    },
  }),
]
