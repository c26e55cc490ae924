/** Work from outside that waits for the turn of a seat. */
export interface Work {
  /** Throws what the work throws: whoever does it answers for it. */
  run(): Promise<void>
  refuse(): void
}

export interface Turns {
  /** Rejects where the part is over, or too much waits already. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Nothing is taken in any more. */
  close(): void
}

export const MAX_WAITING = 32

/** `put` hands the work to whoever has the turn. */
export function createTurns(put: (work: Work) => void): Turns {
  let isClosed = false
  let waiting = 0
  return {
    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) throw new Error('This part is over.')
      if (waiting >= MAX_WAITING) throw new Error(`More than ${MAX_WAITING} calls wait already.`)
      waiting += 1
      return new Promise<T>((resolve, reject) => {
        put({
          async run() {
            waiting -= 1
            try {
              resolve(await work())
            } catch (error) {
              reject(new Error('The call failed.'))
              throw error
            }
          },
          refuse: () => reject(new Error('This part is over.')),
        })
      })
    },
    close() {
      isClosed = true
    },
  }
}
