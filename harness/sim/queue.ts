/** The delay itself, if it is one: NaN or a negative number would silently break the order of the queue. */
export function checkedDelay(delayMs: number): number {
  if (Number.isFinite(delayMs) && delayMs >= 0) return delayMs
  throw new RangeError(`A delay is a finite number of ms, 0 or more, not ${delayMs}.`)
}

/** Ties are broken by rank, then by order of insertion. A time-out loses every tie. */
export const Rank = { world: 0, process: 1, timeout: 2 } as const
export type Rank = (typeof Rank)[keyof typeof Rank]

/** Something due. It is `waiting` until it was taken or cancelled. */
export interface Entry {
  readonly at: number
  readonly rank: Rank
  readonly order: number
  readonly ambient: boolean
  readonly action: () => void
  waiting: boolean
}

/** What is due, keyed by (time, rank, order): a binary heap. Cancelled entries stay in it until they surface. */
export class EventQueue {
  readonly #heap: Entry[] = []
  #orders = 0
  #keeping = 0

  /** How many of the waiting entries are not ambient, and so keep a trial alive. */
  get keeping(): number {
    return this.#keeping
  }

  /** Takes a place in the order of insertion for an entry whose time is not known yet. */
  reserve(): number {
    return this.#orders++
  }

  add(at: number, rank: Rank, action: () => void, place: { ambient?: boolean; order?: number } = {}): Entry {
    const { order = this.reserve(), ambient = false } = place
    const entry: Entry = { at, rank, order, ambient, action, waiting: true }
    if (!entry.ambient) this.#keeping += 1
    this.#rise(entry)
    return entry
  }

  cancel(entry: Entry): void {
    if (!entry.waiting) return
    entry.waiting = false
    if (!entry.ambient) this.#keeping -= 1
  }

  peek(): Entry | undefined {
    let first = this.#heap[0]
    while (first !== undefined && !first.waiting) {
      this.#removeFirst()
      first = this.#heap[0]
    }
    return first
  }

  pop(): Entry | undefined {
    const first = this.peek()
    if (first === undefined) return undefined
    this.#removeFirst()
    this.cancel(first)
    return first
  }

  #rise(entry: Entry): void {
    const heap = this.#heap
    let hole = heap.length
    heap.push(entry)
    while (hole > 0) {
      const above = (hole - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || precedes(parent, entry)) break
      heap[hole] = parent
      hole = above
    }
    heap[hole] = entry
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let hole = 0
    for (;;) {
      const left = heap[2 * hole + 1]
      if (left === undefined) break
      const right = heap[2 * hole + 2]
      const child = right !== undefined && precedes(right, left) ? right : left
      if (precedes(last, child)) break
      heap[hole] = child
      hole = child === left ? 2 * hole + 1 : 2 * hole + 2
    }
    heap[hole] = last
  }
}

function precedes(a: Entry, b: Entry): boolean {
  return (a.at - b.at || a.rank - b.rank || a.order - b.order) < 0
}
