import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { TraceRecord } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { firstOf, recordsOf } from '../trace/records.js'
import { runTrial } from '../trial/trial.js'
import suite from './alarm.suite.js'

/** What a careful reader does about an alarm in ramp and flush each, in one scenario. */
async function answer(agent: string, relieveWithinMs: number): Promise<TraceRecord[]> {
  const [definition, environment] = await Promise.all([loadAgent(agent), loadEnvironment('water-hammer')])
  const params = { overpressure: 'both', relieveWithinMs }
  const one = { ...suite, scenarios: 1, agents: [agent], environments: [{ use: 'water-hammer', params }] }
  const definitions = {
    agents: new Map([[agent, definition]]),
    environments: new Map([['water-hammer', environment]]),
  }
  const [identity] = planSuite(suiteSchema.parse(one), definitions).trials
  if (identity === undefined) throw new Error('The plan is empty.')
  const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
  return runTrial(identity, { environment, agent: definition, chat, thinking: parseThinking(identity.thinking) })
}

test.each(['s-ora', 'react-polling'])(
  '%s relieves both alarms in time, and goes on with what it was at',
  async (agent) => {
    const trace = await answer(agent, 15_000)
    expect(firstOf(trace, 'verdict')).toMatchObject({ outcome: 'solved', violations: [] })
    const after = recordsOf(trace, 'operation').map(({ action }) => action)
    expect(after.slice(after.indexOf('power_on_pump'))).toEqual([
      'power_on_pump',
      'relieve',
      'open_valve',
      'button_1',
      'relieve',
    ])
  },
)

test('an alarm ends the waits of s-ora, whatever is waited for', async () => {
  const trace = await answer('s-ora', 15_000)
  const raised = recordsOf(trace, 'signal').filter(({ signal }) => signal === 'pump.overpressure')
  const woken = recordsOf(trace, 'wake').filter(({ signals }) => signals.includes('pump.overpressure'))
  expect(woken.map(({ at }) => at)).toEqual(raised.map(({ at }) => at))
  const waits = recordsOf(trace, 'suspend').map(({ signals }) => signals)
  expect(waits.filter((signals) => !signals.includes('pump.overpressure'))).toEqual([])
})

test('a deadline shorter than three thoughts is missed by whoever needs three, and the line bursts', async () => {
  expect(firstOf(await answer('s-ora', 3_000), 'verdict')).toMatchObject({ outcome: 'violated', violations: ['burst'] })
})
