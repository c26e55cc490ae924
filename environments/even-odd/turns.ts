import type { Random, Role } from '../../harness/contract/index.js'
import type { Params } from './params.js'

/** One agent's part: what it may act on, and the words that tell it so. */
interface Seat {
  name: string
  goal: string
  acts(value: number): boolean
}

/** The agents in the order of their numbers; of two, ODD and EVEN with the goals of the thesis (8.2.2). */
export function seats({ agents, turns, limit }: Params): Seat[] {
  return Array.from({ length: agents }, (_, index) => {
    if (agents > 2 && turns === 'modulo') return modular(index, agents, limit)
    const parity = index % 2 === 0 ? 'EVEN' : 'ODD'
    return {
      name: agents === 2 ? parity : `${parity}-${index}`,
      goal: `You are the ${parity} agent: find the counter and increment it only if the number is ${parity}, continue until it exceeds ${limit}.`,
      acts: (value) => value % 2 === index % 2,
    }
  })
}

function modular(index: number, agents: number, limit: number): Seat {
  return {
    name: `MOD-${index}`,
    goal: `You are agent ${index} of ${agents}: find the counter and increment it only if the number modulo ${agents} is ${index}, continue until it exceeds ${limit}.`,
    acts: (value) => value % agents === index,
  }
}

/** Where all began at once and thought alike, blind agents could win in lockstep; so order and beginnings are drawn. */
export function roles(params: Params, random: Random): Role[] {
  const listed = seats(params).map(({ name, goal }) => {
    const startsAtMs = Math.floor(random.stream('start', name).uniform(0, params.jitterMs))
    return { name, goal, startsAtMs }
  })
  if (params.order === 'drawn') return random.stream('order').shuffle(listed)
  return params.order === 'listed' ? listed : listed.toReversed()
}
