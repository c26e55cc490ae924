import { expect, test } from 'vitest'
import { detectableDifference, detectableRatio, mcnemarPower, studentPower } from './power.js'

const usual = { alpha: 0.05, power: 0.8 }

test("the pairs that reach a power are near Connor's approximation of 1987", () => {
  // n = (z(α/2) √ψ + z(β) √(ψ − δ²))² ÷ δ²
  const connor = (1.959964 * Math.sqrt(0.2) + 0.841621 * Math.sqrt(0.2 - 0.05 ** 2)) ** 2 / 0.05 ** 2
  const power = (pairs: number) => mcnemarPower({ pairs, difference: 0.05, discordance: 0.2, alpha: 0.05 })
  expect([power(Math.round(connor * 0.98)) < 0.8, power(Math.round(connor * 1.02)) > 0.8]).toEqual([true, true])
})

test('the detectable difference has just the asked power, on top of what changes to and fro', () => {
  for (const [pairs, noise] of [
    [50, 0.1],
    [300, 0.3],
  ] as const) {
    const difference = detectableDifference({ pairs, noise, ...usual }) ?? NaN
    const power = (of: number) => mcnemarPower({ pairs, difference: of, discordance: noise + of, alpha: 0.05 })
    expect([power(difference) >= 0.8, power(difference - 2e-4) < 0.8]).toEqual([true, true])
  }
})

test('four pairs detect nothing, five only what nearly all show, and no difference is never found', () => {
  expect([0, 1, 4].map((pairs) => detectableDifference({ pairs, noise: 0, ...usual }))).toEqual([null, null, null])
  expect(detectableDifference({ pairs: 5, noise: 0, ...usual })?.toFixed(3)).toBe((0.8 ** (1 / 5)).toFixed(3))
  expect(mcnemarPower({ pairs: 10, difference: 0, discordance: 0, alpha: 0.05 })).toBe(0)
  expect(() => mcnemarPower({ pairs: 10, difference: NaN, discordance: 0.2, alpha: 0.05 })).toThrow(RangeError)
  expect(() => detectableDifference({ pairs: 10, noise: 0, alpha: 0.05, power: 80 })).toThrow(RangeError)
})

test('the detectable ratio has just the asked power', () => {
  const ratio = detectableRatio({ clusters: 40, sd: 0.3, ...usual }) ?? NaN
  expect(studentPower(40, Math.log(ratio) / 0.3, 0.05)).toBeCloseTo(0.8, 8)
})

test('without spread and with one cluster there is no detectable ratio', () => {
  const detectable = (clusters: number, sd: number) => detectableRatio({ clusters, sd, ...usual })
  expect([detectable(40, 0), detectable(1, 1)]).toEqual([null, null])
  expect(() => detectable(40, NaN)).toThrow('NaN is no standard deviation.')
})
