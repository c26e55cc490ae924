import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import { loadAgent } from '../run/registry.js'
import { playTrial } from '../testing/play-trial.js'
import { recordsOf } from '../trace/records.js'
import easy from './easy.suite.js'

const { agents, environments } = suiteSchema.parse(easy)
const names = agents.map((each) => (typeof each === 'string' ? each : each.use))
const [world] = environments.map((each) => (typeof each === 'string' ? { use: each, params: {} } : each))

test('Where nothing has to be waited for, all solve, nobody waits, and S-ORA does it with no fewer calls than who only acts.', async () => {
  const calls = new Map<string, number>()
  for (const use of names) {
    const agent = await loadAgent(use)
    const { outcome, trace } = await playTrial({
      agent,
      environment: world?.use ?? '',
      worldParams: world?.params ?? {},
    })
    const waits = [recordsOf(trace, 'suspend'), recordsOf(trace, 'sleep'), recordsOf(trace, 'poll')].flat()
    expect({ use, outcome, waits }).toEqual({ use, outcome: 'solved', waits: [] })
    if (agent.usesModel) calls.set(use, recordsOf(trace, 'request').length)
  }
  const least = Math.min(...calls.values())
  expect(calls.get('react-sync')).toBe(least)
  expect(calls.get('s-ora')).toBeGreaterThan(2 * least)
  expect(calls.get('s-ora-lean')).toBeGreaterThanOrEqual(least)
})
