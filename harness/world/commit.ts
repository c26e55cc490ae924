import type { Clock, Recorder, SignalEntry } from '../contract/index.js'
import { admits } from './focus.js'
import type { Narrowing } from './focus.js'
import type { Doorbell } from './live.js'
import type { Emission, Step, Timer, Variable } from './step.js'

/** A tool of which a property changed: for everybody, or for its owner alone. */
type Changed = Pick<Variable, 'tool' | 'name' | 'owner'>
/** A signal, and who hears it among those who have its tool in focus. */
interface Heard extends Pick<Emission, 'to' | 'except'> {
  entry: SignalEntry
}

interface Listener {
  focused: Map<string, Narrowing>
  log: SignalEntry[]
}

/** Who hears what: the focus of each activity, its log of signals, and the doorbells. Activities in the order of their first focus. */
export class Audience {
  readonly #activities = new Map<string, Listener>()
  readonly #listeners = new Set<(bells: readonly Doorbell[]) => void>()

  focus(activity: string, tool: string, narrowing: Narrowing): void {
    const listener = this.#activities.get(activity) ?? { focused: new Map(), log: [] }
    this.#activities.set(activity, listener)
    listener.focused.set(tool, narrowing)
  }

  unfocus(activity: string, tool: string): void {
    this.#activities.get(activity)?.focused.delete(tool)
  }

  focusOf(activity: string): ReadonlyMap<string, Narrowing> {
    return this.#activities.get(activity)?.focused ?? new Map()
  }

  signalsAfter(activity: string, seq: number): SignalEntry[] {
    const log = this.#activities.get(activity)?.log ?? []
    return log.slice(log.findLastIndex((entry) => entry.seq <= seq) + 1)
  }

  onDoorbells(listener: (bells: readonly Doorbell[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Logs first, then bells: whoever is rung finds everything in its place. */
  publish(changed: readonly Changed[], signals: readonly Heard[]): void {
    const properties: Doorbell[] = []
    const logs: Doorbell[] = []
    for (const [activity, { focused, log }] of this.#activities) {
      const lets = (kind: keyof Narrowing, tool: string, name: string): boolean => {
        const narrowing = focused.get(tool)
        return narrowing !== undefined && admits(narrowing[kind], name)
      }
      const seen = changed.filter(
        ({ tool, name, owner }) => (owner === null || owner === activity) && lets('properties', tool, name),
      )
      for (const tool of new Set(seen.map((each) => each.tool))) properties.push({ activity, tool })
      const heard = signals.filter(
        ({ entry, to, except }) =>
          (to === null || to === activity) && except !== activity && lets('signals', entry.tool, entry.signal),
      )
      log.push(...heard.map(({ entry }) => entry))
      if (heard.length > 0) logs.push({ activity, tool: null })
    }
    const bells = [...properties, ...logs]
    if (bells.length > 0) for (const listener of this.#listeners) listener(bells)
  }
}

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
      variable.stamp(at, from)
      changed.push(variable)
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
