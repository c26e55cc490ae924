import type { Message } from '../../harness/define/index.js'
import { prompt } from '../../harness/define/index.js'
import type { Activity, Agent, HistoryStep, Thinking } from './activity.js'
import { RULES, TASKS } from './rules.js'

const { catalogueLine, fact, section, signalLine, variableLines } = prompt

/** The verbs of the architecture; every phase is told of all of them, so that each can plan with what the others do. */
const VERBS = 'Verbs: discover, read, mount, focus, observe, operate, wait, claim, decline.'

/** One system message (what never changes comes first) and one user message. */
export function compose(phase: Thinking, activity: Activity, body: string[]): Message[] {
  const system = [RULES, section('REPERTOIRE', [VERBS, ...operationLines(activity)]), section('TASK', TASKS[phase])]
  const user = [section('GOAL', activity.goal), ...body]
  return [
    { role: 'system', content: system.join('\n') },
    { role: 'user', content: user.join('\n') },
  ]
}

export function planSection({ plan }: Activity): string {
  return section(
    'PLAN',
    plan.map((step, index) => `${index + 1}. ${step}`),
  )
}

export function instructionSection({ intention }: Activity): string {
  return section('INSTRUCTION', intention?.instruction ?? '')
}

export function documentsSection(activity: Activity, { memory }: Agent, more: string[] = []): string {
  const texts = [...activity.mounted].map((id) => memory.text(id) ?? '')
  return section('DOCUMENTS', [...texts, ...more])
}

export function unreadLine({ memory }: Agent): string {
  return memory.catalogued() ? `Unread documents: ${memory.unread()}` : 'Nothing is discovered yet.'
}

export function catalogueSection({ mounted }: Activity, { memory }: Agent, more: string[] = []): string {
  if (!memory.catalogued()) return section('CATALOGUE', ['Nothing is discovered yet.', ...more])
  const lines = memory.catalogue().map((entry) => catalogueLine(entry, memory.state(entry.id, mounted)))
  return section('CATALOGUE', [...lines, ...more])
}

/** The focus is said first: a tool without properties would else be seen by nobody. */
export function variablesSection(activity: Activity): string {
  return section('VARIABLES', [...focusLines(activity), ...activity.beliefs.flatMap(variableLines)])
}

export function focusLines({ door, focusedAt }: Activity): string[] {
  const focused = [...door.focused()]
  return focused.length === 0 ? [] : [fact({ focused, at: focusedAt })]
}

export function signalsSection({ inbox }: Activity): string {
  return section('SIGNALS', inbox.map(signalLine))
}

/** The last steps only: what else matters stands in the other sections. */
export function historySection({ history }: Activity, window: number): string {
  return section(
    'HISTORY',
    history.slice(-window).flatMap(({ lines }) => lines),
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
  return door
    .tools()
    .flatMap((tool) => tool.actions.map(({ name, summary }) => fact({ tool: tool.name, operation: name, summary })))
}
