import { expect, it } from 'vitest'
import { DEFAULT_PRICING, PRICINGS, billed, costOf, pricingOf } from './prices.js'

const usage = { promptTokens: 1_000_000, cachedTokens: 400_000, completionTokens: 100_000 }

it('charges cached prompt tokens at their own price', () => {
  expect(costOf('gpt-4o-mini', usage)).toBeCloseTo(0.6 * 0.15 + 0.4 * 0.075 + 0.1 * 0.6, 12)
})

it.each(['sim:typical', 'gpt-4o-2024-05-13', 'toString', ''])(
  'knows no price of %j, and does not call it nothing',
  (model) => {
    expect(costOf(model, usage)).toBeNull()
  },
)

const written = { promptTokens: 1_000, cachedTokens: 400, cacheWriteTokens: 500, completionTokens: 50 }

it.each([
  [DEFAULT_PRICING, 600 + 0.1 * 400 + 4 * 50],
  [{ cached: 1, write: 1, output: 4 }, 1_000 + 4 * 50],
  [{ cached: 0.1, write: 1.25, output: 8 }, 100 + 1.25 * 500 + 0.1 * 400 + 8 * 50],
])('bills under %j what is fresh, cached, written and said', (pricing, wanted) => {
  expect(billed(written, pricing)).toBeCloseTo(wanted, 9)
})

it('bills a sum of calls as the sum of what it bills for each, in every pricing', () => {
  const twice = { promptTokens: 2_000, cachedTokens: 800, cacheWriteTokens: 1_000, completionTokens: 100 }
  for (const pricing of PRICINGS) expect(billed(twice, pricing)).toBeCloseTo(2 * billed(written, pricing), 9)
  expect(new Set(PRICINGS.map((pricing) => JSON.stringify(pricing))).size).toBe(8)
})

it('takes all that was fresh for written where nobody tells', () => {
  const { cacheWriteTokens: _, ...untold } = written
  expect(billed(untold, { cached: 0.1, write: 1.25, output: 4 })).toBeCloseTo(1.25 * 600 + 40 + 200, 9)
})

it('bills the output of a model as its price says, and fourfold where it has none', () => {
  expect(['gpt-5', 'gpt-4o', 'sim:typical'].map((model) => pricingOf(model).output)).toEqual([8, 4, 4])
})
