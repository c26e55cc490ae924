import { defineMetric } from '../define/index.js'
import { firstOf } from '../trace/select.js'

export default defineMetric({
  name: 'solved',
  unit: 'boolean',
  better: 'higher',
  summary:
    "The goal's condition held when the trial ended, and there was never a violation: the verdict of the world, not of the agent. Absent in a trace without a verdict.",
  source: 'DESIGN §5, §9',
  of: (trace) => firstOf(trace, 'verdict')?.solved ?? null,
})
