import { describe, expect, test } from 'vitest'
import type { Clock } from '../contract/index.js'
import { clockContract } from '../testing/clock-contract.js'
import { createStillTime } from '../testing/still-time.js'
import { createWallClock } from './wall-clock.js'

clockContract('wall clock', () => createWallClock({ real: createStillTime() }))
clockContract('wall clock, 40 times as fast', () => createWallClock({ speed: 40, real: createStillTime() }))

/** When (real and clock's ms) things happened that are told of. */
function stage(speed: number) {
  const real = createStillTime()
  const clock = createWallClock({ speed, real })
  const seen: [what: string, realMs: number, clockMs: number][] = []
  return { real, clock, seen, see: (what: string) => void seen.push([what, real.now(), clock.now()]) }
}
const play = (clock: Clock, untilMs = 60_000) => clock.run({ untilMs })

describe('wall clock', () => {
  test('real time passes as the speed says', async () => {
    const { clock, seen, see } = stage(10)
    clock.after(500, () => see('world'))
    clock.spawn('sleeper', async (self) => {
      await self.sleep(1_000)
      see('sleeper')
    })
    await play(clock)
    expect(seen).toEqual([
      ['world', 50, 500],
      ['sleeper', 100, 1_000],
    ])
  })

  test('a thought lasts as long as it says, or as its request really takes, whichever is longer', async () => {
    const { clock, real, seen, see } = stage(10)
    clock.spawn('quick', async (self) => {
      await self.think(async () => ({ value: 1, lastsMs: 400 }))
      see('quick')
    })
    clock.spawn('slow', async (self) => {
      const start = () =>
        new Promise<{ value: number; lastsMs: number }>((resolve) => {
          real.after(200, () => resolve({ value: 2, lastsMs: 400 }))
        })
      const { tookMs } = await self.think(start)
      see(`slow took ${tookMs}`)
    })
    clock.after(1_000, () => see('world'))
    await play(clock)
    expect(seen).toEqual([
      ['quick', 40, 400],
      // The world has not waited for it.
      ['world', 100, 1_000],
      ['slow took 2000', 200, 2_000],
    ])
  })

  test('nobody is deadlocked while a request is under way, and time still runs out', async () => {
    const { clock } = stage(10)
    clock.spawn('listener', async (self) => void (await self.wait(clock.bell(), null)))
    clock.spawn('thinker', async (self) => void (await self.think(() => new Promise(() => {}))))
    expect(await play(clock, 5_000)).toEqual({ how: 'out_of_time', failed: [] })
    expect(clock.now()).toBe(5_000)
  })

  test('a clock that lags behind keeps the order and the times of what is due', async () => {
    const { clock, real, seen, see } = stage(1)
    clock.after(10, () => {
      see('a')
      real.pass(100)
    })
    clock.after(20, () => see('b'))
    clock.spawn('sleeper', async (self) => {
      await self.sleep(30)
      see('sleeper')
    })
    await play(clock)
    expect(seen).toEqual([
      ['a', 10, 10],
      ['b', 110, 20],
      ['sleeper', 110, 30],
    ])
  })

  test('who is rung from outside is woken at once, at the time of the ring', async () => {
    const { clock, real, seen, see } = stage(10)
    const bell = clock.bell()
    real.after(33, () => bell.ring())
    clock.after(1_000, () => {})
    clock.spawn('listener', async (self) => see(await self.wait(bell, 2_000)))
    await play(clock)
    expect(seen).toEqual([['rung', 33, 330]])
  })

  test('on the timers of the machine the same story ends in the same order', async () => {
    const clock = createWallClock({ speed: 200 })
    const told: string[] = []
    const bell = clock.bell()
    clock.after(100, () => bell.ring())
    clock.spawn('listener', async (self) => void told.push(await self.wait(bell, null), String(clock.now())))
    clock.spawn('sleeper', async (self) => {
      await self.sleep(200)
      told.push('slept')
    })
    expect(await play(clock)).toEqual({ how: 'ended', failed: [] })
    expect(told).toEqual(['rung', '100', 'slept'])
  })

  test.each([0, -1, Number.NaN, Infinity])('%d is no speed', (speed) => {
    expect(() => createWallClock({ speed })).toThrow(`A speed is a number above 0, not ${speed}.`)
  })
})
