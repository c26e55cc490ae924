import { lines as forms, prompt, unreadLine as unreadCount, verbsLine } from '../../harness/kit/index.js'
import type { Message, SignalEntry } from '../../harness/contract/index.js'
import type { Activity, Agent, HistoryStep, PhasedSurface, Thinking } from './activity.js'
import { listedIn } from './catalogue.js'
import type { Params } from './params.js'
import { OWN_STATE } from './perception.js'
import { mismatchesIn } from './ranges.js'
import { FUSED_RULES, rulesOf, taskOf } from './rules.js'
import { verbsOf } from './tools.js'

const { catalogueLine, fact, numbered, quote, section, signalLine, variableLines } = prompt

/** The verbs of the architecture; every phase is told of all of them, so that each can plan with what the others do. */
function verbsFor({ situating }: Params, surface: PhasedSurface): string {
  return verbsLine([
    'discover',
    'read',
    ...(situating === 'setup' ? ['mount'] : []),
    ...(surface === 'push' ? ['focus'] : []),
    'observe',
    'operate',
    ...(surface === 'poll' ? [] : ['wait']),
    ...(surface === 'push' ? [] : ['sleep']),
    'claim',
    'decline',
  ])
}

/** One system message (what never changes comes first) and one user message. */
export function compose(phase: Thinking, activity: Activity, agent: Agent, body: string[]): Message[] {
  const { params } = agent.context
  const { surface } = agent
  const calls = verbsOf(activity, agent).map(forms.callLine)
  const repertoire = section('REPERTOIRE', [verbsFor(params, surface), ...operationLines(activity), ...calls])
  const system = [rulesOf(params, surface), repertoire, section('TASK', taskOf(phase, params, surface))]
  const withoutGoal = phase === 'reasoning' && !params.goalInReasoning
  const user = withoutGoal ? body : [section('GOAL', quote(activity.goal)), ...body]
  return [
    { role: 'system', content: system.join('\n') },
    { role: 'user', content: user.filter((part) => part !== '').join('\n') },
  ]
}

/** The prompt of one call that observes, decides and acts. What can be done stands in its tools. */
export function composeFused({ goal }: Activity, body: string[]): Message[] {
  return [
    { role: 'system', content: FUSED_RULES },
    { role: 'user', content: [section('GOAL', quote(goal)), ...body].join('\n') },
  ]
}

/** What is not in the prompt yet, and how much of it is unread. */
export function unmountedSection(activity: Activity): string {
  const { mounted, memory } = activity
  const { entries, more } = listedIn(activity)
  const others = entries.filter(({ id }) => !mounted.has(id))
  const listed = others.map((entry) => catalogueLine(entry, memory.state(entry.id, mounted)))
  return section('CATALOGUE', [...listed, ...more, unreadLine(activity)])
}

export function planSection({ plan }: Activity): string {
  return section('PLAN', numbered(plan))
}

export function instructionSection({ intention }: Activity): string {
  return section('INSTRUCTION', quote(intention?.instruction ?? ''))
}

export function documentsSection({ mounted, memory }: Activity, more: string[] = []): string {
  const texts = [...mounted].map((id) => memory.text(id) ?? '')
  return section('DOCUMENTS', [...texts, ...more])
}

export function unreadLine({ memory }: Activity): string {
  return memory.catalogued() ? unreadCount(memory.unread()) : 'Nothing is discovered yet.'
}

export function catalogueSection(activity: Activity, others: string[] = []): string {
  const { mounted, memory } = activity
  if (!memory.catalogued()) return section('CATALOGUE', ['Nothing is discovered yet.', ...others])
  const { entries, more } = listedIn(activity)
  const lines = entries.map((entry) => catalogueLine(entry, memory.state(entry.id, mounted)))
  return section('CATALOGUE', [...lines, ...more, ...others])
}

/** The focus is said first: a tool without properties would else be seen by nobody. Where nothing is pushed there is none. */
export function variablesSection(activity: Activity, { context, surface }: Agent): string {
  if (surface !== 'push') return ''
  const { namespaces, validateBeliefs } = context.params
  // What looks like its own state is hidden with it (thesis, Listing 7.2).
  const beliefs = namespaces === 'shared' ? activity.beliefs.map(withoutOwnState) : activity.beliefs
  const mismatches = validateBeliefs
    ? mismatchesIn(activity, beliefs).map((mismatch) => fact({ mismatch: { ...mismatch } }))
    : []
  return section('VARIABLES', [...focusLines(activity), ...beliefs.flatMap(variableLines), ...mismatches])
}

function withoutOwnState(reading: HistoryStep['beliefs'][number]): HistoryStep['beliefs'][number] {
  const others = Object.entries(reading.properties).filter(([name]) => !OWN_STATE.includes(name))
  return { ...reading, properties: Object.fromEntries(others) }
}

export function focusLines({ door, focusedAt, narrowed }: Activity): string[] {
  const focused = [...door.focused()]
  const only = Object.fromEntries([...narrowed].map(([tool, signals]) => [tool, [...signals]]))
  if (focused.length === 0) return []
  return [forms.focus.write({ focused, ...(narrowed.size > 0 && { only }), at: focusedAt })]
}

export function signalsSection({ inbox }: Activity, { context, surface }: Agent): string {
  if (surface !== 'push') return ''
  return section('SIGNALS', signalLines(inbox, context.params.maxSignals))
}

/** Of a name that came more often than `most` times the last ones only, and how many came before them. */
export function signalLines(entries: readonly SignalEntry[], most: number): string[] {
  const left = new Map<string, number>()
  const nameOf = ({ tool, signal }: SignalEntry): string => JSON.stringify([tool, signal])
  for (const entry of entries) left.set(nameOf(entry), (left.get(nameOf(entry)) ?? 0) + 1)
  const dropped = new Map<string, number>()
  return entries.flatMap((entry) => {
    const name = nameOf(entry)
    const remaining = left.get(name) ?? 0
    left.set(name, remaining - 1)
    if (remaining <= most) return [signalLine(entry)]
    const count = (dropped.get(name) ?? 0) + 1
    dropped.set(name, count)
    const { tool, signal, at } = entry
    return remaining === most + 1 ? [fact({ coalesced: { tool, signal, count }, at })] : []
  })
}

/** Absent where there is none, so that no prompt speaks of memories to who has none. */
export function memoriesSection({ experiences }: Activity): string[] {
  return experiences.length === 0 ? [] : [section('MEMORIES', experiences)]
}

/** The last steps only: what else matters stands in the other sections. */
export function historySection({ history }: Activity, window: number | null): string {
  return section(
    'HISTORY',
    history.slice(window === null ? 0 : -window).flatMap(({ lines }) => lines),
  )
}

/** All steps up to the last one, each with the beliefs that had changed since the one before. */
export function fullHistorySection({ history }: Activity, last: HistoryStep): string {
  const steps = [...history, last]
  return section(
    'HISTORY',
    steps.flatMap((step, index) => [...newBeliefs(step, steps[index - 1]), ...step.lines]),
  )
}

function newBeliefs(step: HistoryStep, before: HistoryStep | undefined): string[] {
  const old = new Set(before?.beliefs.flatMap(changes) ?? [])
  return step.beliefs.flatMap((reading) => {
    const lines = variableLines(reading)
    return changes(reading).flatMap((change, index) => (old.has(change) ? [] : lines.slice(index, index + 1)))
  })
}

/** When a value was read again is no news; when it changed is. */
function changes(reading: HistoryStep['beliefs'][number]): string[] {
  return variableLines({ ...reading, readAt: 0 })
}

function operationLines({ door }: Activity): string[] {
  return door.tools().flatMap((tool) => tool.actions.map((action) => forms.operationLine(tool.name, action)))
}

/** What each phase's prompt is made of, as these parameters have it: the fixed texts first, then the sections that follow. */
export function printPrompts(params: Params, surface: PhasedSurface = 'push'): Record<string, string> {
  if (params.phases === 'fused') return { decision: FUSED_RULES }
  const phases: Thinking[] = [
    'observation',
    'reasoning',
    ...(params.situating === 'setup' ? (['setup'] as const) : []),
    'action',
    ...(params.waitDecided === 'after' || params.retypedDocuments ? (['result'] as const) : []),
    'completed',
  ]
  return Object.fromEntries(
    phases.map((phase) => [
      phase,
      [
        rulesOf(params, surface),
        section('REPERTOIRE', verbsFor(params, surface)),
        section('TASK', taskOf(phase, params, surface)),
      ].join('\n'),
    ]),
  )
}
