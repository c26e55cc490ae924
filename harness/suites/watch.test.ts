import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { JsonObject, TraceRecord } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { firstOf, recordsOf } from '../trace/records.js'
import { runTrial } from '../trial/trial.js'

const DAY_MS = 86_400_000
const WORLD = 'night-watch'

interface Watch {
  agent: string
  agentParams?: Record<string, number>
  params: Record<string, string | number>
  pollMs?: number
}

/** One watch by a careful reader: its trace. */
async function keep({ agent: name, agentParams = {}, params, pollMs = 30_000 }: Watch): Promise<TraceRecord[]> {
  const [agent, environment] = await Promise.all([loadAgent(name), loadEnvironment(WORLD)])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 11,
    scenarios: 1,
    agents: [{ use: name, params: agentParams }],
    environments: [{ use: WORLD, params }],
    models: [`sim:careful?pollMs=${pollMs}&waitTimeoutMs=${DAY_MS}`],
    limits: { modelCalls: 1_000, tokens: 30_000_000, virtualMs: DAY_MS },
  })
  const definitions = { agents: new Map([[name, agent]]), environments: new Map([[WORLD, environment]]) }
  const [identity] = planSuite(suite, definitions).trials
  if (identity === undefined) throw new Error('The plan is empty.')
  const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
  return runTrial(identity, { environment, agent, chat, thinking: parseThinking(identity.thinking) })
}

function summary(trace: TraceRecord[]): JsonObject {
  return {
    outcome: firstOf(trace, 'verdict')?.outcome ?? null,
    claim: firstOf(trace, 'claim')?.claim ?? null,
    operations: recordsOf(trace, 'operation').length,
  }
}
const callsOf = (trace: TraceRecord[]): number => recordsOf(trace, 'request').length
const suspending = { agent: 's-ora', agentParams: { maxWaitMs: DAY_MS } }
const polling = { agent: 'react-polling' }

test.each([
  ['once', 1],
  ['several', 4],
  ['storm', 4],
  ['never', 0],
])('who polls, who waits and who suspends keep the watch “%s” by %i acknowledgements', async (pattern, operations) => {
  const params = { pattern, watchMs: 1_200_000, deadlineMs: 120_000 }
  const solved = { outcome: 'solved', claim: 'achieved', operations }
  expect(summary(await keep({ ...polling, params }))).toEqual(solved)
  expect(summary(await keep({ ...suspending, params }))).toEqual(solved)
  for (const agent of ['react-await', 'react-async']) expect(summary(await keep({ agent, params }))).toEqual(solved)
})

test('who can neither look nor wait leaves at once: wrong where an alarm comes, right where none does', async () => {
  const left = (outcome: string) => ({ outcome, claim: 'achieved', operations: 0 })
  expect(summary(await keep({ agent: 'react-sync', params: { pattern: 'once' } }))).toEqual(left('unsolved'))
  expect(summary(await keep({ agent: 'react-sync', params: { pattern: 'never' } }))).toEqual(left('solved'))
})

test.each([
  ['once', 'unsolved'],
  ['several', 'unsolved'],
  ['storm', 'unsolved'],
  ['never', 'solved'],
])('to do nothing in the watch “%s” is %s', async (pattern, outcome) => {
  const nothing = { outcome, claim: 'gave_up', operations: 0 }
  expect(summary(await keep({ agent: 'do-nothing', params: { pattern } }))).toEqual(nothing)
})

test('calls grow with the watch for who polls, and not at all for who suspends', async () => {
  const watch = (watchMs: number) => ({ watchMs, deadlineMs: 120_000, lookAlikes: 0 })
  const [short, long] = [watch(480_000), watch(2_400_000)]
  const [few, many] = [await keep({ ...polling, params: short }), await keep({ ...polling, params: long })].map(callsOf)
  expect(many ?? 0).toBeGreaterThan(4 * (few ?? 0))
  const nights = [short, long, watch(28_800_000)]
  const calls = []
  for (const params of nights) calls.push(callsOf(await keep({ ...suspending, params })))
  expect(calls).toEqual([22, 22, 22])
})

test('who looks more seldom than the deadline allows misses the alarm', async () => {
  const params = { watchMs: 2_400_000, deadlineMs: 60_000, lookAlikes: 0 }
  const trace = await keep({ ...polling, params, pollMs: 600_000 })
  expect(firstOf(trace, 'verdict')).toMatchObject({ outcome: 'violated', violations: ['missed'] })
})
