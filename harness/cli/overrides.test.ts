import { expect, test } from 'vitest'
import { z } from 'zod'
import { suiteSchema } from '../contract/index.js'
import { applyParams, overrideSuite } from './run-options.js'

const suite = suiteSchema.parse({
  name: 't',
  seed: 1,
  scenarios: 2,
  agents: [{ use: 's-ora', params: { window: 3 } }],
  environments: ['water-hammer'],
})
const schemas = new Map([
  ['s-ora', z.object({ window: z.number() })],
  ['water-hammer', z.object({ rampMs: z.number().nullable(), window: z.number() })],
])

test('agents named on the command line keep the parameters that the suite gives them', () => {
  expect(overrideSuite(suite, { agents: 'react-sync, s-ora', model: 'sim:careful', scenarios: 5 })).toMatchObject({
    agents: ['react-sync', { use: 's-ora', params: { window: 3 } }],
    models: ['sim:careful'],
    scenarios: 5,
  })
})

test('a parameter goes to all that have it, or to its named owner alone', () => {
  const changed = applyParams(
    suite,
    { param: ['water-hammer.window=9', 'rampMs=null'], grid: ['s-ora.window=1,2'] },
    schemas,
  )
  expect(changed.environments).toEqual([{ use: 'water-hammer', params: { window: 9, rampMs: null }, grid: {} }])
  expect(changed.agents).toEqual([{ use: 's-ora', params: {}, grid: { window: [1, 2] } }])
})

test.each([
  [
    { param: ['ramp=1'] },
    'No parameter "ramp" in "ramp=1". Known: s-ora.window, water-hammer.rampMs, water-hammer.window.',
  ],
  [{ param: ['rampMs'] }, '"rampMs" is no assignment. Write --param name=value, or owner.name=….'],
  [
    { grid: ['react.window=1'] },
    '"react" in "react.window=1" is none of this run\'s agents and environments: s-ora, water-hammer.',
  ],
])('%j is answered with the value and the way out', (given, message) => {
  expect(() => applyParams(suite, given, schemas)).toThrow(message)
})

test('numbers that make no suite are told with their option', () => {
  expect(() => overrideSuite(suite, { scenarios: 0 })).toThrow(/--scenarios: .*1/)
})

test('a limit replaces the suite’s, and those that are not named stay', () => {
  const { limits } = overrideSuite(suite, { limit: ['modelCalls=2000', 'costUsd=null'] })
  expect(limits).toEqual({ ...suite.limits, modelCalls: 2_000, costUsd: null })
})

test.each([
  ['s-ora.modelCalls=1', /^"s-ora.modelCalls=1" is no limit\. Write --limit name=value/],
  ['modelCalls', /^"modelCalls" is no limit\. Write --limit name=value/],
  ['modelCalls=many', /--limit modelCalls: .*number/],
  ['wallMs=1', /--limit: there is no "wallMs" \(known: modelCalls, tokens, operations, virtualMs, costUsd\)\.$/],
])('the limit %s is refused', (limit, message) => {
  expect(() => overrideSuite(suite, { limit: [limit] })).toThrow(message)
})
