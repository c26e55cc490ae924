import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineEnvironment, suiteSchema } from '../contract/index.js'
import type { SuiteInput } from '../contract/index.js'
import { planSuite, scenarioSeed } from './plan.js'

const environment = defineEnvironment({
  name: 'pond',
  version: '1',
  summary: 'Nothing happens.',
  params: z.object({ depthM: z.number().min(1).max(9).default(2) }),
  roles: () => [{ name: 'angler', goal: 'Wait.' }],
  setup: () => ({ reached: () => false, oracle: async () => {}, saboteurs: {} }),
})
const agent = (name: string, usesModel: boolean) =>
  defineAgent({
    name,
    version: '1',
    summary: name,
    surface: 'act',
    usesModel,
    params: z.object({}),
    run: async () => {},
  })
const definitions = {
  agents: new Map([agent('thinker', true), agent('stone', false)].map((a) => [a.name, a])),
  environments: new Map([[environment.name, environment]]),
}
const plan = (suite: Partial<SuiteInput>) =>
  planSuite(
    suiteSchema.parse({
      name: 't',
      seed: 7,
      scenarios: 2,
      agents: ['thinker', 'stone'],
      environments: ['pond'],
      ...suite,
    }),
    definitions,
  )

test('trials come scenario by scenario, and an agent without a model runs once whatever models there are', () => {
  expect(plan({ models: ['sim:a', 'sim:b'] }).trials.map(({ id }) => id)).toEqual([
    'pond/thinker/sim:a/0',
    'pond/thinker/sim:b/0',
    'pond/stone/0',
    'pond/thinker/sim:a/1',
    'pond/thinker/sim:b/1',
    'pond/stone/1',
  ])
})

test('a grid makes a case per combination, all with the same scenario seeds', () => {
  const { trials } = plan({ agents: ['stone'], environments: [{ use: 'pond', grid: { depthM: [1, 3] } }] })
  expect(trials.map(({ id, scenario }) => [id, scenario.params['depthM'], scenario.seed])).toEqual([
    ['pond[depthM=1]/stone/0', 1, scenarioSeed(7, 'pond', 0)],
    ['pond[depthM=1]/stone/1', 1, scenarioSeed(7, 'pond', 1)],
    ['pond[depthM=3]/stone/0', 3, scenarioSeed(7, 'pond', 0)],
    ['pond[depthM=3]/stone/1', 3, scenarioSeed(7, 'pond', 1)],
  ])
})

test('several thinking policies are an axis with their names in the ids', () => {
  const { trials } = plan({ agents: ['thinker'], scenarios: 1, thinking: ['zero', 'fixed:500'], replicas: 2 })
  expect(trials.map(({ id, thinking }) => [id, thinking])).toEqual([
    ['pond/thinker/sim:typical/zero/0', 'zero'],
    ['pond/thinker/sim:typical/zero/0/r1', 'zero'],
    ['pond/thinker/sim:typical/fixed:500/0', 'fixed:500'],
    ['pond/thinker/sim:typical/fixed:500/0/r1', 'fixed:500'],
  ])
})

test('the tokens of reasoning are an axis of every thinking policy, and none leave its name as it is', () => {
  const { trials } = plan({ agents: ['thinker'], scenarios: 1, thinking: ['zero', 'tokens'], thinkingTokens: [0, 200] })
  expect(trials.map(({ thinking }) => thinking)).toEqual(['zero', 'zero+200', 'tokens', 'tokens+200'])
})

test('an identity has the settings of the prompt cache where they are not the default', () => {
  const cacheOf = (cache: { ttlMs?: number | null; minimum?: number }) =>
    plan({ agents: ['thinker'], scenarios: 1, cache }).trials.map((identity) => identity.cache)
  expect([cacheOf({}), cacheOf({ ttlMs: 300_000 }), cacheOf({ ttlMs: null })]).toEqual([
    [undefined],
    [undefined],
    [{ ttlMs: null, minimum: 1_024 }],
  ])
})

test('namesakes are told apart by what is fixed, and a trial that is planned twice is refused', () => {
  const twice = (depths: number[]) =>
    plan({
      agents: ['stone'],
      scenarios: 1,
      environments: depths.map((depthM) => ({ use: 'pond', params: { depthM } })),
    })
  expect(twice([1, 3]).trials.map(({ id }) => id)).toEqual(['pond[depthM=1]/stone/0', 'pond[depthM=3]/stone/0'])
  expect(() => twice([1, 1])).toThrow('The suite plans the trial "pond[depthM=1]/stone/0" twice')
})

test('a parameter is fixed or swept, never both', () => {
  const environments = [{ use: 'pond', params: { depthM: 1 }, grid: { depthM: [2] } }]
  expect(() => plan({ environments })).toThrow('pond has "depthM" both in params and in grid. Keep one of them.')
})

test('a scenario seed hangs on suite seed, environment and index, and on nothing else', () => {
  expect(scenarioSeed(7, 'pond', 0)).toBe('4740ddac595b633c')
  expect(
    new Set([
      scenarioSeed(7, 'pond', 0),
      scenarioSeed(8, 'pond', 0),
      scenarioSeed(7, 'lake', 0),
      scenarioSeed(7, 'pond', 1),
    ]).size,
  ).toBe(4)
})

test.each([
  [{ depthM: 12 }, /depthM = 12: .*9/],
  [{ toString: 2 }, /no parameter "toString"/],
  [{ depht: 2 }, /no parameter "depht"\. Known: depthM/],
])('a parameter that does not fit is told with its value and the way out: %j', (params, message) => {
  expect(() => plan({ environments: [{ use: 'pond', params }] })).toThrow(message)
})
