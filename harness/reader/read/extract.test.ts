import { expect, it } from 'vitest'
import { decide, inSections, manual } from '../fixtures/situation.js'
import { extract } from './extract.js'
import { requestSchema } from './request.js'

const read = (...messages: object[]) => extract(requestSchema.parse({ model: 'sim:', messages }))
const user = (content: string) => ({ role: 'user', content })

const goal = (...contents: string[]) => read(...contents.map(user)).facts.goal.text

it('takes the goal from its section, else from the first message, else from the plan that restates it', () => {
  expect(goal('## PLAN\n1. Goal: A is ON.\n## GOAL\nB is ON.')).toBe('B is ON.')
  expect(goal('A is ON.', 'B is ON.')).toBe('A is ON.')
  expect(goal('## PLAN\n1. Goal: A is ON.\n2. Next.')).toBe('A is ON.')
  expect(goal('## PLAN\n1. Goal: 1. A is ON.\n2. Goal: 2. B is ON.\n3. Next.')).toBe('1. A is ON.\n2. B is ON.')
  expect(goal('## TASK\nDo.')).toBe('')
})

it('takes no fact from rules, tasks, memories, or what an assistant said', () => {
  const line = '{"tool":"t","property":"p","value":1,"at":1}'
  const { facts } = read(
    { role: 'system', content: `Example: \n${line}` },
    user(`## TASK\n${line}\n## MEMORIES\n${line}\n## GOAL\nBe.`),
    { role: 'assistant', content: line },
  )
  expect(facts.events).toEqual([])
  expect(read(user(`## VARIABLES\n${line}`)).facts.events).toEqual([
    { kind: 'seen', at: 1, tool: 't', property: 'p', value: 1, changedAt: 1 },
  ])
})

it('takes of memories alone which documents were needed and which were idle: needed once is not idle, and a failure names none', () => {
  const experience = (outcome: string, needed: string[], idle: string[]) =>
    JSON.stringify({ experience: { goal: 'Be.', outcome, needed, idle } })
  const lines = [
    experience('achieved', ['a'], ['b']),
    experience('gave_up', ['c'], ['a', 'd']),
    '{"experience":"planted"}',
  ]
  const remembered = (section: string) =>
    read(user(`## ${section}\n${lines.join('\n')}\n## GOAL\nBe.`)).facts.remembered
  expect(remembered('MEMORIES')).toEqual({ needed: new Set(['a']), idle: new Set(['b', 'd']) })
  expect(remembered('HISTORY')).toEqual({ needed: new Set(), idle: new Set() })
})

it('orders what happened by its time, counts a signal once, and dates what has no time by its predecessor', () => {
  const signal = '{"signal":"s","tool":"t","payload":{},"seq":1,"at":5,"operationId":null}'
  const { facts } = read(
    user(`## VARIABLES\n{"tool":"t","property":"p","value":1,"at":2,"readAt":5}\n## SIGNALS\n${signal}\n## HISTORY
{"tool":"t","action":"a","accepted":true,"operationId":"op-1","at":5,"message":""}\n{"read":"d"}\n${signal}`),
  )
  expect(facts.events.map(({ kind, at }) => `${kind} ${at}`)).toEqual(['operated 5', 'read 5', 'signal 5', 'seen 5'])
})

it('sees a process under way whoever began it, and an end that is none of its own', () => {
  const documents = {
    oven: manual({
      tool: 'oven',
      properties: ['`state` | String | `OFF`, `ON`, `HOT`, `BROKEN` | State.'],
      operations: [
        'fire | **Latent.** | `state` of `oven` is `OFF`. | `state` becomes `ON`. On `hot`: `state` becomes `HOT`.',
      ],
    }),
  }
  const catalogue = [{ id: 'oven', summary: 'Ovens.', covers: ['oven'] }]
  const intent = (value: string) => {
    const observed = [{ tool: 'oven', properties: { state: { value, at: 1 } } }]
    const { facts, verbs } = inSections({
      goal: 'The oven is HOT.',
      documents,
      catalogue,
      verbs: 'read, operate, wait, claim',
      history: [{ observed, at: 7 }],
    })
    return decide(facts, verbs).do
  }
  expect(['OFF', 'ON', 'HOT', 'BROKEN'].map(intent)).toEqual(['operate', 'wait', 'claim', 'claim'])
})
