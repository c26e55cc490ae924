import { z } from 'zod'

/** A sticky mailbox flag: a ring that nobody waited for is kept until `reset`. */
export interface Bell {
  ring(): void
  reset(): void
}

/**
 * What a cooperative process (an agent) may do with time. Exactly one process holds the turn; it is released
 * only here. Two waits at once, or a call that was not awaited before a wait, are errors.
 */
export interface Process {
  /** Resumes `delayMs` later. */
  sleep(delayMs: number): Promise<void>
  /** Resumes when the bell rings, or after `timeoutMs` (null: never). A bell that has rung already ends the wait at once. */
  wait(bell: Bell, timeoutMs: number | null): Promise<'rung' | 'timeout'>
  /**
   * Holds the turn until `start` has settled, then sleeps `lastsMs`. Returns the value at t + `lastsMs`.
   * A ring of `interrupt` during that sleep ends it early: `value` is then null and `tookMs` what had passed.
   * The real request is never cut. Starts due at one instant may run side by side; they land in request order.
   */
  think<T>(start: () => Promise<{ value: T; lastsMs: number }>, interrupt?: Bell): Promise<Thought<T>>
}

/** `value` is null when the thought was interrupted, `tookMs` after it began. */
export interface Thought<T> {
  value: T | null
  tookMs: number
}

/** How a run of the clock ended, and with which processes' failures, in the order of their spawning. */
export interface ClockEnd {
  how: 'ended' | 'deadlocked' | 'out_of_time' | 'stopped'
  failed: { process: string; error: unknown }[]
}

/**
 * The one source of time (docs/design.md#time). Virtual: discrete events, nothing waits in real time. Times are ms since the
 * trial's start. Ties: world events, then processes, then time-outs; within a rank, insertion order; processes rung
 * since the last hand-over become due in spawn order.
 */
export interface Clock {
  /** The due time of what runs now, in ms. */
  now(): number
  /** Schedules a world event; the returned function cancels it. Ambient events alone do not keep a trial alive. */
  after(delayMs: number, action: () => void, options?: { ambient?: boolean }): () => void
  bell(): Bell
  /** `ended` rings when the body has returned or thrown. */
  spawn(name: string, body: (self: Process) => Promise<void>): { ended: Bell }
  /** A notification has left; no hand-over of the turn happens before `handled` was called as often. */
  sent(): void
  handled(): void
  /** Runs until every process has ended, nothing but ambient events can wake one, `untilMs` is passed, or `stop`. */
  run(limits: { untilMs: number }): Promise<ClockEnd>
  /** After a run: lets the world go on until only ambient events remain, or `untilMs`. Returns the time reached. */
  settle(untilMs: number): number
  /** Abandons all processes: what they await never settles. */
  stop(): void
  /** True once the run is over: from then on doors and models must return promises that never settle. */
  readonly over: boolean
}

/** Which clock trials run on: `virtual`, or `wall:SPEED`, real time so many times as fast. `wall` is `wall:1`. */
export const clockPolicySchema = z
  .string()
  .regex(/^(virtual|wall|wall:(\d{1,4}(\.\d{1,3})?))$/, 'virtual, wall or wall:SPEED (times real time, above 0)')
  .transform((text) => (text === 'wall' ? 'wall:1' : text))
  .refine((text) => speedOf(text) !== 0, 'a wall clock must move: its speed is above 0')

/** How many times as fast as real time; null for virtual time. */
export function speedOf(policy: string): number | null {
  return policy === 'virtual' ? null : Number(policy.split(':')[1] ?? 1)
}
