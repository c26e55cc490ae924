import { expect, test } from 'vitest'
import { lexicalSimilarity, vectorSimilarity } from './similarity.js'

test('Equal texts are as like as can be, texts without a common word half so, and order does not matter.', () => {
  expect(lexicalSimilarity('Heat the oven.', 'heat THE oven')).toBeCloseTo(1, 12)
  expect(lexicalSimilarity('Heat the oven.', 'Sing a song!')).toBe(0.5)
  expect(lexicalSimilarity('oven heat', 'heat oven')).toBeCloseTo(1, 12)
  expect(lexicalSimilarity('', 'anything')).toBe(0.5)
})

test('The prototype’s threshold of 0.6 is a cosine of 0.2: one word in common of five.', () => {
  expect(lexicalSimilarity('red pot oven fire clay', 'red cat song tree rain')).toBeCloseTo(0.6, 12)
})

test('Articles, prepositions and the like are no likeness, unless a text has nothing else.', () => {
  expect(lexicalSimilarity('Feed the cat.', 'Fire the pot, then open the kiln.')).toBe(0.5)
  expect(lexicalSimilarity('Keep it in the box until it is done.', 'Is it in the rain?')).toBe(0.5)
  expect(lexicalSimilarity('Do it.', 'Do it now.')).toBeGreaterThan(0.9)
})

test('Vectors are compared by their directions: 1 is the same, 0 the opposite, and 0.5 also what has none.', () => {
  const compared = [
    [2, 0],
    [0, 3],
    [-1, 0],
    [0, 0],
  ].map((vector) => vectorSimilarity([1, 0], vector))
  expect(compared).toEqual([1, 0.5, 0, 0.5])
})
