import { expect, test } from 'vitest'
import { mcnemar } from './significance.js'

test("McNemar's mid-p is that of the airway example of Fagerland, Lydersen and Laake 2013", () => {
  expect(mcnemar({ onlyBase: 1, onlyCandidate: 7 })?.toFixed(3)).toBe('0.039')
})

test('who is called base does not matter, and balance is no evidence', () => {
  expect(mcnemar({ onlyBase: 9, onlyCandidate: 2 })).toEqual(mcnemar({ onlyBase: 2, onlyCandidate: 9 }))
  expect(mcnemar({ onlyBase: 1, onlyCandidate: 1 })).toBeCloseTo(0.75, 12)
})

test('without a discordant pair there is no p-value, and what is no count is refused', () => {
  expect(mcnemar({ onlyBase: 0, onlyCandidate: 0 })).toBeNull()
  for (const onlyBase of [NaN, -1, 0.5]) {
    expect(() => mcnemar({ onlyBase, onlyCandidate: 1 })).toThrow(`Discordant pairs cannot be ${onlyBase}`)
  }
})
