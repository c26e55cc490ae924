import { defineMetric } from '../contract/index.js'
import { recordsOf } from '../trace/records.js'
import { basesOf, meanAndMax, operationsOf } from './calls.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'operations',
    ...measuredIn('count', 'neither'),
    summary:
      'Operations that reached the rules of the world: accepted, refused or harmful. Invalid calls are not among them.',
    of: (trace) => recordsOf(trace, 'operation').length,
  }),
  defineMetric({
    name: 'refused',
    ...measuredIn('count', 'lower'),
    summary: 'Operations that a rule of the world refused.',
    of: (trace) => recordsOf(trace, 'acknowledgement').filter(({ outcome }) => outcome === 'refused').length,
  }),
  defineMetric({
    name: 'invalid',
    ...measuredIn('count', 'lower'),
    summary: 'Calls of unknown tools or actions, or with arguments that do not validate.',
    of: (trace) => recordsOf(trace, 'invalid').length,
  }),
  defineMetric({
    name: 'observation_age_ms',
    ...measuredIn('ms (unobserved: count)', 'lower'),
    summary:
      'At each operation: the age of the latest state of that tool that the agent had seen when the deciding model call began, by a poll, a sync or a consumed signal (which shows the state of its emission). `mean` and `max` over the operations that had such a state; `unobserved` counts the others. Acknowledgements are no observation. Where doorbells tell of changes, an old state may still be the present one: see stale_operations.',
    of(trace) {
      const bases = basesOf(trace)
      const ages = bases.flatMap(({ operation, basis }) => (basis === null ? [] : [operation.record.at - basis.at]))
      return { ...meanAndMax(ages), unobserved: bases.length - ages.length }
    },
  }),
  defineMetric({
    name: 'stale_operations',
    ...measuredIn('count', 'lower'),
    summary:
      "Operations whose tool had changed since the state that they were based on (see observation_age_ms). What the agent's own operations changed at once, and acknowledged, does not count. Absent where no operation was based on an observed state.",
    of(trace) {
      const based = basesOf(trace).filter(({ basis }) => basis !== null)
      if (based.length === 0) return null
      const operations = new Map(operationsOf(trace).map((operation) => [operation.record.op, operation]))
      const changes = recordsOf(trace, 'change')
      return based.filter(({ operation: { record, role }, basis }) =>
        changes.some((change) => {
          if (basis === null || change.tool !== record.tool || change.n > record.n) return false
          // What another activity has of its own is no state of the tool to this one.
          if (change.activity !== null && change.activity !== record.activity) return false
          const cause = change.op === null ? undefined : operations.get(change.op)
          if (cause !== undefined && cause.role === role && cause.record.at === change.at) return false
          return change.at > basis.at || (change.at === basis.at && change.n > basis.n)
        }),
      ).length
    },
  }),
]
