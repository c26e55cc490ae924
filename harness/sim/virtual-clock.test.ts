import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Process } from '../contract/index.js'
import { clockContract } from '../testing/clock-contract.js'
import { latencyStories } from '../testing/clock/latency.js'
import { createVirtualClock } from './virtual-clock.js'

clockContract('virtual clock', createVirtualClock)
latencyStories('virtual clock', createVirtualClock)

const YEAR_MS = 365 * 86_400_000

/** Runs one process alone and tells what it returned. */
async function alone<T>(
  body: (self: Process, clock: ReturnType<typeof createVirtualClock>) => Promise<T>,
): Promise<T[]> {
  const clock = createVirtualClock()
  const results: T[] = []
  clock.spawn('alone', async (self) => void results.push(await body(self, clock)))
  const { failed } = await clock.run({ untilMs: YEAR_MS })
  if (failed[0] !== undefined) throw failed[0].error
  return results
}

const thinkAlone = (lastsMs: number, ringAtMs: number) =>
  alone(async (self, clock) => {
    const bell = clock.bell()
    clock.after(ringAtMs, () => bell.ring())
    const thought = await self.think(async () => ({ value: 'yes', lastsMs }), bell)
    return { ...thought, now: clock.now() }
  })

describe('virtual clock: exact times', () => {
  test('now is the due time of what runs, to the fraction of a millisecond', async () => {
    const times = await alone(async (self, clock) => {
      const seen: number[] = [clock.now()]
      clock.after(5, () => seen.push(clock.now()))
      await self.sleep(12.25)
      seen.push(clock.now())
      await self.wait(clock.bell(), 100)
      seen.push(clock.now())
      await self.sleep(0)
      return [...seen, clock.now()]
    })
    expect(times).toEqual([[0, 5, 12.25, 112.25, 112.25]])
  })

  test('a ring wakes at its own instant, and a wait for a bell that has rung takes no time', async () => {
    const times = await alone(async (self, clock) => {
      const bell = clock.bell()
      clock.after(7, () => bell.ring())
      const first = await self.wait(bell, 100)
      const woken = clock.now()
      return [first, woken, await self.wait(bell, 100), clock.now()]
    })
    expect(times).toEqual([['rung', 7, 'rung', 7]])
  })

  test('a thought takes what its request says, or what had passed when it was interrupted', async () => {
    expect(await thinkAlone(30, 29.5)).toEqual([{ value: null, tookMs: 29.5, now: 29.5 }])
    // What ends at the instant of the ring was complete.
    expect(await thinkAlone(30, 30)).toEqual([{ value: 'yes', tookMs: 30, now: 30 }])
    expect(await thinkAlone(0, 0)).toEqual([{ value: 'yes', tookMs: 0, now: 0 }])
  })

  test('an interrupt that had rung before the thought ends it at once, for bells are sticky', async () => {
    const thoughts = await alone((self, clock) => {
      const bell = clock.bell()
      bell.ring()
      return self.think(async () => ({ value: 'yes', lastsMs: 30 }), bell)
    })
    expect(thoughts).toEqual([{ value: null, tookMs: 0 }])
  })

  test('a thought of no length still precedes the time-outs of its instant', async () => {
    const clock = createVirtualClock()
    const bell = clock.bell()
    const woken: string[] = []
    clock.spawn('listener', async (self) => void woken.push(await self.wait(bell, 10)))
    clock.spawn('thinker', async (self) => {
      await self.sleep(10)
      await self.think(async () => ({ value: 0, lastsMs: 0 }))
      bell.ring()
    })
    await clock.run({ untilMs: 100 })
    expect(woken).toEqual(['rung'])
  })

  test('the place of a thought in a tie is that of its asking, whenever its answer comes', async () => {
    const clock = createVirtualClock()
    const order: string[] = []
    clock.spawn('thinker', async (self) => {
      await self.think(async () => ({ value: 0, lastsMs: 10 }))
      order.push('thinker')
    })
    clock.spawn('sleeper', async (self) => {
      await self.sleep(10)
      order.push('sleeper')
    })
    await clock.run({ untilMs: 100 })
    expect(order).toEqual(['thinker', 'sleeper'])
  })

  test('a deadlock is found at its instant, an overrun ends at the limit', async () => {
    const deadlocked = createVirtualClock()
    deadlocked.after(YEAR_MS, () => {}, { ambient: true })
    deadlocked.spawn('waiting', async (self) => {
      await self.sleep(40)
      await self.wait(deadlocked.bell(), null)
    })
    expect(await deadlocked.run({ untilMs: YEAR_MS })).toEqual({ how: 'deadlocked', failed: [] })
    expect(deadlocked.now()).toBe(40)

    const late = createVirtualClock()
    late.spawn('sleeping', (self) => self.sleep(60))
    expect(await late.run({ untilMs: 50 })).toEqual({ how: 'out_of_time', failed: [] })
    expect(late.now()).toBe(50)
  })

  test('settling tells the time of the last event that was not ambient, or its bound', async () => {
    const clock = createVirtualClock()
    clock.after(40, () => {})
    clock.after(90, () => {})
    clock.after(95, () => {}, { ambient: true })
    await clock.run({ untilMs: 10 })
    expect([clock.settle(50), clock.settle(20), clock.settle(200)]).toEqual([50, 50, 90])
  })

  test('sleepers wake in the order of due time, then of falling asleep', async () => {
    const delays = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 })
    const property = fc.asyncProperty(fc.array(delays, { minLength: 1, maxLength: 6 }), async (plans) => {
      const clock = createVirtualClock()
      const woken: { at: number; asleep: number }[] = []
      let falls = 0
      for (const plan of plans) {
        clock.spawn('sleeper', async (self) => {
          for (const delayMs of plan) {
            const asleep = falls++
            const due = clock.now() + delayMs
            await self.sleep(delayMs)
            expect(clock.now()).toBe(due)
            woken.push({ at: due, asleep })
          }
        })
      }
      expect(await clock.run({ untilMs: 100 })).toEqual({ how: 'ended', failed: [] })
      expect(woken).toEqual(woken.toSorted((a, b) => a.at - b.at || a.asleep - b.asleep))
      expect(woken.length).toBe(plans.flat().length)
    })
    await fc.assert(property)
  })
})

describe('virtual clock: time that does not move', () => {
  test('a process that takes 100 000 steps at one instant fails by name, and the others go on', async () => {
    const clock = createVirtualClock()
    const { ended } = clock.spawn('restless', async (self) => {
      for (;;) await self.sleep(0)
    })
    clock.spawn('patient', (self) => self.sleep(5))
    clock.spawn('joining', async (self) => void (await self.wait(ended, null)))
    const error = new Error('"restless" took more than 100000 steps at 0 ms without letting time pass.')
    expect(await clock.run({ untilMs: 10 })).toEqual({ how: 'ended', failed: [{ process: 'restless', error }] })
  })

  test('many steps are fine while time moves', async () => {
    const clock = createVirtualClock()
    clock.spawn('busy', async (self) => {
      for (let step = 0; step < 200_000; step += 1) await self.sleep(1)
    })
    expect(await clock.run({ untilMs: YEAR_MS })).toEqual({ how: 'ended', failed: [] })
  })

  test('a world that takes 100 000 steps at one instant ends the run', async () => {
    const clock = createVirtualClock()
    const spin = () => void clock.after(0, spin)
    clock.after(3, spin)
    clock.spawn('sleeper', (self) => self.sleep(5))
    await expect(clock.run({ untilMs: 10 })).rejects.toThrow('The world took more than 100000 steps at 3 ms')
  })
})

const slowAnswer = () =>
  new Promise<{ value: number; lastsMs: number }>((resolve) => {
    setTimeout(() => resolve({ value: 1, lastsMs: 10 }), 600_000)
  })

describe('virtual clock: the watchdog', () => {
  afterEach(() => void vi.useRealTimers())

  test('names the process that keeps the turn for more than 30 s of real time, and stops the run', async () => {
    vi.useFakeTimers()
    const clock = createVirtualClock()
    clock.spawn('asleep', (self) => self.sleep(10))
    clock.spawn('hanging', () => new Promise(() => {}))
    const end = clock.run({ untilMs: 100 })
    await vi.advanceTimersByTimeAsync(60_000)
    const error = new Error('"hanging" kept the turn at 0 ms for more than 30 s of real time.')
    expect(await end).toEqual({ how: 'stopped', failed: [{ process: 'hanging', error }] })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('counts the notifications that nobody handles', async () => {
    vi.useFakeTimers()
    const clock = createVirtualClock()
    clock.spawn('ringer', async (self) => {
      clock.sent()
      clock.sent()
      await self.sleep(10)
    })
    const end = clock.run({ untilMs: 100 })
    await Promise.all([
      expect(end).rejects.toThrow('At 0 ms 2 notifications were sent and never handled.'),
      vi.advanceTimersByTimeAsync(60_000),
    ])
  })

  test('is silent while a model request is under way', async () => {
    vi.useFakeTimers()
    const clock = createVirtualClock()
    clock.spawn('thinker', async (self) => void (await self.think(slowAnswer)))
    const end = clock.run({ untilMs: 100 })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(await end).toEqual({ how: 'ended', failed: [] })
    expect(vi.getTimerCount()).toBe(0)
  })
})
