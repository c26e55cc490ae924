import { checkedDelay } from './delay.js'

export type Answer<T> = { ok: true; value: T; lastsMs: number } | { ok: false; error: unknown }

/**
 * The requests that are under way side by side. On the virtual clock they all left at the present instant, and land
 * together. What landing does must not depend on which was answered first: every thought has reserved its place in the
 * queue when it asked.
 */
export class Requests {
  #landings: (() => void)[] = []
  #underway = 0

  /** `answered` hears of every answer. */
  constructor(private readonly answered: () => void) {}

  /** How many are not answered yet. */
  get underway(): number {
    return this.#underway
  }

  /** Is one answered that has not landed? */
  get isAnswered(): boolean {
    return this.#landings.length > 0
  }

  get toLand(): boolean {
    return this.#underway > 0 || this.#landings.length > 0
  }

  send<T>(start: () => Promise<{ value: T; lastsMs: number }>, land: (answer: Answer<T>) => void): void {
    this.#underway += 1
    const ask = async (): Promise<void> => {
      const answer = await answerOf(start)
      this.#landings.push(() => land(answer))
      this.#underway -= 1
      this.answered()
    }
    void ask()
  }

  land(): void {
    const landings = this.#landings
    this.#landings = []
    for (const land of landings) land()
  }
}

/** Never rejects. A duration that is none is the request's failure. */
async function answerOf<T>(start: () => Promise<{ value: T; lastsMs: number }>): Promise<Answer<T>> {
  try {
    const { value, lastsMs } = await start()
    return { ok: true, value, lastsMs: checkedDelay(lastsMs) }
  } catch (error) {
    return { ok: false, error }
  }
}
