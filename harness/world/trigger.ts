import type { Condition } from '../define/index.js'
import type { OperationDeclared } from './live.js'
import { conditionWords, effectCondition } from './rules.js'

/**
 * What holds when a signal fires, from the completions that it ends. Where it ends several operations, only what holds
 * whichever of them it was.
 */
export function completionConditions(signal: string, operations: readonly OperationDeclared[]): Condition[] {
  const ends = operations
    .flatMap(({ completes }) => completes.filter((end) => end.signal === signal))
    .map(({ effects }) => effects.map(effectCondition).filter((condition) => condition !== null))
  const [first = new Map<string, Condition>(), ...others] = ends.map(
    (conditions) => new Map(conditions.map((each) => [conditionWords(each), each])),
  )
  return [...first].flatMap(([words, condition]) => (others.every((end) => end.has(words)) ? [condition] : []))
}
