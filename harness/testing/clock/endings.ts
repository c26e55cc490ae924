import { describe, expect, test } from 'vitest'
import type { Clock, ClockEnd, Process } from '../../contract/index.js'
import { answerIn, breath, openStage } from './stage.js'

export function endingStories(name: string, create: () => Clock): void {
  describe(`${name}: how it ends`, () => {
    test('when the last process has ended, whatever the world still plans', async () => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('parent', async (self) => {
        const { ended } = clock.spawn('child', (own) => own.sleep(10))
        say(await self.wait(ended, null))
      })
      clock.after(50, () => say('too late'))
      expect(await play()).toEqual<ClockEnd>({ how: 'ended', failed: [] })
      expect(log).toEqual(['rung'])
    })

    test('deadlocked, when nothing but ambient events could wake anyone', async () => {
      const { clock, log, say, play } = openStage(create())
      const bell = clock.bell()
      const telemetry = () => {
        bell.ring()
        clock.after(10, telemetry)
      }
      clock.after(10, telemetry, { ambient: true })
      clock.spawn('listener', async (self) => {
        for (;;) {
          bell.reset()
          say(await self.wait(bell, null))
        }
      })
      clock.after(35, () => say('last event'))
      expect(await play()).toEqual<ClockEnd>({ how: 'deadlocked', failed: [] })
      expect(log).toEqual(['rung', 'rung', 'rung', 'last event'])
    })

    test('out of time: what is due at the limit runs, and nothing after it', async () => {
      const { clock, log, say } = openStage(create())
      for (const delayMs of [20, 30, 40]) clock.after(delayMs, () => say(`event ${delayMs}`))
      clock.spawn('sleeper', (self) => self.sleep(50))
      expect(await clock.run({ untilMs: 30 })).toEqual<ClockEnd>({ how: 'out_of_time', failed: [] })
      expect(log).toEqual(['event 20', 'event 30'])
    })

    test('stopped: all processes are abandoned, and whatever they await never settles', async () => {
      const { clock, log, say, play } = openStage(create())
      const bell = clock.bell()
      const acts: ((self: Process) => Promise<unknown>)[] = [
        (self) => self.sleep(30),
        (self) => self.wait(bell, 30),
        (self) => self.think(() => answerIn(1, { value: 0, lastsMs: 30 })),
      ]
      for (const act of acts) clock.spawn('abandoned', async (self) => say(`settled ${String(await act(self))}`))
      clock.spawn('holder', async (self) => {
        await self.sleep(10)
        say('stop')
        clock.stop()
        void self.think(async () => {
          say('asked after the end')
          return { value: 0, lastsMs: 0 }
        })
        for (const act of acts) void act(self).then(() => say('settled after the end'))
        await self.sleep(0)
        say('went on')
      })
      expect(clock.over).toBe(false)
      expect(await play()).toEqual<ClockEnd>({ how: 'stopped', failed: [] })
      expect(clock.over).toBe(true)
      bell.ring()
      clock.settle(clock.now() + 100)
      await breath(5)
      expect(log).toEqual(['stop'])
    })

    test('stopped: what a process throws behind that is no failure any more', async () => {
      const { clock, play } = openStage(create())
      clock.spawn('stopping', async () => {
        clock.stop()
        throw new Error('No time left.')
      })
      expect(await play()).toEqual<ClockEnd>({ how: 'stopped', failed: [] })
    })

    test('a stop comes through while a request or a notification is under way', async () => {
      for (const hang of ['request', 'notification']) {
        const { clock, play } = openStage(create())
        clock.spawn('thinker', async (self) => {
          if (hang === 'notification') clock.sent()
          await self.think(() => new Promise(() => {}))
        })
        const end = play()
        await breath(3)
        clock.stop()
        expect(await end).toEqual<ClockEnd>({ how: 'stopped', failed: [] })
      }
    })

    test('after the run the world settles until only ambient events remain, or a bound is reached', async () => {
      const { clock, log, say, play } = openStage(create())
      const telemetry = () => void clock.after(10, telemetry, { ambient: true })
      telemetry()
      const cancel = clock.after(70, () => say('cancelled'))
      clock.after(40, () => {
        say('40')
        cancel()
        clock.after(40, () => {
          say('80')
          clock.spawn('born late', async () => say('born after the end'))
        })
        clock.after(1_000, () => say('1040'))
      })
      clock.spawn('short', async () => {})
      await play()
      clock.settle(500)
      expect(log).toEqual(['40', '80'])
      clock.settle(5_000)
      expect(log).toEqual(['40', '80', '1040'])
    })

    test('failures are told in the order of spawning, and the others go on', async () => {
      const { clock, log, say, play } = openStage(create())
      for (const [who, delayMs] of [
        ['a', 30],
        ['b', 10],
        ['c', 20],
      ] as const) {
        clock.spawn(who, async (self) => {
          await self.sleep(delayMs)
          say(who)
          if (who !== 'c') throw new Error(`${who} fell`)
        })
      }
      const failed = [
        { process: 'a', error: new Error('a fell') },
        { process: 'b', error: new Error('b fell') },
      ]
      expect(await play()).toEqual<ClockEnd>({ how: 'ended', failed })
      expect(log).toEqual(['b', 'c', 'a'])
    })
  })
}
