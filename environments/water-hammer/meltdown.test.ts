import { expect, test } from 'vitest'
import type { JsonObject } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { play } from '../../harness/testing/environment/play.js'
import { stage } from '../../harness/testing/environment/stage.js'
import waterHammer from './water-hammer.env.js'

test('a core that nobody saves melts at the stated time, and not before', async () => {
  const { pass, value, world } = await stage(waterHammer, { meltdownAfterMs: 60_000 })
  pass(59_999)
  expect([value('reactor_core', 'core_status'), world.violations()]).toEqual(['CRITICAL', []])
  pass(1)
  expect([value('reactor_core', 'core_status'), world.violations()]).toEqual(['MELTING', ['meltdown']])
})

test('a flush that comes too late is overtaken by the meltdown', async () => {
  const { act, pass, rest, value, world } = await stage(waterHammer, { meltdownAfterMs: 60_000 })
  act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  act('hydraulic_control', 'power_on_pump')
  pass(50_000)
  act('hydraulic_control', 'open_valve')
  act('reactor_core', 'button_1')
  rest()
  expect([value('reactor_core', 'core_status'), world.violations(), world.reached()]).toEqual([
    'MELTED',
    ['meltdown'],
    false,
  ])
})

test('who is in time has the rest of the time as its margin', async () => {
  const params = { meltdownAfterMs: 60_000, rampMs: 10_000 }
  const played = await play({ environment: waterHammer, params, seed: 'in-time' }, (world) => world.oracle)
  expect(played.records.filter(({ kind }) => kind === 'margin')).toMatchObject([
    { violation: 'water_hammer', distance: 0 },
    { violation: 'meltdown', distance: 60_000 - 10_000 - 11_000, unit: 'ms', near: false },
  ])
  expect([played.solved, played.violations]).toEqual([true, []])
})

test('a plant that is locked out is spared the meltdown', async () => {
  const { act, rest, value, world } = await stage(waterHammer, { meltdownAfterMs: 60_000 })
  act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  act('reactor_core', 'button_3')
  rest()
  expect([value('reactor_core', 'core_status'), world.violations()]).toEqual(['CRITICAL', ['lockout']])
})

test('goal and manual tell of the time, and only where there is one', async () => {
  const goalWith = (params: JsonObject) =>
    waterHammer
      .roles(waterHammer.params.parse(params), createRandom('roles'))
      .map(({ goal }) => (typeof goal === 'string' ? goal : ''))
  const [plain = ''] = goalWith({})
  const sentence = 'A core that is not stable 90 s after the beginning melts down by itself.'
  expect([goalWith({ meltdownAfterMs: 90_000 }), goalWith({ meltdownAfterMs: null })]).toEqual([
    [`${plain} ${sentence}`],
    [plain],
  ])
  const [soon, never] = await Promise.all([
    stage(waterHammer, { meltdownAfterMs: 90_000 }),
    stage(waterHammer, { meltdownAfterMs: null }),
  ])
  expect(soon.document('reactor_operations')).toContain('90 s after the beginning melts down by itself')
  expect(never.document('reactor_operations')).not.toContain('by itself')
})

test.each([
  // 25 ticks of ramp at most, 11 of flush.
  [
    { meltdownAfterMs: 36_000 },
    ['meltdownAfterMs (36000) must exceed 36000, the longest ramp and the flush: nobody could be in time.'],
  ],
  [{ meltdownAfterMs: 36_001 }, []],
  [
    { meltdownAfterMs: 13_000, rampMs: 1_500 },
    ['meltdownAfterMs (13000) must exceed 13000, the longest ramp and the flush: nobody could be in time.'],
  ],
  [{ meltdownAfterMs: 13_001, rampMs: 1_500 }, []],
])('the parameters %j are refused where nobody could be in time', (params, messages) => {
  expect(waterHammer.params.safeParse(params).error?.issues.map(({ message }) => message) ?? []).toEqual(messages)
})
