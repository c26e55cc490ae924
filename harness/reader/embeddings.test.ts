import { expect, test } from 'vitest'
import { openEmbeddings } from '../run/models.js'

const model = openEmbeddings('sim:words', { env: {} })
const dot = (one: readonly number[] = [], other: readonly number[] = []): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

test('Equal content words give equal vectors of length 1, twice the same.', async () => {
  const texts = ['Heat the pots.', 'heat a pot', 'Water plants.', '?!']
  const { vectors, usage } = await model.embed(texts)
  expect(vectors.map((vector) => [vector.length, Number(Math.hypot(...vector).toFixed(6))])).toEqual(
    texts.map(() => [256, 1]),
  )
  expect(vectors[0]).toEqual(vectors[1])
  expect(dot(vectors[0], vectors[2])).toBe(0)
  expect((await model.embed(texts)).vectors).toEqual(vectors)
  expect(usage.counted).toBe(false)
})

test('A text that shares half of its words is half alike.', async () => {
  const { vectors } = await model.embed(['copper kettle', 'copper garden'])
  expect(dot(vectors[0], vectors[1])).toBeCloseTo(0.5, 6)
})
