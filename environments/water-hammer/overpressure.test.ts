import { expect, test } from 'vitest'
import type { JsonObject } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { play } from '../../harness/testing/environment/play.js'
import { stage } from '../../harness/testing/environment/stage.js'
import waterHammer from './water-hammer.env.js'

const TOOL = 'hydraulic_control'

/** A plant whose pump has just been started. */
async function pumping(params: JsonObject, seed?: string) {
  const running = await stage(waterHammer, params, seed)
  running.act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  running.act(TOOL, 'power_on_pump')
  return running
}
const solve = (params: JsonObject, seed: string) =>
  play({ environment: waterHammer, params, seed }, (world) => world.oracle)

/** What happened, by name, in order. */
async function storyOf(params: JsonObject, seed: string): Promise<string[]> {
  const { records } = await solve(params, seed)
  return records.flatMap((record) => {
    if (record.kind === 'signal') return [record.signal]
    return record.kind === 'operation' ? [record.action] : []
  })
}

test('without an alarm neither tool nor manual nor goal knows of one', async () => {
  const [absent, never] = await Promise.all([stage(waterHammer, {}), stage(waterHammer, { overpressure: 'never' })])
  expect(JSON.stringify(never.world.tools)).toBe(JSON.stringify(absent.world.tools))
  expect(never.world.documents).toEqual(absent.world.documents)
  expect(JSON.stringify(absent.world.tools)).not.toMatch(/line_pressure|relieve|overpressure/)
  const goals = [{}, { overpressure: 'never' }, { relieveWithinMs: 2_000 }].map((params) =>
    waterHammer.roles(waterHammer.params.parse(params), createRandom('roles')),
  )
  expect(goals).toEqual([goals[0], goals[0], goals[0]])
})

test('with an alarm the goal says one sentence more, with the deadline of the parameters', () => {
  const goalWith = (params: JsonObject) =>
    waterHammer
      .roles(waterHammer.params.parse(params), createRandom('roles'))
      .map(({ goal }) => (typeof goal === 'string' ? goal : ''))
  const [plain = ''] = goalWith({})
  const sentence = 'All the while keep the pressure of the feed line below 40 BAR: an excess has to be relieved within'
  expect(goalWith({ overpressure: 'ramp' })).toEqual([`${plain} ${sentence} 15 s.`])
  expect(goalWith({ overpressure: 'both', relieveWithinMs: 2_500 })).toEqual([`${plain} ${sentence} 2.5 s.`])
})

const RAMP = ['power_on_pump', 'pump.overpressure', 'relieve', 'pump.pressure_nominal']
const QUIET_RAMP = ['power_on_pump', 'pump.pressure_nominal']
const FLUSH = ['open_valve', 'button_1', 'pump.overpressure', 'relieve', 'core.stabilized']
const QUIET_FLUSH = ['open_valve', 'button_1', 'core.stabilized']

test('alarms come within the processes that the parameters name', async () => {
  for (let seed = 0; seed < 30; seed++) {
    const of = (overpressure: string) => storyOf({ overpressure }, `alarm-${seed}`)
    expect(await of('ramp')).toEqual(['login', ...RAMP, ...QUIET_FLUSH])
    expect(await of('flush')).toEqual(['login', ...QUIET_RAMP, ...FLUSH])
    expect(await of('both')).toEqual(['login', ...RAMP, ...FLUSH])
  }
})

test('either means one of the two, and each of them in some seeds', async () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => `alarm-${seed}`)
  const stories = await Promise.all(seeds.map((seed) => storyOf({ overpressure: 'either' }, seed)))
  expect(new Set(stories.map(String))).toEqual(
    new Set([String(['login', ...RAMP, ...QUIET_FLUSH]), String(['login', ...QUIET_RAMP, ...FLUSH])]),
  )
})

test('the seed decides when the alarm comes, whatever the deadline', async () => {
  const at = async (params: JsonObject, seed: string) => {
    const { rest, signals } = await pumping({ overpressure: 'ramp', ...params }, seed)
    rest()
    return signals().find(({ signal }) => signal === 'pump.overpressure')?.at
  }
  const seeds = Array.from({ length: 20 }, (_, seed) => `time-${seed}`)
  const times = await Promise.all(seeds.map((seed) => at({}, seed)))
  expect(new Set(times).size).toBe(20)
  expect(await Promise.all(seeds.map((seed) => at({ relieveWithinMs: 1_000 }, seed)))).toEqual(times)
})

/** The ramp up to its alarm. */
async function alarmed(params: JsonObject = {}) {
  const { rest, signals } = await pumping({ overpressure: 'ramp', ...params })
  rest()
  const [alarm] = signals()
  const running = await pumping({ overpressure: 'ramp', ...params })
  running.pass(alarm?.at ?? 0)
  return { ...running, alarm }
}

test('an excess stands until it is relieved, and its margin is what was left of the deadline', async () => {
  const { act, pass, rest, value, alarm, records, world } = await alarmed()
  const bar = Number(value(TOOL, 'line_pressure'))
  expect(bar > 40 && bar <= 60).toBe(true)
  expect(alarm).toMatchObject({ signal: 'pump.overpressure', payload: { bar } })
  pass(14_000)
  expect(value(TOOL, 'line_pressure')).toBe(bar)
  expect(act(TOOL, 'relieve')).toMatchObject({ outcome: 'accepted' })
  rest()
  expect([value(TOOL, 'line_pressure'), value(TOOL, 'pump_status'), world.violations()]).toEqual([20, 'NOMINAL', []])
  expect(records.filter(({ kind }) => kind === 'margin')).toMatchObject([
    { violation: 'burst', distance: 1_000, unit: 'ms', near: true },
  ])
})

test('a feed line that nobody relieves bursts at its deadline, and the plant locks itself out', async () => {
  const { act, pass, value, world } = await alarmed({ relieveWithinMs: 4_000 })
  pass(3_999)
  expect(world.violations()).toEqual([])
  pass(1)
  expect([world.violations(), value(TOOL, 'line_pressure')]).toEqual([['burst'], 0])
  expect(value('security_terminal', 'system_lockout')).toBe(true)
  expect(act(TOOL, 'relieve')).toMatchObject({ outcome: 'refused' })
})

test('without an excess there is nothing to relieve, and the refusal quotes the rule of the manual', async () => {
  const { act, document } = await pumping({ overpressure: 'flush' })
  const { outcome, rule } = act(TOOL, 'relieve')
  expect([outcome, rule]).toEqual([
    'refused',
    '`line_pressure` of `hydraulic_control` is at least `40` BAR (over-pressure in the feed line)',
  ])
  expect(document('hydraulics')).toContain(rule)
})

test('a stable core under an excess is not the goal yet', async () => {
  const { act, rest, pass, value, world } = await stage(waterHammer, {
    overpressure: 'flush',
    relieveWithinMs: 600_000,
  })
  act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  act(TOOL, 'power_on_pump')
  rest()
  act(TOOL, 'open_valve')
  act('reactor_core', 'button_1')
  pass(60_000)
  expect([value('reactor_core', 'core_status'), world.reached()]).toEqual(['STABLE', false])
  act(TOOL, 'relieve')
  expect(world.reached()).toBe(true)
})

test('a second excess upon the first is told again, and the earlier deadline stands', async () => {
  const running = await stage(waterHammer, { overpressure: 'both', relieveWithinMs: 60_000, rampMs: 1_000 })
  const { act, rest, pass, signals, world } = running
  act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4482' })
  act(TOOL, 'power_on_pump')
  pass(1_000)
  act(TOOL, 'open_valve')
  act('reactor_core', 'button_1')
  rest()
  const [first, , second] = signals()
  expect([first?.signal, second?.signal]).toEqual(['pump.overpressure', 'pump.overpressure'])
  const burst = running.records.find(({ kind }) => kind === 'violation')
  expect([world.violations(), burst?.at]).toEqual([['burst'], (first?.at ?? 0) + 60_000])
})
