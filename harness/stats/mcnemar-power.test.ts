import { expect, test } from 'vitest'
import { detectableDifference, mcnemarPower, requiredPairs } from './power.js'

test('a required number of pairs reaches the power and one pair less does not', () => {
  const plans = [
    { difference: 0.1, discordance: 0 },
    { difference: 0.1, discordance: 0.2 },
    { difference: -0.3, discordance: 0.4, power: 0.9, alpha: 0.01 },
  ]
  const around = plans.map((plan) => {
    const pairs = requiredPairs(plan) ?? 0
    return [
      pairs,
      mcnemarPower({ ...plan, pairs }) >= (plan.power ?? 0.8),
      mcnemarPower({ ...plan, pairs: pairs - 1 }) < (plan.power ?? 0.8),
    ]
  })
  expect(around).toEqual([
    [66, true, true],
    [152, true, true],
    [57, true, true],
  ])
})

test("the exact number of pairs is near Connor's approximation of 1987", () => {
  // n = (z(α/2) √ψ + z(β) √(ψ − δ²))² ÷ δ²
  const connor = (1.959964 * Math.sqrt(0.2) + 0.841621 * Math.sqrt(0.2 - 0.05 ** 2)) ** 2 / 0.05 ** 2
  expect(Math.abs((requiredPairs({ difference: 0.05, discordance: 0.2 }) ?? 0) / connor - 1)).toBeLessThan(0.02)
})

test('the detectable difference has just the asked power', () => {
  for (const plan of [
    { pairs: 50, discordance: 0.1 },
    { pairs: 300, discordance: 0.3 },
  ]) {
    const difference = detectableDifference(plan) ?? NaN
    expect(mcnemarPower({ ...plan, difference })).toBeCloseTo(0.8, 8)
  }
})

test('four pairs detect nothing, and a difference of zero needs no number of pairs', () => {
  expect([0, 1, 4].map((pairs) => detectableDifference({ pairs, discordance: 0 }))).toEqual([null, null, null])
  expect(detectableDifference({ pairs: 5, discordance: 0 })?.toFixed(4)).toBe((0.8 ** (1 / 5)).toFixed(4))
  expect(requiredPairs({ difference: 0, discordance: 0.2 })).toBeNull()
  expect(mcnemarPower({ pairs: 10, difference: 0, discordance: 0 })).toBe(0)
  expect(() => requiredPairs({ difference: NaN, discordance: 0.2 })).toThrow(RangeError)
  expect(() => requiredPairs({ difference: 0.1, discordance: 0.2, power: 80 })).toThrow(RangeError)
})
