import { expect, test } from 'vitest'
import { z } from 'zod'
import { PERFECT_DELIVERY } from '../contract/index.js'
import { parseWorldParams, splitWorldParams, worldSchema } from './params.js'

const pond = { name: 'pond', params: z.strictObject({ depthM: z.number().min(1).max(9).default(2) }) }

test('of delivery only faults are part of a scenario, so that a perfect world stays what it was', () => {
  expect(parseWorldParams(pond, {})).toEqual({ depthM: 2 })
  expect(parseWorldParams(pond, { ...PERFECT_DELIVERY })).toEqual({ depthM: 2 })
  expect(parseWorldParams(pond, { doorbellDrop: 0.3, telemetryMs: null, depthM: 3 })).toEqual({
    depthM: 3,
    doorbellDrop: 0.3,
  })
})

test('an environment never sees what is of delivery, and perfect delivery is none', () => {
  expect(splitWorldParams({ depthM: 2 })).toEqual({ world: { depthM: 2 }, delivery: null })
  expect(splitWorldParams({ depthM: 2, doorbellDrop: 0 })).toEqual({ world: { depthM: 2 }, delivery: null })
  expect(splitWorldParams({ depthM: 2, doorbellDrop: 0.3 })).toEqual({
    world: { depthM: 2 },
    delivery: { ...PERFECT_DELIVERY, doorbellDrop: 0.3 },
  })
})

test.each([
  [
    { doorbelDrop: 0.3 },
    /^pond has no parameter "doorbelDrop"\. Known: depthM, doorbellDrop, doorbellDuplicate, .*stormDoorbells, .*readStaleMs, covers, nearMiss\.$/,
  ],
  [{ doorbellDrop: 2 }, /^Parameters of pond do not fit: doorbellDrop = 2: .*1.*`sora-bench describe pond`\.$/],
  [{ telemetryMs: 5 }, /^Parameters of pond do not fit: telemetryMs = 5: .*100/],
])('%j is answered with the value and the way out', (given, message) => {
  expect(() => parseWorldParams(pond, given)).toThrow(message)
})

test('an environment must not take a name that every world has', () => {
  expect(() => worldSchema({ name: 'pond', params: z.object({ telemetryMs: z.number() }) })).toThrow(
    'pond declares the parameter "telemetryMs", which every world has already: rename it.',
  )
})
