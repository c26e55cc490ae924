import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamKey } from '../contract/index.js'
import { createRandom } from './random.js'

const part = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const key = fc.array(part, { maxLength: 4 })
const integer = fc.maxSafeInteger()

describe('golden values: whoever changes them changes every world', () => {
  const random = createRandom('golden')

  test('of streams', () => {
    const stream = random.stream('ramp', 7)
    expect([stream.uniform(), stream.uniform(100, 400), stream.integer(1, 6), stream.integer(-5e15, 5e15)]).toEqual([
      0.42796057883214544, 335.53274467837406, 6, 548_312_500_593_630,
    ])
    expect([stream.chance(0.5), stream.chance(0.5), stream.chance(0.5)]).toEqual([true, false, true])
    expect([stream.pick(['a', 'b', 'c']), stream.shuffle([1, 2, 3, 4, 5, 6, 7])]).toEqual(['a', [2, 3, 1, 4, 7, 5, 6]])
  })

  test('of seeds, uuids and forks', () => {
    expect(random.seed('model', 'odd')).toBe(117_071_501)
    expect(random.uuid('activity', 1)).toBe('5164319b-c4c9-4b81-b86c-6029b0871e8d')
    expect(random.fork('world').seed('model', 'odd')).toBe(3_796_725_526)
    expect(random.fork('world').fork('tape', 3).stream().uniform()).toBe(0.45687990720515725)
  })
})

const draws = (seed: string, keys: StreamKey[]): number[] => {
  const stream = createRandom(seed).stream(...keys)
  return [stream.uniform(), stream.uniform(), stream.uniform()]
}

describe('keys', () => {
  test('the same seed and key give the same draws, whatever was drawn before from other streams', () => {
    fc.assert(
      fc.property(fc.string(), key, key, (seed, keys, others) => {
        const random = createRandom(seed)
        random.stream(...others).uniform()
        random
          .fork(...others)
          .stream(...keys)
          .uniform()
        random.stream(...keys).uniform()
        const stream = random.stream(...keys)
        expect([stream.uniform(), stream.uniform(), stream.uniform()]).toEqual(draws(seed, keys))
      }),
    )
  })

  test('different keys differ, and so do different seeds', () => {
    fc.assert(
      fc.property(key, key, fc.string(), fc.string(), (one, other, seed, otherSeed) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other) && seed !== otherSeed)
        expect(draws(seed, one)).not.toEqual(draws(seed, other))
        expect(draws(seed, one)).not.toEqual(draws(otherSeed, one))
      }),
    )
  })

  test('no way of cutting a key into parts collides with another', () => {
    const random = createRandom('cut')
    const cuts: StreamKey[][] = [
      [],
      [''],
      ['', ''],
      ['1'],
      [1],
      ['a', 'b'],
      ['ab'],
      ['a,b'],
      ['a","b'],
      ['["a"]'],
      [12],
      [1, 2],
    ]
    const seeds = cuts.map((keys) => random.seed(...keys))
    const forks = cuts.map((keys) => random.fork(...keys).seed())
    expect(new Set([...seeds, ...forks]).size).toBe(2 * cuts.length)
  })

  test('a number that is none cannot name a stream', () => {
    expect(() => createRandom('x').stream('tick', Number.NaN)).toThrow('NaN cannot name a stream.')
  })
})

const counts = (draw: () => string): number[] => {
  const seen = new Map<string, number>()
  for (let drawn = 0; drawn < 6_000; drawn += 1) {
    const what = draw()
    seen.set(what, (seen.get(what) ?? 0) + 1)
  }
  return [...seen.values()]
}

const spread = (found: number[], expected: number): number[] =>
  found.filter((n) => Math.abs(n - expected) > expected / 5)

describe('draws', () => {
  const stream = createRandom('draws').stream()

  test('uniform stays in [from, to), even where rounding would reach the end', () => {
    const bound = fc.double({ noNaN: true, min: -1e300, max: 1e300 })
    fc.assert(
      fc.property(bound, bound, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const value = stream.uniform(from, to)
        expect(value >= from && (value < to || from === to)).toBe(true)
      }),
    )
    const tight = Array.from({ length: 100 }, () => stream.uniform(1, 1 + Number.EPSILON))
    expect(new Set(tight)).toEqual(new Set([1]))
  })

  test('integer stays in [from, to], and reaches both ends', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const value = stream.integer(from, to)
        expect(Number.isSafeInteger(value) && value >= from && value <= to).toBe(true)
      }),
    )
    expect(new Set(Array.from({ length: 200 }, () => stream.integer(-1, 2)))).toEqual(new Set([-1, 0, 1, 2]))
  })

  test('shuffle returns a permutation and leaves its argument alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (items) => {
        const before = [...items]
        const shuffled = stream.shuffle(items)
        expect(items).toEqual(before)
        expect(shuffled.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b))
      }),
    )
  })

  test('all permutations, items and sides come up about equally often', () => {
    const permutations = counts(() => stream.shuffle(['a', 'b', 'c']).join(''))
    const picks = counts(() => stream.pick(['a', 'b', 'c', 'd', 'e', 'f']))
    const sides = counts(() => String(stream.chance(1 / 2)))
    expect([permutations.length, picks.length, sides.length]).toEqual([6, 6, 2])
    expect([spread(permutations, 1_000), spread(picks, 1_000), spread(sides, 3_000)]).toEqual([[], [], []])
  })

  test('chance 0 never and chance 1 always comes true', () => {
    const outcomes = Array.from({ length: 100 }, () => [stream.chance(0), stream.chance(1)])
    expect(outcomes).toEqual(outcomes.map(() => [false, true]))
  })

  test('what cannot be drawn is an error that names the value', () => {
    expect(() => stream.uniform(2, 1)).toThrow('No range from 2 to 1.')
    expect(() => stream.uniform(Number.NaN)).toThrow('No range from NaN to 1.')
    expect(() => stream.integer(0.5, 2)).toThrow('No integers from 0.5 to 2.')
    expect(() => stream.integer(3, 2)).toThrow('No integers from 3 to 2.')
    expect(() => stream.chance(1.5)).toThrow('1.5 is no probability.')
    expect(() => stream.pick([])).toThrow('Nothing to pick from.')
  })

  test('uuids have the shape of RFC 4122 version 4', () => {
    fc.assert(
      fc.property(key, (keys) => {
        expect(createRandom('u').uuid(...keys)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
      }),
    )
  })

  test('seeds are integers of 32 bits', () => {
    fc.assert(
      fc.property(key, (keys) => {
        const seed = createRandom('s').seed(...keys)
        expect(seed).toBe(seed >>> 0)
      }),
    )
  })
})
