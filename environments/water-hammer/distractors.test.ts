import { expect, test } from 'vitest'
import { stage } from '../../harness/testing/environment/stage.js'
import { distractors } from './distractors.js'
import waterHammer from './water-hammer.env.js'

const all = distractors(50)

test('there are fifty different documents of no use, of 150 to 400 words each', () => {
  expect(new Set(all.map(([id]) => id)).size).toBe(50)
  expect(new Set(all.map(([, { text }]) => text)).size).toBe(50)
  expect(new Set(all.map(([, { summary }]) => summary)).size).toBe(50)
  const lengths = all.map(([, { text }]) => text.split(/\s+/).length)
  expect(lengths.filter((words) => words < 150 || words > 400)).toEqual([])
})

test('they cover something that is no tool of the plant', async () => {
  const { world } = await stage(waterHammer)
  const tools = new Set(world.tools.map(({ name }) => name))
  expect(all.filter(([, { covers }]) => covers.length === 0 || covers.some((name) => tools.has(name)))).toEqual([])
})

test('they leave no slot unfilled, hold nothing that reads as a rule, and say nothing of credentials', () => {
  expect(all.filter(([, { text }]) => /credential|password|login|admin|[`{}<>]/i.test(text))).toEqual([])
})

test('fewer of them are the first of many', () => {
  expect(distractors(2).map(([id]) => id)).toEqual(['cafeteria_menu', 'cooling_tower_maintenance'])
  expect(distractors(10)).toEqual(all.slice(0, 10))
})
