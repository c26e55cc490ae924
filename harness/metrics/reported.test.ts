import { expect, test } from 'vitest'
import type { Happening, Trace } from '../contract/index.js'
import modelMetrics from './model.metric.js'
import tokensMetrics from './tokens.metric.js'
import { named } from '../testing/metrics.js'

const reported = named(modelMetrics, 'reported')
const promptTokens = named(tokensMetrics, 'prompt_tokens')

const traceOf = (...happenings: Happening[]): Trace =>
  happenings.map((happening, n) => ({ ...happening, n, at: n, role: 'a', activity: null }))
const started: Happening = { kind: 'program', what: 'started', text: 'python3 mine.py' }
const report: Happening = { kind: 'reported', calls: 2, promptTokens: 300, completionTokens: 40 }

test('what programs say that they used is added up, and in no measured figure', () => {
  const trace = traceOf(started, report, report)
  expect(reported.of(trace)).toEqual({ programs: 1, calls: 4, prompt_tokens: 600, completion_tokens: 80 })
  expect(promptTokens.of(trace)).toBe(0)
})

test('a program that says nothing has used nobody knows what', () => {
  expect(reported.of(traceOf(started))).toEqual({ programs: 1 })
})

test('where no program plays there is nothing to tell', () => {
  expect(reported.of(traceOf())).toEqual({})
})
