import { z } from 'zod'

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
