import type { Context } from './context.js'
import type { Intent } from './intent.js'
import { nextStep } from './plan.js'

/**
 * The next step for goals that do not depend on each other: the first that moves one of them on. Where all can only
 * wait, it waits for whatever ends first; where all are settled, it claims.
 */
export function nextOfSeveral(contexts: readonly Context[]): Intent {
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
