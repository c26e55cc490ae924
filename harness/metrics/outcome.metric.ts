import { defineMetric } from '../define/index.js'
import { firstOf } from '../trace/select.js'

export default defineMetric({
  name: 'outcome',
  unit: 'text',
  better: 'neither',
  summary:
    'How the trial ended: solved, violated, unsolved, deadlocked, out_of_time, out_of_budget, agent_error or infrastructure_error.',
  source: 'DESIGN §9',
  of: (trace) => firstOf(trace, 'verdict')?.outcome ?? null,
})
