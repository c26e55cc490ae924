import { describe, expect, test } from 'vitest'
import type { Clock } from '../../contract/index.js'
import { answerIn, breath, openStage } from './stage.js'

export function thoughtStories(name: string, create: () => Clock): void {
  describe(`${name}: thinking`, () => {
    test('the world moves on while a process thinks, and its answer comes after that', async () => {
      const { clock, log, say, play } = openStage(create())
      clock.spawn('thinker', async (self) => {
        clock.after(10, () => say('world'))
        say(`answer ${(await self.think(() => answerIn(3, { value: 42, lastsMs: 30 }))).value}`)
      })
      clock.spawn('other', async (self) => {
        await self.sleep(20)
        say('other')
      })
      await play()
      expect(log).toEqual(['world', 'other', 'answer 42'])
    })

    test('requests of one instant are under way together, and each thinker gets its own answer or failure', async () => {
      const { clock, log, say, play } = openStage(create())
      let underway = 0
      for (const [who, breaths] of [
        ['a', 9],
        ['b', 5],
        ['c', 1],
      ] as const) {
        clock.spawn(who, async (self) => {
          const start = async () => {
            say(`${who} asks as number ${++underway}`)
            await breath(breaths)
            if (who === 'b') throw new Error(`${who} fails`)
            return { value: `${who} answers`, lastsMs: 10 }
          }
          say(`${who}: ${await self.think(start).then(({ value }) => value ?? 'nothing', String)}`)
        })
      }
      await play()
      expect(log.slice(0, 3)).toEqual(['a asks as number 1', 'b asks as number 2', 'c asks as number 3'])
      expect(log.slice(3).toSorted()).toEqual(['a: a answers', 'b: Error: b fails', 'c: c answers'])
    })

    test('a ring during a thought ends it without its value, but never the real request', async () => {
      const { clock, log, say, play } = openStage(create())
      const bell = clock.bell()
      clock.spawn('thinker', async (self) => {
        const start = async () => {
          const answer = await answerIn(5, { value: 'late', lastsMs: 1_000 })
          say('request was answered')
          return answer
        }
        const { value, tookMs } = await self.think(start, bell)
        say(`${value} ${tookMs < 1_000 ? 'early' : 'in full'}`)
      })
      clock.after(20, () => bell.ring())
      await play()
      expect(log).toEqual(['request was answered', 'null early'])
    })
  })
}
