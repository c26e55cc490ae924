import { believe } from './beliefs.js'
import type { Context } from './context.js'
import { entitiesOf } from './entities.js'
import type { Dated, Facts } from './facts.js'
import type { Intent, Verbs } from './intent.js'
import { laterEffects, openLibrary } from './library.js'
import { namesOf } from './names.js'
import { nextStep } from './plan.js'
import type { Profile } from './profile.js'
import { nextOfSeveral } from './several.js'
import { createMind } from './traits.js'

/** What the reader means to do, and the rules that it could not read. It knows no wire, phase, agent or environment. */
export interface Decision {
  intent: Intent
  unparsed: string[]
}

export function decide(facts: Facts, verbs: Verbs, profile: Profile): Decision {
  const { unparsed } = openLibrary(facts)
  const intent = next(facts, verbs, profile)
  return { intent: intent.do === 'operate' ? withWait({ facts, verbs, profile }, intent) : intent, unparsed }
}

function next(facts: Facts, verbs: Verbs, profile: Profile): Intent {
  const { parts } = facts.goal
  // What was read and seen is the same for all goals.
  const patterns = openLibrary(facts)
  const beliefs = believe(facts, patterns)
  const contextOf = (goal: Facts['goal']): Context => {
    const own = { ...facts, goal }
    const context = { facts: own, verbs, library: patterns, mind: createMind(own, profile), beliefs, deferred: null }
    const names = entitiesOf(own, patterns, beliefs)
    if (Object.keys(names).length === 0) return context
    const library = openLibrary(own, names)
    return { ...context, library, beliefs: beliefs.asReadIn(library) }
  }
  return parts.length === 0 ? nextStep(contextOf(facts.goal)) : nextOfSeveral(parts.map(contextOf))
}

/** An entity that does not exist yet, where a call is supposed to have been accepted. */
const UNBORN = '?'

/** Were the call accepted, would it wait next? Then the wait goes with the call. */
function withWait(
  { facts, verbs, profile }: { facts: Facts; verbs: Verbs; profile: Profile },
  intent: Extract<Intent, { do: 'operate' }>,
): Intent {
  const operation = openLibrary(facts).operation(intent.tool, intent.action)
  if (!verbs.has('wait') || operation === null) return intent
  if (operation.completions.length === 0 && laterEffects(operation).length === 0) return intent
  const { tool, action, args } = intent
  const at = facts.events.at(-1)?.at ?? 0
  const made = Object.fromEntries(operation.creates.map((entity) => [entity, UNBORN]))
  const none = { operationId: null, rule: null, message: '', completed: false }
  const accepted: Dated = {
    kind: 'operated',
    at,
    tool,
    action,
    accepted: true,
    about: { ...namesOf(args), ...made },
    ...none,
  }
  const step = next({ ...facts, events: [...facts.events, accepted] }, verbs, profile)
  if (step.do !== 'wait') return intent
  const { signals, when, timeoutMs } = step
  // What the call will bring into being has no name yet that a condition could use.
  return { ...intent, wait: { signals, when: operation.creates.length > 0 ? null : when, timeoutMs } }
}
