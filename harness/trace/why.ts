import type { Outcome, RecordOf, Trace } from '../contract/index.js'
import { nextChange, observedBefore, stateBefore } from './knowledge.js'
import { awaited } from './lines.js'
import { acknowledgements, beforeEnd, endTime, firstOf, propertyKey, recordsOf, roleFinder, toolOf } from './records.js'
import { clean, fold, seconds, show, thousands } from './text.js'

/** What was done, how the world then stood, what the agent knew of it and how old that was, and what would have come. */
function explainViolation(trace: Trace, violation: RecordOf<'violation'>): string[] {
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

type Verdict = RecordOf<'verdict'>

/** Why a trial ended as it did, in a few sentences, from the trace alone. */
export function why(trace: Trace): string[] {
  const verdict = firstOf(trace, 'verdict')
  if (verdict === null) return ['The trace ends before its verdict: the trial was cut off, or the file is torn.']
  return reasons[verdict.outcome](trace, verdict)
}

const reasons: Record<Outcome, (trace: Trace, verdict: Verdict) => string[]> = {
  solved,
  violated: (trace, verdict) => [...violations(trace), ...claims(trace, verdict)],
  unsolved: (trace, verdict) => [...unsolved(trace, verdict), ...obstacles(trace), ...claims(trace, verdict)],
  deadlocked: (trace) => [...deadlocked(trace), ...obstacles(trace)],
  out_of_time: (trace, verdict) => [...exhausted(trace), ...obstacles(trace), ...claims(trace, verdict)],
  out_of_budget: (trace, verdict) => [...exhausted(trace), ...obstacles(trace), ...claims(trace, verdict)],
  out_of_context: (trace, verdict) => [...failed(trace), ...exhausted(trace), ...claims(trace, verdict)],
  agent_error: failed,
  infrastructure_error: failed,
}

function violations(trace: Trace): string[] {
  return recordsOf(beforeEnd(trace), 'violation').flatMap((violation) => explainViolation(trace, violation))
}

function solved(trace: Trace): string[] {
  const margins = recordsOf(trace, 'margin').filter(({ near }) => near)
  const calls = recordsOf(trace, 'request').length
  return [
    `The goal was reached without a violation, in ${seconds(endTime(trace))} and ${thousands(calls)} model calls.`,
    ...margins.map(({ violation, at }) => `It was a near miss of \`${clean(violation)}\` at ${seconds(at)}.`),
  ]
}

function unsolved(trace: Trace, verdict: Verdict): string[] {
  const settled = firstOf(trace, 'settled')
  const ended = endTime(trace)
  if (recordsOf(trace, 'operation').length === 0) return ['No operation was ever called, so the goal was not reached.']
  if (settled === null || !settled.reached || verdict.reached) {
    return [
      `When the last agent ended at ${seconds(ended)}, the goal was not reached, and the world did not get there by itself.`,
    ]
  }
  const last = recordsOf(trace, 'change').findLast(({ at }) => at > ended)
  const later = last === undefined ? '' : ` ${seconds(last.at - ended)} later`
  return [`The last agent ended too early, at ${seconds(ended)}: left alone, the world reached the goal${later}.`]
}

function deadlocked(trace: Trace): string[] {
  const open = new Map<string, RecordOf<'suspend'>>()
  for (const record of beforeEnd(trace)) {
    if (record.kind === 'suspend') open.set(record.activity ?? '', record)
    if (record.kind === 'wake') open.delete(record.activity ?? '')
  }
  const lines = [...open.values()].map((wait) => {
    const late = recordsOf(trace, 'signal').findLast(({ signal }) => wait.signals.includes(signal))
    const fate =
      late === undefined
        ? 'No such signal was ever emitted.'
        : `The last such signal was emitted at ${seconds(late.at)}.`
    return `${clean(wait.role ?? 'An agent')} waited since ${seconds(wait.at)} until ${awaited(wait)}. ${fate}`
  })
  const stood = firstOf(trace, 'verdict')?.reached === true
  return [
    `From ${seconds(endTime(trace))} on nothing could happen any more: everybody waited, without a time-out.`,
    ...(stood ? ['The goal stood reached, but it counts only once every agent has ended.'] : []),
    ...lines,
  ]
}

function exhausted(trace: Trace): string[] {
  const limit = recordsOf(trace, 'limit').at(-1)
  const what = limit === undefined ? `the limit of virtual time` : `${clean(limit.limit)} (${thousands(limit.value)})`
  const spent = (['request', 'operation', 'poll', 'sleep', 'sync'] as const)
    .map((kind) => [recordsOf(trace, kind).length, kind === 'request' ? 'model calls' : `${kind}s`] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${thousands(count)} ${name}`)
  return [`The trial was ended at ${seconds(endTime(trace))} by ${what}, after ${spent.join(', ') || 'nothing'}.`]
}

function failed(trace: Trace): string[] {
  const errors = recordsOf(trace, 'error')
  const [first] = errors
  if (first === undefined) return ['The trial failed without an error in its trace.']
  const source = first.infrastructure ? 'Not the agent but what it stands on failed' : 'The agent itself failed'
  return [`${source}: ${clean(first.where)} at ${seconds(first.at)}: ${fold(first.message, 300)}`]
}

/** What stood in the way: rules that refused, calls and answers that were not understood. */
function obstacles(trace: Trace): string[] {
  const acks = acknowledgements(trace)
  const refusals = new Map<string, { count: number; rule: string | null }>()
  for (const { op, tool, action } of recordsOf(trace, 'operation')) {
    const ack = acks.get(op)
    if (ack?.outcome !== 'refused') continue
    const key = `\`${clean(action)}\` of \`${clean(tool)}\``
    refusals.set(key, { count: (refusals.get(key)?.count ?? 0) + 1, rule: ack.rule ?? ack.message })
  }
  const most = [...refusals].toSorted(([, a], [, b]) => b.count - a.count)[0]
  const invalid = recordsOf(trace, 'invalid')
  const malformed = recordsOf(trace, 'malformed')
  const lines: string[] = []
  if (most !== undefined) {
    const [operation, { count, rule }] = most
    lines.push(`${operation} was refused ${times(count)}${rule === null ? '' : `: ${fold(rule, 200)}`}`)
  }
  const [bad] = invalid.slice(-1)
  if (bad !== undefined)
    lines.push(`${times(invalid.length, 'a call')} made no sense to a tool, the last: ${fold(bad.message, 200)}`)
  const [odd] = malformed.slice(-1)
  if (odd !== undefined)
    lines.push(
      `${times(malformed.length, 'an answer')} could not be used, the last: ${show(odd.what)}, ${fold(odd.detail, 200)}`,
    )
  return lines
}

function claims(trace: Trace, verdict: Verdict): string[] {
  const roleOf = roleFinder(trace)
  return recordsOf(trace, 'claim').map((claim) => {
    const who = clean(roleOf(claim) ?? 'The agent')
    if (claim.claim === 'gave_up') return `${who} gave up at ${seconds(claim.at)}: “${fold(claim.text)}”`
    const unmet = verdict.violations.length > 0 ? 'a violation is final' : 'not every agent had ended'
    const truth = verdict.reached ? `the goal was reached, but ${unmet}` : 'the goal was not reached'
    return `${who} claimed success at ${seconds(claim.at)}; ${truth}.`
  })
}

function times(count: number, what?: string): string {
  if (what === undefined) return count === 1 ? 'once' : `${thousands(count)} times`
  return count === 1 ? `Once ${what}` : `${thousands(count)} times ${what}`
}
