import type { Outcome, RecordOf, Trace } from '../define/index.js'
import { acknowledgements, beforeEnd, endTime, firstOf, recordsOf, roleFinder } from './select.js'
import { clean, fold, seconds, show, thousands } from './text.js'
import { awaited } from './lines.js'
import { explainViolation } from './violation.js'

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
