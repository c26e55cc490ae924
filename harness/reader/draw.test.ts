import { expect, it } from 'vitest'
import { draw } from './traits.js'

const parts = (key: (i: number) => (string | number)[]) => {
  const counts = Array.from({ length: 20 }, () => 0)
  for (let i = 0; i < 20_000; i++) {
    const part = Math.floor(draw(...key(i)) * 20)
    counts[part] = (counts[part] ?? 0) + 1
  }
  return counts.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0)
}

it('is even over seeds and over counts, in each of twenty parts of [0, 1)', () => {
  // Chi-square with 19 degrees of freedom exceeds 43.8 with probability 0.001.
  expect(parts((i) => [i, 'patience', 'a rule', 0])).toBeLessThan(43.8)
  expect(parts((i) => [7, 'patience', 'a rule', i])).toBeLessThan(43.8)
})

it('depends on each part of its key, and on nothing else', () => {
  const base = draw(1, 'patience', 'subject', 0)
  expect(draw(1, 'patience', 'subject', 0)).toBe(base)
  const others = [
    draw(2, 'patience', 'subject', 0),
    draw(1, 'honesty', 'subject', 0),
    draw(1, 'patience', 'other', 0),
    draw(1, 'patience', 'subject', 1),
  ]
  expect(new Set([base, ...others]).size).toBe(5)
})
