import type { SignalEntry } from '../define/index.js'
import type { Doorbell } from './live.js'

interface Listener {
  focused: Set<string>
  log: SignalEntry[]
}

/** Who hears what: the focus of each activity, its log of signals, and the doorbells. Activities in the order of their first focus. */
export class Audience {
  readonly #activities = new Map<string, Listener>()
  readonly #listeners = new Set<(bell: Doorbell) => void>()

  focus(activity: string, tool: string): void {
    const listener = this.#activities.get(activity) ?? { focused: new Set(), log: [] }
    this.#activities.set(activity, listener)
    listener.focused.add(tool)
  }

  unfocus(activity: string, tool: string): void {
    this.#activities.get(activity)?.focused.delete(tool)
  }

  signalsAfter(activity: string, seq: number): SignalEntry[] {
    const log = this.#activities.get(activity)?.log ?? []
    return log.slice(log.findLastIndex((entry) => entry.seq <= seq) + 1)
  }

  onDoorbell(listener: (bell: Doorbell) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Logs first, then bells: whoever is rung finds everything in its place. */
  publish(changed: ReadonlySet<string>, signals: readonly SignalEntry[]): void {
    const properties: Doorbell[] = []
    const logs: Doorbell[] = []
    for (const [activity, { focused, log }] of this.#activities) {
      for (const tool of changed) if (focused.has(tool)) properties.push({ activity, tool })
      const heard = signals.filter((entry) => focused.has(entry.tool))
      log.push(...heard)
      if (heard.length > 0) logs.push({ activity, tool: null })
    }
    for (const bell of [...properties, ...logs]) for (const listener of this.#listeners) listener(bell)
  }
}
