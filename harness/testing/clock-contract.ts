import type { Clock } from '../contract/index.js'
import { endingStories } from './clock/endings.js'
import { mistakeStories } from './clock/mistakes.js'
import { thoughtStories } from './clock/thoughts.js'
import { turnStories } from './clock/turns.js'

/**
 * What every clock must do, told in the order of what happens: how exact its times are is each clock's own affair.
 * That real latency decides nothing is told apart (clock/latency.ts): only virtual time can promise it.
 * `create` makes a clock that has not run.
 */
export function clockContract(name: string, create: () => Clock): void {
  turnStories(name, create)
  thoughtStories(name, create)
  endingStories(name, create)
  mistakeStories(name, create)
}
