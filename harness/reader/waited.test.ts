import { expect, it } from 'vitest'
import { lines } from '../kit/index.js'

const observed = [{ tool: 'kettle', properties: { temp: { value: 100, at: 2 } } }]
const hot = { signal: 'kettle.hot', tool: 'kettle', payload: {}, seq: 6, at: 2, operationId: 'op-2' }
const kinds = (line: object) => lines.readFact(JSON.stringify(line)).events.map(({ kind, at }) => [kind, at])

it('takes from a wait what it showed: the property of its condition, how it ended, and the signals', () => {
  const line = { waited: { signals: [] }, ended: 'condition', signals: [hot], observed, at: 9 }
  expect(kinds(line)).toEqual([
    ['seen', 9],
    ['waited', 9],
    ['signal', 2],
  ])
})

it('does not take a wait for a look by its own choice', () => {
  expect(kinds({ observed, at: 9 })).toContainEqual(['looked', 9])
  expect(kinds({ waited: { signals: ['x'] }, ended: 'timeout', signals: [], observed, at: 9 })).not.toContainEqual([
    'looked',
    9,
  ])
})

it('leaves the end of a blocking operation to its signals, where they are told', () => {
  const ack = { tool: 'kettle', action: 'heat', accepted: true, operationId: 'op-2', at: 0, message: 'Heating.' }
  const [told] = lines.readFact(JSON.stringify({ ...ack, completed: true, signals: [hot], returnedAt: 2 })).events
  const [untold] = lines.readFact(JSON.stringify({ ...ack, completed: true })).events
  expect([told, untold].map((event) => event?.kind === 'operated' && event.completed)).toEqual([false, true])
})
