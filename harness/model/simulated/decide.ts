import { believe } from './beliefs.js'
import type { Context } from './context.js'
import type { Dated, Facts } from './facts.js'
import type { Intent, Verbs } from './intent.js'
import { laterEffects, openLibrary } from './library.js'
import { nextStep } from './plan.js'
import type { Profile } from './profile.js'
import { createMind } from './traits.js'

/** What the reader means to do, and the rules that it could not read. It knows no wire, phase, agent or environment. */
export interface Decision {
  intent: Intent
  unparsed: string[]
}

export function decide(facts: Facts, verbs: Verbs, profile: Profile): Decision {
  const library = openLibrary(facts)
  const mind = createMind(facts, profile)
  const context: Context = { facts, verbs, library, mind, beliefs: believe(facts, library) }
  const intent = nextStep(context)
  return { intent: intent.do === 'operate' ? withWait(context, intent) : intent, unparsed: library.unparsed }
}

/** Were the call accepted, would it wait next? Then the wait goes with the call. */
function withWait(context: Context, intent: Extract<Intent, { do: 'operate' }>): Intent {
  const { facts, verbs, library } = context
  const operation = library.operation(intent.tool, intent.action)
  if (!verbs.has('wait') || operation === null) return intent
  if (operation.completions.length === 0 && laterEffects(operation).length === 0) return intent
  const { tool, action } = intent
  const at = facts.events.at(-1)?.at ?? 0
  const none = { operationId: null, rule: null, message: '', completed: false }
  const accepted: Dated = { kind: 'operated', at, tool, action, accepted: true, ...none }
  const supposed: Facts = { ...facts, events: [...facts.events, accepted] }
  const next = nextStep({ ...context, facts: supposed, beliefs: believe(supposed, library) })
  if (next.do !== 'wait') return intent
  const { signals, when, timeoutMs } = next
  return { ...intent, wait: { signals, when, timeoutMs } }
}
