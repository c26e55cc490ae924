/** What comes from outside at its own time, taken in one by one. */
export interface Inbox<T> {
  put(item: T): void
  /** The next one, when it is there. */
  next(): Promise<T>
  /** All that is there, at once. */
  empty(): T[]
}

export function createInbox<T>(): Inbox<T> {
  const items: T[] = []
  let waiting: ((item: T) => void) | null = null
  return {
    put(item) {
      const give = waiting
      waiting = null
      if (give === null) items.push(item)
      else give(item)
    },
    next() {
      const [first] = items.splice(0, 1)
      return first === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(first)
    },
    empty: () => items.splice(0),
  }
}
