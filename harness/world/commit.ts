import type { Clock, Recorder } from '../define/index.js'
import type { Audience, Changed, Heard } from './audience.js'
import type { Step, Timer } from './step.js'

/** What a world remembers of its steps for good. */
export interface Chronicle {
  /** One counter over changes and signals; 0 before the first. */
  seq: number
  /** In the order of their first commit; final. */
  readonly violations: Set<string>
}

/** Publishes steps: changes, then signals, then what was harmed; timers; logs; doorbells last. */
export function publisher(world: {
  clock: Clock
  record: Recorder
  audience: Audience
  chronicle: Chronicle
  wake(timer: Timer): void
}): (step: Step) => void {
  const { clock, record, audience, chronicle } = world

  function changes(step: Step, at: number): Changed[] {
    const changed: Changed[] = []
    for (const [variable, from] of step.found) {
      const { tool, name, value, owner } = variable
      if (value === from) continue
      variable.stamp(at)
      changed.push({ tool, owner })
      chronicle.seq += 1
      const change = { seq: chronicle.seq, tool, property: name, from, to: value, op: step.operation }
      record({ kind: 'change', ...change }, owner === null ? undefined : { activity: owner })
    }
    return changed
  }

  function signals(step: Step, at: number): Heard[] {
    return step.signals.map(({ tool, signal, payload, operation, to, except }) => {
      chronicle.seq += 1
      const { seq } = chronicle
      record({ kind: 'signal', seq, tool, signal, payload, op: operation }, to === null ? undefined : { activity: to })
      return { entry: { seq, at, signal, tool, payload, operationId: operation }, to, except }
    })
  }

  function harms(step: Step): void {
    for (const violation of step.violations) {
      if (chronicle.violations.has(violation)) continue
      chronicle.violations.add(violation)
      record({ kind: 'violation', violation, op: step.operation })
    }
    for (const margin of step.margins) record({ kind: 'margin', ...margin })
  }

  function timers(step: Step): void {
    for (const timer of step.cancelled) timer.stop?.()
    for (const timer of step.timers) {
      if (step.cancelled.has(timer)) continue
      timer.stop = clock.after(timer.delayMs, () => {
        timer.stop = null
        world.wake(timer)
      })
    }
  }

  return (step) => {
    if (step.setup) return timers(step)
    const at = clock.now()
    const changed = changes(step, at)
    const emitted = signals(step, at)
    harms(step)
    timers(step)
    audience.publish(changed, emitted)
  }
}
