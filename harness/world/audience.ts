import type { SignalEntry } from '../define/index.js'
import type { Doorbell } from './live.js'

/** A tool of which a property changed: for everybody, or for its owner alone. */
export interface Changed {
  tool: string
  owner: string | null
}
/** A signal, and who hears it among those who have its tool in focus. */
export interface Heard {
  entry: SignalEntry
  to: string | null
  except: string | null
}

interface Listener {
  focused: Set<string>
  log: SignalEntry[]
}

/** Who hears what: the focus of each activity, its log of signals, and the doorbells. Activities in the order of their first focus. */
export class Audience {
  readonly #activities = new Map<string, Listener>()
  readonly #listeners = new Set<(bells: readonly Doorbell[]) => void>()

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

  onDoorbells(listener: (bells: readonly Doorbell[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Logs first, then bells: whoever is rung finds everything in its place. */
  publish(changed: readonly Changed[], signals: readonly Heard[]): void {
    const properties: Doorbell[] = []
    const logs: Doorbell[] = []
    for (const [activity, { focused, log }] of this.#activities) {
      const seen = changed.filter(({ owner }) => owner === null || owner === activity)
      for (const tool of new Set(seen.map((each) => each.tool)))
        if (focused.has(tool)) properties.push({ activity, tool })
      const heard = signals.filter(
        ({ entry, to, except }) => focused.has(entry.tool) && (to === null || to === activity) && except !== activity,
      )
      log.push(...heard.map(({ entry }) => entry))
      if (heard.length > 0) logs.push({ activity, tool: null })
    }
    const bells = [...properties, ...logs]
    if (bells.length > 0) for (const listener of this.#listeners) listener(bells)
  }
}
