import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../contract/index.js'
import { kettle } from './fixtures/kettle.js'
import { play } from './fixtures/stage.js'
import type { Line } from './fixtures/stage.js'

const step = fc.oneof(
  fc.record({
    action: fc.constant('unlock'),
    args: fc.constantFrom<JsonObject[]>({ code: '1820' }, { code: 'x' }, {}),
  }),
  fc.record({ action: fc.constantFrom('heat', 'nothing'), args: fc.constant({}) }),
  fc.record({ action: fc.constant('pour'), args: fc.record({ amount: fc.integer({ min: -1, max: 501 }) }) }),
  fc.record({ sleepMs: fc.integer({ min: 0, max: 3_000 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function live(steps: Step[]): Promise<Line[]> {
  const { world, lines } = await play(kettle, async (alive, self) => {
    alive.focus('a', 'kettle')
    for (const each of steps) {
      if ('sleepMs' in each) await self.sleep(each.sleepMs)
      else alive.execute({ tool: 'kettle', ...each, activity: 'a' })
    }
  })
  for (const { name, properties } of world.tools)
    for (const { name: property, type } of properties)
      expect(type.safeParse(world.read(name).properties[property]?.value).success).toBe(true)
  return lines
}

test('whatever is done to a world, properties keep their types, seq has no gaps, and it happens again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const lines = await live(steps)
      const seqs = lines.flatMap((line) => ('seq' in line ? [line.seq] : []))
      expect(seqs).toEqual(seqs.map((_seq, index) => index + 1))
      expect(await live(steps)).toEqual(lines)
    }),
    { numRuns: 100 },
  )
})

test('a world reaches its goal by itself or not: the verdict reads its state alone', async () => {
  const { world } = await play(kettle, async (alive, self) => {
    const act = (action: string, args = {}) => alive.execute({ tool: 'kettle', action, args, activity: 'a' })
    act('unlock', { code: '1820' })
    act('heat')
    expect(alive.reached()).toBe(false)
    await self.sleep(2_000)
    act('pour', { amount: 1 })
  })
  expect(world.reached()).toBe(true)
  expect(world.violations()).toEqual([])
})
