import { describe, expect, test } from 'vitest'
import type { Bell, Clock, ClockEnd, Process } from '../../contract/index.js'
import { answerIn, breath, openStage } from './stage.js'

export function mistakeStories(name: string, create: () => Clock): void {
  describe(`${name}: mistakes`, () => {
    const failing: [why: string, act: (self: Process, bell: Bell) => Promise<unknown>, message: string][] = [
      [
        'two waits at once',
        (self, bell) => Promise.all([self.sleep(10), self.wait(bell, 20)]),
        '"hasty" began to wait while its sleep was not over: two waits at once.',
      ],
      [
        'a wait that was not awaited before the next',
        (self) => {
          void self.think(() => answerIn(1, { value: 0, lastsMs: 10 }))
          return self.sleep(10)
        },
        '"hasty" began to sleep while its think was not over: two waits at once.',
      ],
      ['a delay before now', (self) => self.sleep(-1), 'A delay is a finite number of ms, 0 or more, not -1.'],
      [
        'a time-out that is no number',
        (self, bell) => self.wait(bell, Number.NaN),
        'A delay is a finite number of ms, 0 or more, not NaN.',
      ],
      [
        'a thought without end',
        (self) => self.think(() => answerIn(1, { value: 0, lastsMs: Infinity })),
        'A delay is a finite number of ms, 0 or more, not Infinity.',
      ],
      [
        'a bell of its own making',
        (self) => self.wait({ ring: () => {}, reset: () => {} }, 10),
        'A process can wait only for a bell that its clock made.',
      ],
    ]

    test.each(failing)('%s fails the process, and it alone', async (_why, act, message) => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('hasty', async (self) => {
        await act(self, clock.bell())
        say('hasty went on')
      })
      clock.spawn('other', async (self) => {
        await self.sleep(30)
        say('other')
      })
      const { how, failed } = await play()
      const told = failed.map(({ process, error }) => [process, error instanceof Error ? error.message : error])
      expect([how, told]).toEqual(['ended', [['hasty', message]]])
      expect(log).toEqual(['other'])
    })

    test('a process that ends before its wait is over fails', async () => {
      const { clock, play } = openStage(create())
      clock.spawn('hasty', async (self) => void self.wait(clock.bell(), null))
      clock.spawn('other', (self) => self.sleep(30))
      const failed = [{ process: 'hasty', error: new Error('"hasty" ended while its wait was not awaited.') }]
      expect(await play()).toEqual<ClockEnd>({ how: 'ended', failed })
    })

    test('a process that fails out of turn does not take the turn from whoever holds it', async () => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('hasty', async (self) => {
        void self.sleep(50)
        await breath(2)
        await self.sleep(10)
      })
      clock.spawn('holder', async (self) => {
        await breath(9)
        say('holder sleeps')
        await self.sleep(10)
      })
      clock.spawn('next', async () => say('next'))
      const { failed } = await play()
      expect(failed.map(({ process }) => process)).toEqual(['hasty'])
      expect(log).toEqual(['holder sleeps', 'next'])
    })

    test('a process that catches everything cannot go on after two waits at once', async () => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('stubborn', async (self) => {
        void self.sleep(10)
        try {
          await self.sleep(10)
        } catch {
          say('caught')
        }
        say('went on')
      })
      const { how, failed } = await play()
      expect([how, failed.map(({ process }) => process)]).toEqual(['ended', ['stubborn']])
      await breath(3)
      expect(log).toEqual([])
    })

    test('an event of the world that throws ends the run with that very error', async () => {
      const { clock, play } = openStage(create())
      const error = new Error('The valve has no position.')
      clock.after(10, () => {
        throw error
      })
      clock.spawn('sleeper', (self) => self.sleep(20))
      await expect(play()).rejects.toBe(error)
      expect(clock.over).toBe(true)
    })

    test('a notification that was handled but never sent ends the run', async () => {
      const { clock, play } = openStage(create())
      clock.spawn('confused', async () => clock.handled())
      await expect(play()).rejects.toThrow('More notifications were handled than sent.')
    })

    test('a clock runs once, and settles only afterwards', async () => {
      const { clock, play } = openStage(create())
      expect(() => clock.settle(10)).toThrow('A clock settles after its run.')
      expect(await play()).toEqual<ClockEnd>({ how: 'ended', failed: [] })
      await expect(play()).rejects.toThrow('A clock runs once.')
    })
  })
}
