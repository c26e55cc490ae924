import { defineEnvironment } from '../../harness/contract/index.js'
import { buildCounter } from './counter.js'
import { params } from './params.js'
import { buildScripts } from './scripts.js'
import { roles } from './turns.js'

/**
 * The second demonstrator of the thesis (8.2, Listings 6.1 and 8.2). Its text says that the agents go on until the
 * counter exceeds 5, its trace that they stop at 5; here the goal's words count, so that the last value is 6.
 */
export default defineEnvironment({
  name: 'even-odd',
  version: '1',
  summary: 'Agents that know nothing of each other take turns at a shared counter, and stop when it exceeds a limit.',
  params,
  roles,
  setup(kit) {
    const counter = buildCounter(kit)
    kit.document('countertool', counter.manual)
    return {
      reached: () => counter.value() === kit.params.limit + 1,
      allMustEnd: true,
      ...buildScripts(kit.params, counter),
    }
  },
})
