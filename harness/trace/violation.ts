import type { RecordOf, Trace } from '../define/index.js'
import { nextChange, observedBefore, stateBefore } from './knowledge.js'
import { acknowledgements, propertyKey, recordsOf, roleFinder, toolOf } from './select.js'
import { clean, fold, seconds, show } from './text.js'

/** What was done, how the world then stood, what the agent knew of it and how old that was, and what would have come. */
export function explainViolation(trace: Trace, violation: RecordOf<'violation'>): string[] {
  const head = `\`${clean(violation.violation)}\` at ${seconds(violation.at)}`
  const operation = recordsOf(trace, 'operation').find(({ op }) => op === violation.op)
  if (operation === undefined) return [`${head}: the world did it by itself; no operation caused it.`]
  const who = roleFinder(trace)(operation)
  const name = who === null ? 'An agent' : clean(who)
  const ack = acknowledgements(trace).get(operation.op)
  const rule = ack?.rule ?? null
  const call = `${name} called \`${clean(operation.action)}\` of \`${clean(operation.tool)}\``
  if (ack?.outcome !== 'harmed' && operation.at < violation.at) {
    return [`${head}: it followed from what ${call} had begun at ${seconds(operation.at)}.`]
  }
  const conditions = rule === null ? suspects(trace, operation) : conditionsOf(rule)
  const said = rule === null ? `“${fold(ack?.message ?? '')}”` : `the rule is: ${fold(rule, 300)}`
  return [
    `${head}: ${call}; ${said}`,
    ...conditions.map(({ key, wanted }) => sentence(trace, operation, { key, wanted, who, name })),
    ...lastWord(trace, operation, conditions, who),
  ]
}

interface Suspect {
  key: string
  wanted: string | null
}

/** Rules are printed as in manuals: `` `p` of `tool` is `V` `` (docs/wire.md). */
function conditionsOf(rule: string): Suspect[] {
  return [...rule.matchAll(/`([^`]+)` of `([^`]+)` is (?:(below|above|at least|at most) )?`([^`]*)`/g)].map(
    ([, property = '', tool = '', comparison, value = '']) => ({
      key: propertyKey(tool, property),
      wanted: comparison === undefined ? value : null,
    }),
  )
}

/** Without a rule: the states of the tool that still moved by themselves, else all its states. */
function suspects(trace: Trace, operation: RecordOf<'operation'>): Suspect[] {
  const states = [...stateBefore(trace, operation.n)]
    .filter(([key, { value }]) => toolOf(key) === operation.tool && typeof value === 'string')
    .map(([key]) => ({ key, wanted: null }))
  const moving = states.filter(({ key }) => {
    const next = nextChange(trace, operation.n, key)
    return next !== undefined && next.at > operation.at
  })
  return moving.length > 0 ? moving : states
}

function sentence(
  trace: Trace,
  operation: RecordOf<'operation'>,
  { key, wanted, who, name }: Suspect & { who: string | null; name: string },
): string {
  const property = `\`${clean(key.slice(key.indexOf('.') + 1))}\``
  const actual = stateBefore(trace, operation.n).get(key)
  const seen = who === null ? undefined : observedBefore(trace, operation.n, who).get(key)
  const next = nextChange(trace, operation.n, key, wanted ?? undefined)
  const was =
    actual === undefined
      ? `${property} is not in the trace`
      : `${property} was \`${show(actual.value)}\` since ${seconds(actual.since)}`
  const knew =
    seen === undefined
      ? `${name} had never observed it`
      : `${name} had last observed it at ${seconds(seen.readAt)} as \`${show(seen.value)}\`, ${seconds(operation.at - seen.readAt)} before`
  const after =
    next === undefined
      ? wanted === null
        ? ''
        : ` It never became \`${clean(wanted)}\` afterwards.`
      : ` It became \`${show(next.to)}\` ${seconds(next.at - operation.at)} later, at ${seconds(next.at)}.`
  return `${was}; ${knew}.${after}`
}

/** What an agent that observed nothing went by: the last acknowledgement of that tool. */
function lastWord(trace: Trace, operation: RecordOf<'operation'>, conditions: Suspect[], who: string | null): string[] {
  if (who === null || conditions.length === 0) return []
  const seen = observedBefore(trace, operation.n, who)
  const blind = conditions.filter(({ key }) => !seen.has(key))
  if (blind.length === 0) return []
  const tools = new Set(blind.map(({ key }) => toolOf(key)))
  const roleOf = roleFinder(trace)
  const heard = recordsOf(trace, 'operation').findLast(
    (other) => other.n < operation.n && tools.has(other.tool) && roleOf(other) === who,
  )
  const ack = heard === undefined ? undefined : acknowledgements(trace).get(heard.op)
  if (heard === undefined || ack === undefined) return []
  const age = seconds(operation.at - heard.at)
  return [
    `All it had heard of \`${clean(heard.tool)}\` was “${fold(ack.message)}” after \`${clean(heard.action)}\`, ${age} before.`,
  ]
}
