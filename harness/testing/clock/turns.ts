import { describe, expect, test } from 'vitest'
import type { Clock } from '../../contract/index.js'
import { answerIn, breath, notify, openStage } from './stage.js'

export function turnStories(name: string, create: () => Clock): void {
  describe(`${name}: whose turn it is`, () => {
    test('of what is due at one instant world events run first and time-outs last, else the older first', async () => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('timeout', async (self) => say(`first ${await self.wait(clock.bell(), 20)}`))
      clock.spawn('process', async (self) => {
        await self.sleep(20)
        say('process')
      })
      clock.spawn('timeout', async (self) => say(`second ${await self.wait(clock.bell(), 20)}`))
      clock.spawn('late', async (self) => {
        clock.after(20, () => say('world'))
        await self.sleep(20)
        say('younger process')
      })
      await play()
      expect(log).toEqual(['world', 'process', 'younger process', 'first timeout', 'second timeout'])
    })

    test('a ring of the instant of a time-out wins, whether the world or a process rings', async () => {
      const { clock, log, say, play } = openStage(create())
      const [byWorld, byProcess] = [clock.bell(), clock.bell()]
      clock.spawn('a', async (self) => say(`a ${await self.wait(byWorld, 20)}`))
      clock.spawn('b', async (self) => say(`b ${await self.wait(byProcess, 20)}`))
      clock.spawn('ringer', async (self) => {
        clock.after(20, () => byWorld.ring())
        await self.sleep(20)
        byProcess.ring()
      })
      await play()
      expect(log).toEqual(['a rung', 'b rung'])
    })

    test('processes rung since the last hand-over go on in the order of their spawning', async () => {
      const { clock, log, say, play } = openStage(create())
      const bells = ['a', 'b', 'c', 'd'].map((who) => ({ who, bell: clock.bell() }))
      for (const { who, bell } of bells) {
        clock.spawn(who, async (self) => say(`${who} ${await self.wait(bell, null)}`))
      }
      clock.after(10, () => {
        for (const { bell } of bells.toReversed()) bell.ring()
      })
      await play()
      expect(log).toEqual(['a rung', 'b rung', 'c rung', 'd rung'])
    })

    test('whoever holds the turn keeps it, however long its work really takes', async () => {
      const { clock, log, say, play } = openStage(create())
      for (const who of ['a', 'b']) {
        clock.spawn(who, async (self) => {
          say(`${who} begins`)
          await breath(who === 'a' ? 9 : 1)
          say(`${who} sleeps`)
          await self.sleep(10)
          say(`${who} ends`)
        })
      }
      await play()
      expect(log).toEqual(['a begins', 'a sleeps', 'b begins', 'b sleeps', 'a ends', 'b ends'])
    })

    test('the turn is not handed over before every notification was handled', async () => {
      const { clock, log, say, play } = openStage(create())
      const bell = clock.bell()
      clock.spawn('listener', async (self) => say(`listener ${await self.wait(bell, 20)}`))
      clock.after(10, () => notify(clock, 5, () => bell.ring()))
      clock.after(10, () => say('next event'))
      clock.after(10, () => notify(clock, 1, () => say('handled')))
      await play()
      expect(log).toEqual(['next event', 'handled', 'listener rung'])
    })
  })

  describe(`${name}: bells`, () => {
    test('a ring before the wait is kept until the bell is reset', async () => {
      const { clock, log, say, play } = openStage(create())
      const bell = clock.bell()
      bell.ring()
      clock.spawn('a', async (self) => {
        say(await self.wait(bell, 10))
        say(await self.wait(bell, 10))
        bell.reset()
        say(await self.wait(bell, 10))
      })
      await play()
      expect(log).toEqual(['rung', 'rung', 'timeout'])
    })

    test('a bell wakes nobody whose wait for it is over', async () => {
      const { clock, log, say, play } = openStage(create())
      const [first, second, interrupt] = [clock.bell(), clock.bell(), clock.bell()]
      clock.spawn('waiting', async (self) => {
        say(await self.wait(first, 10))
        say(await self.wait(second, 20))
      })
      clock.spawn('thinking', async (self) => {
        await self.think(() => answerIn(1, { value: 0, lastsMs: 10 }), interrupt)
        say(await self.wait(second, 20))
      })
      clock.after(20, () => first.ring())
      clock.after(20, () => interrupt.ring())
      await play()
      expect(log).toEqual(['timeout', 'timeout', 'timeout'])
    })

    test('the end of a process can be joined by many, even long after it, whether it returned or threw', async () => {
      const { clock, log, say, play } = openStage(create())
      const { ended } = clock.spawn('short', (self) => self.sleep(10))
      const { ended: failed } = clock.spawn('failing', () => Promise.reject(new Error('lost')))
      for (const who of ['early', 'late']) {
        clock.spawn(who, async (self) => {
          if (who === 'late') await self.sleep(30)
          say(`${who} ${await self.wait(ended, 10_000)} ${await self.wait(failed, 10_000)}`)
        })
      }
      await play()
      expect(log).toEqual(['early rung rung', 'late rung rung'])
    })
  })
}
