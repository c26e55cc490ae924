import { expect, test } from 'vitest'
import type { JsonObject } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { environmentContract } from '../../harness/testing/environment-contract.js'
import { stage } from '../../harness/testing/environment/stage.js'
import waterHammer from './water-hammer.env.js'

environmentContract(waterHammer)

function goals(params: JsonObject): unknown[] {
  return waterHammer.roles(waterHammer.params.parse(params), createRandom('roles')).map(({ goal }) => goal)
}

test('the goal names the temperatures of the parameters', () => {
  expect(goals({})).toEqual([
    'The core is critical (3000°C). Perform the Hydraulic Flush, reduce core temperature, then verify it is below 500°C and the system is STABLE.',
  ])
  expect(goals({ startTempC: 900, safeTempC: 350 })).toEqual([
    'The core is critical (900°C). Perform the Hydraulic Flush, reduce core temperature, then verify it is below 350°C and the system is STABLE.',
  ])
})

test.each([
  [{ startTempC: 400 }, 'startTempC (400) must be above safeTempC (500), or nothing is critical.'],
  [{ safeTempC: 200 }, 'safeTempC (200) must be above coolantTempC (200): no flush cools below its coolant.'],
  [{ rampMs: 3_600_000, tickMs: 100 }, 'rampMs (3600000) takes more than 10000 ticks of 100 ms: raise tickMs.'],
])('the parameters %j are refused with the reason', (params, message) => {
  expect(waterHammer.params.safeParse(params).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('the seed decides the order of the documents', async () => {
  const [a, b] = await Promise.all(['a', 'b'].map((seed) => stage(waterHammer, { distractors: 10 }, seed)))
  const [inA = [], inB = []] = [a, b].map((running) => running?.world.documents.map(({ id }) => id))
  expect(inA).toHaveLength(13)
  expect(inA).not.toEqual(inB)
  expect(inA.toSorted()).toEqual(inB.toSorted())
})

test.each([
  [false, 'Pump started. Pressure is building.', 'Valve open.'],
  [true, 'Pump started. WAIT for NOMINAL status.', 'Valve OPEN. Path clear.'],
])('with ackHints %s the acknowledgements are %j and %j', async (ackHints, started, opened) => {
  const { act, rest } = await stage(waterHammer, { ackHints })
  act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  expect(act('hydraulic_control', 'power_on_pump').message).toBe(started)
  rest()
  expect(act('hydraulic_control', 'open_valve').message).toBe(opened)
})
