import { describe, expect, test } from 'vitest'
import type { Bell, Clock } from '../../contract/index.js'
import { createRandom } from '../../sim/random.js'
import { answerIn, breath, notify, openStage } from './stage.js'
import type { Stage } from './stage.js'

/** What makes a run come back: only a clock on which real time decides nothing can promise it. */
export function latencyStories(name: string, create: () => Clock): void {
  describe(`${name}: real latency decides nothing`, () => {
    test('requests of one instant are under way together, and land in the order of asking, failures too', async () => {
      const { clock, log, say, play } = openStage(create())
      let underway = 0
      for (const [who, breaths] of [
        ['a', 9],
        ['b', 5],
        ['c', 1],
        ['d', 7],
      ] as const) {
        clock.spawn(who, async (self) => {
          const start = async () => {
            say(`${who} asks as number ${++underway}`)
            await breath(breaths)
            if (who === 'b' || who === 'c') throw new Error(`${who} fails`)
            return { value: `${who} answers`, lastsMs: 10 }
          }
          say(await self.think(start).then(({ value }) => value ?? 'nothing', String))
        })
      }
      await play()
      const asked = ['a asks as number 1', 'b asks as number 2', 'c asks as number 3', 'd asks as number 4']
      expect(log).toEqual([...asked, 'Error: b fails', 'Error: c fails', 'a answers', 'd answers'])
    })

    test('real delays of requests and notifications change nothing', async () => {
      const plays = await Promise.all(
        Array.from({ length: 50 }, (_, repetition) => {
          const { clock, log, say, play } = openStage(create())
          const delays = createRandom(`latency ${repetition}`).stream()
          return busyStory({ clock, log, say, play }, () => delays.integer(0, 6))
        }),
      )
      const [first = []] = plays
      expect(first.length).toBe(23)
      expect(plays).toEqual(plays.map(() => first))
    })
  })
}

/** Two thinkers and a listener in a world that rings them; every real delay is drawn by `latency`. */
async function busyStory({ clock, log, say, play }: Stage, latency: () => number): Promise<string[]> {
  const bells = new Map<string, Bell>(['a', 'b', 'c'].map((who) => [who, clock.bell()]))
  const tick = () => {
    for (const bell of bells.values()) notify(clock, latency(), () => bell.ring())
    clock.after(7, tick)
  }
  clock.after(7, tick)
  for (const [who, bell] of bells) {
    clock.spawn(who, async (self) => {
      for (let round = 0; round < 4; round += 1) {
        bell.reset()
        say(`${who} ${await self.wait(bell, 14)}`)
        await breath(latency())
        if (who === 'c') continue
        const interrupt = round % 2 === 0 ? bell : undefined
        bell.reset()
        const start = () => answerIn(latency(), { value: round, lastsMs: 14 })
        say(`${who} ${(await self.think(start, interrupt)).value}`)
        if (round > 2) await self.sleep(7)
      }
      say(`${who} ends`)
    })
  }
  await play()
  return log
}
