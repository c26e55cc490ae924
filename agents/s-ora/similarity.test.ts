import { expect, test } from 'vitest'
import { similarity } from './similarity.js'

test('Equal texts are as like as can be, texts without a common word half so, and order does not matter.', () => {
  expect(similarity('Heat the oven.', 'heat THE oven')).toBeCloseTo(1, 12)
  expect(similarity('Heat the oven.', 'Sing a song!')).toBe(0.5)
  expect(similarity('a b', 'b a')).toBeCloseTo(1, 12)
  expect(similarity('', 'anything')).toBe(0.5)
})

test('The prototype’s threshold of 0.6 is a cosine of 0.2: one word in common of five.', () => {
  expect(similarity('a b c d e', 'a v w x y')).toBeCloseTo(0.6, 12)
})
