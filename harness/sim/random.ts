import { hash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import type { Random, Stream, StreamKey } from '../contract/index.js'

/** Every draw is a pure function of the seed and the key: SHA-256 of both seeds one xoroshiro128+ per stream. */
export const createRandom = (seed: string): Random => new SeededRandom(seed)

class SeededRandom implements Random {
  constructor(private readonly root: string) {}

  stream(...key: StreamKey[]): Stream {
    const digest = this.#digest('stream', key)
    const state = [0, 4, 8, 12].map((offset) => digest.readInt32BE(offset))
    return new SeededStream(xoroshiro128plusFromState(state))
  }

  uuid(...key: StreamKey[]): string {
    const bytes = this.#digest('uuid', key)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex', 0, 16)
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  fork(...key: StreamKey[]): Random {
    return new SeededRandom(this.#digest('fork', key).toString('hex'))
  }

  seed(...key: StreamKey[]): number {
    return this.#digest('seed', key).readUInt32BE(0)
  }

  /** JSON of the array is injective: 1 and '1', ['a', 'b'] and ['a,b'] stay apart. */
  #digest(purpose: string, key: StreamKey[]): Buffer {
    for (const part of key)
      if (typeof part === 'number' && !Number.isFinite(part)) throw new RangeError(`${part} cannot name a stream.`)
    return hash('sha256', JSON.stringify([purpose, this.root, key]), 'buffer')
  }
}

class SeededStream implements Stream {
  constructor(private readonly generator: RandomGenerator) {}

  uniform(from = 0, to = 1): number {
    if (!(from <= to) || !Number.isFinite(to - from)) throw new RangeError(`No range from ${from} to ${to}.`)
    const value = from + (to - from) * uniformFloat64(this.generator)
    // Rounding may reach the open end.
    return value < to ? value : from
  }

  integer(from: number, to: number): number {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from > to) {
      throw new RangeError(`No integers from ${from} to ${to}.`)
    }
    return uniformInt(this.generator, from, to)
  }

  chance(probability: number): boolean {
    if (!(probability >= 0 && probability <= 1)) throw new RangeError(`${probability} is no probability.`)
    return uniformFloat64(this.generator) < probability
  }

  pick<T>(from: readonly T[]): T {
    const picked = from.length === 0 ? undefined : from[this.integer(0, from.length - 1)]
    if (picked === undefined) throw new RangeError('Nothing to pick from.')
    return picked
  }

  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: uniformFloat64(this.generator) }))
    return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
  }
}
