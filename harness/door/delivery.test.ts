import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deliverySchema } from '../contract/index.js'
import type { Delivery, TraceRecord } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { boxWorld } from './fixtures/box.js'
import { slowWire } from './fixtures/slow-wire.js'
import { UUID, codeOf, play } from './fixtures/stage.js'
import type { Scene } from './fixtures/stage.js'
import type { PushDoor } from './surfaces/index.js'

const faults = (params: Partial<Delivery>, seed = 'faults') => ({
  delivery: { params: deliverySchema.parse(params), random: createRandom(seed) },
})
const doorbells = (trace: readonly TraceRecord[]) =>
  trace.flatMap((line) =>
    line.kind === 'doorbell' ? [[line.at, line.what, line.tool, line.delayMs, line.count] as const] : [],
  )
/** Without what tells of doorbells, and so without numbers. */
const others = (trace: readonly TraceRecord[]) =>
  trace.flatMap(({ n: _n, ...line }) => (line.kind === 'doorbell' ? [] : [line]))

async function heat(scene: Scene): Promise<PushDoor> {
  const door = await scene.session.open('push', UUID, scene.self)
  await door.focus('kettle')
  await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
  await door.call('kettle', { action: 'heat' })
  return door
}

/** Waits without a time-out until a signal is there, and tells the time. */
async function untilHot(scene: Scene, door: PushDoor): Promise<number> {
  const { session, self, clock } = scene
  for (;;) {
    session.bell.reset()
    if ((await door.drain()).length > 0) return clock.now()
    await self.wait(session.bell, null)
  }
}

/** When the kettle's signal reached a door that waits for it without a time-out; null where it never did. */
async function hotAt(params: Partial<Delivery>, seed?: string) {
  let at: number | null = null
  const { end, trace } = await play(
    async (scene) => {
      at = await untilHot(scene, await heat(scene))
    },
    faults(params, seed),
  )
  return { at, how: end.how, trace, lastAt: trace.at(-1)?.at ?? 0 }
}

describe('a doorbell', () => {
  it('that is delayed rings so much later, and the trial waits for it', async () => {
    const { at, how, trace } = await hotAt({ doorbellDelayMs: 60_000 })
    expect([at, how]).toEqual([62_000, 'ended'])
    expect(doorbells(trace)).toEqual([
      [0, 'delayed', 'kettle', 60_000, 1],
      [0, 'delayed', 'kettle', 60_000, 1],
      [1_000, 'delayed', 'kettle', 60_000, 1],
      [2_000, 'delayed', 'kettle', 60_000, 1],
      [2_000, 'delayed', null, 60_000, 1],
    ])
    expect(trace.flatMap((line) => (line.kind === 'delivered' ? [[line.at, line.seq]] : []))).toEqual([[62_000, 6]])
  })

  it('that is lost for good leaves a wait without time-out deadlocked, at that very instant', async () => {
    const { at, how, trace, lastAt } = await hotAt({ doorbellDrop: 1, telemetryMs: 100, stormEveryMs: 1_000 })
    expect([at, how, lastAt]).toEqual([null, 'deadlocked', 2_000])
    expect(doorbells(trace).at(-1)).toEqual([2_000, 'dropped', null, 0, 1])
  })

  it('that is doubled or overtaken changes nothing of what happens', async () => {
    const perfect = await hotAt({})
    const { at, how, trace } = await hotAt({ doorbellDuplicate: 1, doorbellReorder: 0.5 })
    expect([at, how, others(trace)]).toEqual([2_000, 'ended', others(perfect.trace)])
    expect(doorbells(trace).filter(([, what]) => what === 'duplicated')).toHaveLength(5)
  })

  it('of several of one step keeps its place unless another one overtakes it', async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 20; seed += 1) {
      const { trace } = await hotAt({ doorbellReorder: 0.5, doorbellDelayMs: 10 }, String(seed))
      const bells = doorbells(trace).filter(([at]) => at === 2_000)
      const overtaken = bells.some(([, what]) => what === 'reordered')
      const order = bells.flatMap(([, what, tool]) => (what === 'delayed' ? [tool ?? 'log'] : [])).join(' ')
      expect(order).toBe(overtaken ? 'log kettle' : 'kettle log')
      orders.add(order)
    }
    expect(orders.size).toBe(2)
  })

  it('under way when its door looks away rings nobody', async () => {
    const { trace, end } = await play(
      async (scene) => {
        const door = await heat(scene)
        await scene.self.sleep(1_500)
        await door.unfocus('kettle')
        scene.session.bell.reset()
        expect(await scene.self.wait(scene.session.bell, 20_000)).toBe('timeout')
      },
      faults({ doorbellDelayMs: 5_000 }),
    )
    expect([end.how, trace.some(({ kind }) => kind === 'delivered')]).toEqual(['ended', false])
  })
})

describe('a doorbell without news', () => {
  it('keeps no dead trial alive, however long it is under way', async () => {
    for (const more of [{ telemetryMs: 100 }, { telemetryMs: 100, doorbellDelayMs: 700 }, { stormEveryMs: 1_000 }]) {
      let rings = 0
      const { end, trace } = await play(async ({ session, self }) => {
        const door = await session.open('push', UUID, self)
        await door.focus('cup')
        await self.sleep(3_000)
        for (;;) {
          session.bell.reset()
          await self.wait(session.bell, null)
          rings += 1
        }
      }, faults(more))
      expect([end.how, Math.max(...trace.map(({ at }) => at)) <= 3_000]).toEqual(['deadlocked', true])
      expect([rings <= 1, doorbells(trace).length > 0]).toEqual([true, true])
    }
  })

  it('rings the tools in focus as telemetry, and in a storm the log, too; both deliver nothing', async () => {
    const { trace } = await play(
      async ({ session, self }) => {
        const door = await session.open('push', UUID, self)
        await door.focus('cup')
        await self.sleep(2_500)
        expect(await door.drain()).toEqual([])
      },
      faults({ telemetryMs: 1_000, stormEveryMs: 1_500, stormDoorbells: 7 }),
    )
    const bells = doorbells(trace)
    expect(bells.filter(([, what]) => what === 'telemetry')).toEqual([
      [1_000, 'telemetry', 'cup', 0, 1],
      [2_000, 'telemetry', 'cup', 0, 1],
    ])
    const [first] = bells.filter(([, what]) => what === 'storm')
    expect(bells.filter(([at, what]) => what === 'storm' && at === first?.[0])).toEqual([
      [first?.[0], 'storm', null, 0, 7],
      [first?.[0], 'storm', 'cup', 0, 7],
    ])
    expect(trace.some(({ kind }) => kind === 'delivered')).toBe(false)
  })

  it('brings what a lost one had to tell, so until then the trial is not dead', async () => {
    const stories = await Promise.all(
      Array.from({ length: 20 }, (_, seed) => hotAt({ doorbellDrop: 0.8, stormEveryMs: 10_000 }, String(seed))),
    )
    const lost = stories.filter(({ trace }) =>
      doorbells(trace).some(([, what, tool]) => what === 'dropped' && tool === null),
    )
    expect(lost.length).toBeGreaterThan(10)
    for (const { at, how, trace } of lost) {
      const storm = doorbells(trace).find(([when, what, tool]) => what === 'storm' && tool === null && when >= 2_000)
      expect([how, at]).toEqual(['ended', storm?.[0]])
    }
  })

  it('is hoped for no longer once a doorbell has rung: the trial is dead at that instant', async () => {
    const endings = await Promise.all(
      Array.from({ length: 20 }, (_, seed) =>
        play(
          async (scene) => {
            await heat(scene)
            await scene.self.wait(scene.clock.bell(), null)
          },
          faults({ doorbellDrop: 0.5, telemetryMs: 5_000 }, String(seed)),
        ),
      ),
    )
    for (const { end, trace } of endings) {
      const bells = doorbells(trace)
      const lost = bells.some(([at, what, tool]) => at === 2_000 && what === 'dropped' && tool === 'kettle')
      expect([end.how, bells.some(([, what]) => what === 'telemetry')]).toEqual(['deadlocked', lost])
    }
    const dead = endings.filter(({ trace }) => Math.max(...trace.map(({ at }) => at)) === 2_000)
    expect(dead.length).toBeGreaterThan(3)
    expect(dead.length).toBeLessThan(17)
  })

  it('is hoped for no longer by a door that looks away', async () => {
    const { end, trace } = await play(
      async (scene) => {
        const door = await heat(scene)
        await scene.self.sleep(1_500)
        await door.unfocus('kettle')
        await scene.self.wait(scene.clock.bell(), null)
      },
      faults({ doorbellDrop: 0.999_999, telemetryMs: 1_000 }),
    )
    expect([end.how, doorbells(trace).map(([, what]) => what)]).toEqual([
      'deadlocked',
      ['dropped', 'dropped', 'dropped'],
    ])
  })
})

/** Bursts of numbered signals, with a property that counts them. */
const ticker = boxWorld((box, kit) => {
  const count = box.property('count', z.int(), 0, 'How many.')
  const tick = box.signal('tick', z.int(), 'One more.')
  box.operation('start', { summary: 'Starts.', behaviour: '' }, () => {
    const burst = (round: number): void => {
      kit.after(100, () => {
        for (let each = 0; each < 3; each += 1) {
          count.value += 1
          tick.emit(count.value)
        }
        if (round < 20) burst(round + 1)
      })
    }
    burst(1)
    return 'Started.'
  })
})

const anyDelivery: fc.Arbitrary<Partial<Delivery>> = fc.record({
  doorbellDrop: fc.double({ min: 0, max: 1, noNaN: true }),
  doorbellDuplicate: fc.double({ min: 0, max: 1, noNaN: true }),
  doorbellReorder: fc.double({ min: 0, max: 1, noNaN: true }),
  doorbellDelayMs: fc.integer({ min: 0, max: 3_000 }),
  doorbellJitterMs: fc.integer({ min: 0, max: 3_000 }),
  telemetryMs: fc.option(fc.integer({ min: 100, max: 5_000 })),
  stormEveryMs: fc.option(fc.integer({ min: 1_000, max: 5_000 })),
  stormDoorbells: fc.integer({ min: 1, max: 30 }),
})

async function listen(params: Partial<Delivery>, more: Parameters<typeof play>[1] = {}) {
  const heard: unknown[] = []
  let last: unknown = null
  const { trace } = await play(
    async ({ session, self, clock }) => {
      const door = await session.open('push', UUID, self)
      await door.focus('box')
      await door.call('box', { action: 'start' })
      while (clock.now() < 10_000) {
        session.bell.reset()
        heard.push(...(await door.drain()).map(({ payload }) => payload))
        for (const { properties, readAt } of await door.sync()) {
          // A reading may be old, but it is the truth of when it was read.
          expect(properties['count']?.value).toBe(3 * Math.min(20, Math.floor(readAt / 100)))
        }
        await self.wait(session.bell, 10_000 - clock.now())
      }
      await door.resync()
      heard.push(...(await door.drain()).map(({ payload }) => payload))
      last = (await door.sync())[0]?.properties['count']?.value
    },
    { environment: ticker, ...faults(params), ...more },
  )
  return { heard, last, trace }
}

describe('whatever the doorbells do', () => {
  it('every signal is read exactly once and in order, and values are those of the world', async () => {
    const all = Array.from({ length: 60 }, (_, index) => index + 1)
    await fc.assert(
      fc.asyncProperty(anyDelivery, async (params) => {
        const { heard, last } = await listen(params)
        expect([heard, last]).toEqual([all, 60])
      }),
      { numRuns: 60 },
    )
  })

  it('the same seed gives the same trace, also on wires that take their time', async () => {
    await fc.assert(
      fc.asyncProperty(anyDelivery, fc.nat(), async (params, delays) => {
        const { trace } = await listen(params)
        const slow = await listen(params, { wire: slowWire(createRandom('delays').stream(delays)) })
        expect(slow.trace).toEqual(trace)
      }),
      { numRuns: 20 },
    )
  })
})
