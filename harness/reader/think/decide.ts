import type { JsonObject } from '../../contract/index.js'
import type { Dated, Facts } from '../read/facts.js'
import { namesOf } from '../../kit/index.js'
import type { OperationManual } from '../read/manual.js'
import type { MindFor } from '../traits.js'
import { believe } from './beliefs.js'
import { entitiesOf, fillArguments } from './entities.js'
import type { Intent, Verbs } from './intent.js'
import { laterEffects, openLibrary } from './library.js'
import type { Library } from './library.js'
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

/** All that decisions on one prompt rest on, whatever the traits: it knows no wire, phase, agent or environment. */
export interface Decider {
  /** The rules that could not be read. */
  unparsed: string[]
  decide(mindFor: MindFor): Intent
  /** The arguments of a call, as this prompt has them. */
  argumentsOf(call: Pick<Operate, 'tool' | 'action'>): JsonObject | null
}
type Operate = Extract<Intent, { do: 'operate' }>
type Ground = Omit<Context, 'mind' | 'deferred'>

export function createDecider(facts: Facts, verbs: Verbs): Decider {
  // What was read and seen is the same for all goals.
  const patterns = openLibrary(facts)
  const now = later(() => groundsOf(facts, verbs, patterns))
  const after = new Map<string, () => Ground[]>()

  /** What there would be to go on, were the call accepted; null where nothing would be left to wait for. */
  function afterwards(intent: Operate): Ground[] | null {
    const key = JSON.stringify([intent.tool, intent.action, intent.args])
    const operation = patterns.operation(intent.tool, intent.action)
    if (!verbs.has('wait') || operation === null) return null
    if (operation.completions.length === 0 && laterEffects(operation).length === 0) return null
    const known = after.get(key) ?? later(() => groundsOf(accepting(facts, intent, operation), verbs, patterns))
    after.set(key, known)
    return known()
  }

  return {
    unparsed: patterns.unparsed,
    decide(mindFor) {
      const intent = next(now(), mindFor)
      const grounds = intent.do === 'operate' ? afterwards(intent) : null
      if (intent.do !== 'operate' || grounds === null) return intent
      const step = next(grounds, mindFor)
      if (step.do !== 'wait') return intent
      const { signals, when, timeoutMs } = step
      // What the call will bring into being has no name yet that a condition could use.
      const creates = patterns.operation(intent.tool, intent.action)?.creates ?? []
      return { ...intent, wait: { signals, when: creates.length > 0 ? null : when, timeoutMs } }
    },
    argumentsOf({ tool, action }) {
      for (const ground of now()) {
        const operation = ground.library.operation(tool, action)
        if (operation !== null) return fillArguments(ground, operation).args
      }
      return null
    },
  }
}

function later<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

/** One for each goal. */
function groundsOf(facts: Facts, verbs: Verbs, patterns: Library): Ground[] {
  const beliefs = believe(facts, patterns)
  const { parts } = facts.goal
  return (parts.length === 0 ? [facts.goal] : parts).map((goal) => {
    const own = { ...facts, goal }
    const names = entitiesOf(own, patterns, beliefs)
    if (Object.keys(names).length === 0) return { facts: own, verbs, library: patterns, beliefs }
    const library = openLibrary(own, names)
    return { facts: own, verbs, library, beliefs: beliefs.asReadIn(library) }
  })
}

function next(grounds: readonly Ground[], mindFor: MindFor): Intent {
  const contexts = grounds.map((ground): Context => ({ ...ground, mind: mindFor(ground.facts), deferred: null }))
  const [only, ...others] = contexts
  return only !== undefined && others.length === 0 ? nextStep(only) : nextOfSeveral(contexts)
}

/** An entity that does not exist yet, where a call is supposed to have been accepted. */
const UNBORN = '?'

/** What would be known, were the call accepted: what it then waits for goes with the call. */
function accepting(facts: Facts, { tool, action, args }: Operate, { creates }: OperationManual): Facts {
  const at = facts.events.at(-1)?.at ?? 0
  const about = { ...namesOf(args), ...Object.fromEntries(creates.map((entity) => [entity, UNBORN])) }
  const none = { operationId: null, rule: null, message: '', completed: false }
  const accepted: Dated = { kind: 'operated', at, tool, action, accepted: true, about, ...none }
  return { ...facts, events: [...facts.events, accepted] }
}
