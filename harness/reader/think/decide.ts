import type { Profile } from '../profile.js'
import type { Dated, Facts } from '../read/facts.js'
import { namesOf } from '../../kit/index.js'
import { createMind } from '../traits.js'
import { believe } from './beliefs.js'
import { entitiesOf } from './entities.js'
import type { Intent, Verbs } from './intent.js'
import { laterEffects, openLibrary } from './library.js'
import { nextStep } from './plan.js'
import type { Context } from './step.js'

/**
 * The next step for goals that do not depend on each other: the first that moves one of them on. Where all can only
 * wait, it waits for whatever ends first; where all are settled, it claims.
 */
function nextOfSeveral(contexts: readonly Context[]): Intent {
  const deferred = { impasse: false }
  const steps = contexts.map((context) => nextStep({ ...context, deferred }))
  const active = steps.find((step) => !PASSIVE.has(step.do))
  if (active !== undefined) return active
  return merged(deferred.impasse ? contexts.map(nextStep) : steps)
}

const PASSIVE: ReadonlySet<Intent['do']> = new Set(['observe', 'wait', 'sleep', 'claim', 'decline'])

function merged(steps: readonly Intent[]): Intent {
  const active = steps.find((step) => !PASSIVE.has(step.do))
  if (active !== undefined) return active
  const looks = steps.flatMap((step) => (step.do === 'observe' ? step.tools : []))
  if (looks.length > 0) return { do: 'observe', tools: [...new Set(looks)] }
  const waits = steps.filter((step) => step.do === 'wait')
  const [wait, ...others] = waits
  if (wait !== undefined) {
    const signals = [...new Set(waits.flatMap((each) => each.signals))]
    const timeouts = waits.flatMap(({ timeoutMs }) => timeoutMs ?? [])
    const timeoutMs = timeouts.length === 0 ? null : Math.min(...timeouts)
    // One wait has one condition: with several goals the signals tell.
    return { do: 'wait', signals, when: others.length === 0 ? wait.when : null, timeoutMs }
  }
  const pauses = steps.flatMap((step) => (step.do === 'sleep' ? step.ms : []))
  if (pauses.length > 0) return { do: 'sleep', ms: Math.min(...pauses) }
  const declined = steps.find((step) => step.do === 'decline')
  return declined ?? { do: 'claim', achieved: steps.every((step) => step.do === 'claim' && step.achieved) }
}

/** What the reader means to do, and the rules that it could not read. It knows no wire, phase, agent or environment. */
interface Decision {
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
