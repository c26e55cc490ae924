import type { Hand, Script, World } from '../../harness/contract/index.js'
import type { Counter } from './counter.js'
import type { Params } from './params.js'
import { seats } from './turns.js'

/** Everybody counts along from the number that the registration told, and the first whose turn it is acts. */
export function buildScripts(params: Params, counter: Counter): Pick<World, 'oracle' | 'saboteurs'> {
  const all = seats(params)
  const { limit, expected, selfEcho } = params
  const actorAt = (value: number) => all.find((seat) => seat.acts(value))?.name
  const increment = (hand: Hand, value: number) => hand.operate(counter.inc, expected ? { expected: value } : {})

  const register = async (hand: Hand): Promise<number> => {
    await hand.operate(counter.focus)
    const told = await hand.hear(counter.established)
    return typeof told === 'object' && told !== null && 'value' in told ? Number(told.value) : counter.first
  }
  const oracle: Script = async (hand) => {
    for (let value = await register(hand); value <= limit; value++) {
      const mine = actorAt(value) === hand.role
      if (mine) await increment(hand, value)
      if (!mine || selfEcho) await hand.waitFor(counter.change)
    }
  }

  return {
    oracle,
    saboteurs: {
      async wrong_parity(hand) {
        const stranger = all.find((seat) => !seat.acts(counter.first))
        if (hand.role !== stranger?.name) return
        await increment(hand, await register(hand))
      },
      async overshoot(hand) {
        await oracle(hand)
        if (hand.role === all[0]?.name) await increment(hand, limit + 1)
      },
    },
  }
}
