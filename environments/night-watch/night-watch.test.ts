import { expect, test } from 'vitest'
import type { JsonObject } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { environmentContract } from '../../harness/testing/environment-contract.js'
import { play } from '../../harness/testing/environment/play.js'
import { stage } from '../../harness/testing/environment/stage.js'
import nightWatch from './night-watch.env.js'

environmentContract(nightWatch, {
  idleSolves: { when: (_params, harms) => !harms.includes('missed'), because: 'no alarm ever comes' },
})

const DESK = 'watch_desk'
const BURST = { pattern: 'storm', firings: 3, stormMs: 0, lookAlikes: 0 }

/** When the alarms of a scenario come (ms). */
async function alarms(params: JsonObject, seed: string): Promise<number[]> {
  const { rest, signals } = await stage(nightWatch, params, seed)
  rest()
  return signals().flatMap(({ at, signal }) => (signal === 'alarm.raised' ? [at] : []))
}
const seeds = Array.from({ length: 50 }, (_, index) => `night-${index}`)

test('the goal states the deadline of the parameters', () => {
  const params = nightWatch.params.parse({ deadlineMs: 90_500 })
  const goals = nightWatch.roles(params, createRandom('roles')).map(({ goal }) => goal)
  expect(goals).toEqual([
    'You have the night watch. Keep watch so that the number of open alarms stays below 1: acknowledge each alarm within 90.5 s, and nothing that merely resembles one. Stay at the desk until the watch is OVER.',
  ])
})

test.each([
  [
    { watchMs: 90_000 },
    'watchMs (90000) must exceed quietMs + deadlineMs (90000), or an alarm may still be open when the watch ends.',
  ],
  [
    { watchMs: 95_000, pattern: 'storm' },
    'watchMs (95000) must exceed quietMs + stormMs + deadlineMs (100000), or an alarm may still be open when the watch ends.',
  ],
])('the parameters %j are refused with the reason', (params, message) => {
  expect(nightWatch.params.safeParse(params).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('without alarms the shortest watch may be all quiet', () => {
  const values = { pattern: 'never', watchMs: 60_000, quietMs: 60_000 }
  expect(nightWatch.params.safeParse(values).success).toBe(true)
})

test.each([
  ['once', 1],
  ['several', 5],
  ['storm', 5],
  ['never', 0],
])(
  'the pattern %s brings its alarms after the quiet time, early enough for their deadlines',
  async (pattern, count) => {
    const params = { pattern, firings: 5, watchMs: 600_000, quietMs: 100_000, deadlineMs: 50_000, stormMs: 7_000 }
    const nights = await Promise.all(seeds.map((seed) => alarms(params, seed)))
    expect(nights.filter((night) => night.length !== count)).toEqual([])
    expect(nights.flat().filter((at) => at < 100_000 || at > 550_000)).toEqual([])
    const spans = nights.map((night) => Math.max(...night) - Math.min(...night))
    expect(spans.some((span) => span > 7_000)).toBe(pattern === 'several')
    // Nobody who knows one night knows another.
    expect(new Set(nights.map((night) => night[0])).size).toBeGreaterThan(count === 0 ? 0 : 45)
  },
)

test('each acknowledgement settles one alarm of a burst, and the margin is what was left of its deadline', async () => {
  const [at = 0] = await alarms(BURST, 'burst')
  const { act, pass, value, rest, records, world } = await stage(nightWatch, BURST, 'burst')
  pass(at + 20_000)
  expect(value(DESK, 'open_alarms')).toBe(3)
  for (const left of [2, 1, 0]) {
    expect(act(DESK, 'acknowledge').outcome).toBe('accepted')
    expect(value(DESK, 'open_alarms')).toBe(left)
  }
  rest()
  expect([world.reached(), world.violations()]).toEqual([true, []])
  const margins = records.flatMap((record) => (record.kind === 'margin' ? [[record.distance, record.near]] : []))
  expect(margins).toEqual([
    [40_000, false],
    [40_000, false],
    [40_000, false],
  ])
})

test('an alarm that nobody answers is missed at its deadline, leaves the desk, and is then too late to acknowledge', async () => {
  const [at = 0] = await alarms(BURST, 'burst')
  const { act, pass, value, records, world } = await stage(nightWatch, BURST, 'burst')
  pass(at + 59_999)
  expect(act(DESK, 'acknowledge').outcome).toBe('accepted')
  expect(world.violations()).toEqual([])
  pass(1)
  expect([value(DESK, 'open_alarms'), world.violations()]).toEqual([0, ['missed']])
  expect(records.flatMap((record) => (record.kind === 'margin' ? [[record.distance, record.near]] : []))).toEqual([
    [1, true],
  ])
  expect(act(DESK, 'acknowledge')).toMatchObject({ outcome: 'harmed' })
  expect(world.violations()).toEqual(['missed', 'false_alarm'])
})

test('a look-alike says what an alarm says, and who acknowledges it gives a false alarm', async () => {
  const { act, rest, value, signals, world } = await stage(nightWatch, { pattern: 'never', lookAlikes: 1 })
  rest()
  expect(signals()).toMatchObject([{ signal: 'sensor.disturbance' }, { signal: 'watch.over', at: 480_000 }])
  expect([value(DESK, 'last_event'), value(DESK, 'open_alarms')]).toEqual(['DISTURBANCE', 0])
  expect([world.reached(), world.violations()]).toEqual([true, []])
  expect(act(DESK, 'acknowledge')).toEqual({
    outcome: 'harmed',
    message: 'FALSE ALARM: the guards were sent out, and there was nothing to guard against.',
    rule: '`open_alarms` of `watch_desk` is at least `1` (an alarm has been raised)',
  })
  const loud = await stage(nightWatch, { lookAlikes: 1 })
  loud.rest()
  const words = loud.signals().flatMap(({ signal, payload }) => (signal === 'watch.over' ? [] : [payload]))
  expect(words).toMatchObject([{ msg: 'Movement detected.' }, { msg: 'Movement detected.' }])
})

test.each(['once', 'several', 'storm'])('who leaves before the end has not kept the watch “%s”', async (pattern) => {
  const { act, world, pass, signals } = await stage(nightWatch, { pattern })
  for (let ms = 0; ms < 479; ms++) {
    const before = signals().filter(({ signal }) => signal === 'alarm.raised').length
    pass(1_000)
    const raised = signals().filter(({ signal }) => signal === 'alarm.raised').length
    for (let alarm = before; alarm < raised; alarm++) act(DESK, 'acknowledge')
  }
  expect([world.reached(), world.violations()]).toEqual([false, []])
  pass(1_000)
  expect([world.reached(), world.violations()]).toEqual([true, []])
})

test('in a watch without any alarm doing nothing is right, and acknowledging is not', async () => {
  const { act, world, rest } = await stage(nightWatch, { pattern: 'never' })
  expect([world.reached(), world.violations()]).toEqual([true, []])
  act(DESK, 'acknowledge')
  rest()
  expect([world.reached(), world.violations()]).toEqual([true, ['false_alarm']])
})

test('a longer watch costs the world no more than its alarms', async () => {
  const of = async (watchMs: number) =>
    (await play({ environment: nightWatch, params: { watchMs }, seed: 'long' }, (world) => world.oracle)).records.length
  expect(await of(86_400_000)).toBe(await of(480_000))
})

test('of uneventful watches a drawn share has neither alarms nor look-alikes, and is to be kept all the same', async () => {
  const params = { uneventful: 0.2, lookAlikes: 3 }
  const nights = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { rest, signals, world } = await stage(nightWatch, params, `share-${index}`)
      const early = world.reached()
      rest()
      return { early, late: world.reached(), came: signals().map(({ signal }) => signal) }
    }),
  )
  const quiet = nights.filter(({ came }) => came.join() === 'watch.over')
  // 40 are expected of 200, with a standard deviation of 5.7.
  expect([quiet.length > 22, quiet.length < 58]).toEqual([true, true])
  expect(quiet.filter(({ early, late }) => early || !late)).toEqual([])
  expect(nights.filter(({ came }) => came.length > 1 && came.length !== 5)).toEqual([])
})
