/** Part of the name of a stream, e.g. `random.stream('ramp', tick)`. */
export type StreamKey = string | number

/**
 * Named random streams. The same seed and key give the same draws, whatever was drawn before from other streams
 * (docs/design.md#time: draws are keyed by entity, never by the order of calls).
 */
export interface Random {
  /** Fresh at each call: `stream('a').uniform()` twice gives the same number twice. */
  stream(...key: StreamKey[]): Stream
  /** An RFC 4122 version 4 shaped uuid, drawn from the seed. */
  uuid(...key: StreamKey[]): string
  /** A generator of its own below this one. */
  fork(...key: StreamKey[]): Random
  /** A 32-bit unsigned integer that stands for this generator and key, e.g. to seed a model. */
  seed(...key: StreamKey[]): number
}

/** One sequence of draws. */
export interface Stream {
  /** A number in [from, to); [0, 1) by default. */
  uniform(from?: number, to?: number): number
  /** An integer in [from, to], both included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[]
}
