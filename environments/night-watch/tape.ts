import type { Random } from '../../harness/contract/index.js'
import type { Params } from './params.js'

/** What the night brings (ms since the start), in the order of time. The same for all agents of a scenario. */
export interface Tape {
  alarms: number[]
  lookAlikes: number[]
}

export function drawTape({ params, random }: { params: Params; random: Random }): Tape {
  const { watchMs, lookAlikes, uneventful } = params
  if (random.stream('uneventful').chance(uneventful)) return { alarms: [], lookAlikes: [] }
  const disturbances = times(lookAlikes, (index) => random.stream('look-alike', index).integer(1, watchMs - 1))
  return { alarms: drawAlarms(params, random), lookAlikes: disturbances }
}

/** Each alarm's deadline ends with the watch at the latest. */
function drawAlarms({ pattern, watchMs, deadlineMs, quietMs, firings, stormMs }: Params, random: Random): number[] {
  const lastMs = watchMs - deadlineMs
  if (pattern === 'storm') {
    const from = random.stream('storm').integer(quietMs, lastMs - stormMs)
    return times(firings, (index) => from + random.stream('alarm', index).integer(0, stormMs))
  }
  const count = { never: 0, once: 1, several: firings }[pattern]
  return times(count, (index) => random.stream('alarm', index).integer(quietMs, lastMs))
}

function times(count: number, draw: (index: number) => number): number[] {
  return Array.from({ length: count }, (_, index) => draw(index)).toSorted((a, b) => a - b)
}
