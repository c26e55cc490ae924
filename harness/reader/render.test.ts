import { expect, it } from 'vitest'
import { readOffer, requestSchema } from './read/request.js'
import { renderCall } from './say/call.js'
import { renderFields } from './say/fields.js'
import { LENGTHS, prose } from './say/prose.js'
import { VERBS } from './think/intent.js'
import type { Intent } from './think/intent.js'

const wait = {
  signals: ['s'],
  when: { tool: 't', property: 'p', op: 'is' as const, value: 'V', unit: 'u' },
  timeoutMs: 9,
}
const operate: Intent = { do: 'operate', tool: 't', action: 'a', args: { x: 1 }, wait }
const offered = (...tools: [name: string, description: string, properties: object][]) =>
  readOffer(
    requestSchema.parse({
      model: 'sim:',
      messages: [],
      tools: tools.map(([name, description, properties]) => ({
        function: { name, description, parameters: { properties } },
      })),
    }).tools,
  )
const called = (intent: Intent, ...tools: Parameters<typeof offered>) => renderCall(intent, offered(...tools)).call

it('binds tools of any name by their shape or their description, and their one argument by its place', () => {
  const tools: Parameters<typeof offered> = [
    ['one', 'Things.\n- a: Does a.', { action: { enum: ['a', 'b'] } }],
    ['two', 'Lists the tools and the documents.', {}],
    ['three', 'Retrieves a document by its id.', { paper: {} }],
    ['four', 'Reads the present values of properties.', { which: {} }],
    ['five', 'Lets time pass.', { howLong: {} }],
    ['six', 'Waits for signals, or a condition.', { signals: {}, when: {}, timeoutMs: {} }],
    ['seven', 'Says why the instruction cannot be carried out.', { why: {} }],
  ]
  expect(called(operate, ...tools)).toEqual({ name: 'one', arguments: '{"action":"a","x":1}' })
  expect(called({ do: 'discover' }, ...tools)).toEqual({ name: 'two', arguments: '{}' })
  expect(called({ do: 'read', document: 'd' }, ...tools)).toEqual({ name: 'three', arguments: '{"paper":"d"}' })
  expect(called({ do: 'observe', tools: ['t'] }, ...tools)).toEqual({ name: 'four', arguments: '{"which":["t"]}' })
  expect(called({ do: 'sleep', ms: 5 }, ...tools)).toEqual({ name: 'five', arguments: '{"howLong":5}' })
  expect(called({ do: 'wait', signals: ['s'], when: null, timeoutMs: 9 }, ...tools)).toEqual({
    name: 'six',
    arguments: '{"signals":["s"],"timeoutMs":9}',
  })
  expect(called({ do: 'mount', documents: ['d'], focus: [] }, ...tools)?.name).toBe('seven')
  expect(called({ ...operate, action: 'unknown' }, ...tools)?.name).toBe('seven')
  expect(called({ do: 'claim', achieved: true }, ...tools)).toBe(null)
})

const last = (achieved: boolean) => renderCall({ do: 'claim', achieved }, []).content?.split('\n').at(-1)

it('ends in text, and says how on the last line', () => {
  expect([last(true), last(false)]).toEqual(['OUTCOME: ACHIEVED', 'OUTCOME: GAVE UP'])
})

const REASONING = {
  properties: {
    decision: { enum: ['SETUP', 'ACT', 'WAIT', 'OBSERVE'] },
    instruction: { type: 'string' },
    wait: { anyOf: [{ type: 'null' }] },
  },
}

it('acts where a verb is a call, and lets no wait go with an operation where waits are calls', () => {
  const { decision, instruction } = REASONING.properties
  const schema = { properties: { decision, instruction } }
  const calls = new Set(['observe', 'wait'] as const)
  const look = { do: 'observe', tools: ['t'] } as const
  const told = { instruction: 'Look at the tools ["t"].' }
  expect(renderFields({ ...look, tools: ['t'] }, schema, '', { calls })).toEqual({ decision: 'ACT', ...told })
  expect(renderFields({ ...look, tools: ['t'] }, schema, '')).toEqual({ decision: 'OBSERVE', ...told })
  const alone = 'Call the operation "a" of "t" with {"x":1}.'
  expect(renderFields(operate, schema, '', { calls })['instruction']).toBe(alone)
  expect(renderFields(operate, schema, '')['instruction']).toMatch(/ Then wait for /)
})

it('puts an operation, its wait and a claim into the fields of a decision', () => {
  expect(renderFields(operate, REASONING, '')).toEqual({
    decision: 'ACT',
    instruction: 'Call the operation "a" of "t" with {"x":1}.',
    wait: { signals: ['s'], when: { tool: 't', property: 'p', op: 'is', value: 'V' }, timeoutMs: 9 },
  })
  expect(renderFields({ do: 'claim', achieved: true }, REASONING, '')).toEqual({
    decision: 'OBSERVE',
    instruction: 'The goal is achieved.',
    wait: null,
  })
  const observation = {
    properties: { completed: { type: 'boolean' }, achieved: { type: 'boolean' }, plan: { type: 'array' } },
  }
  expect(renderFields({ do: 'claim', achieved: false }, observation, 'Be\nkind.')).toMatchObject({
    completed: true,
    achieved: false,
  })
  expect(renderFields({ do: 'discover' }, observation, 'Two:\n1. Be\nkind.\n2. Rest.')['plan']).toEqual(
    expect.arrayContaining(['Goal: 1. Be kind.', 'Goal: 2. Rest.']),
  )
  expect(renderFields({ do: 'discover' }, observation, 'Be\nkind.')['plan']).toEqual(
    expect.arrayContaining(['Goal: Be kind.', prose('discover', 'step')]),
  )
})

it('gives fields that it does not know the empty value of their type, and a choice its first', () => {
  const properties = {
    decision: { enum: ['YES', 'NO'] },
    flag: { type: 'boolean' },
    count: { type: 'integer', minimum: 2 },
    text: { type: 'string' },
    list: { type: 'array' },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    nested: { type: 'object', properties: { inner: { type: ['string', 'null'] }, fixed: { const: 7 } } },
  }
  expect(renderFields({ do: 'wait', ...wait }, { properties }, '')).toEqual({
    decision: 'YES',
    flag: false,
    count: 2,
    text: '',
    list: [],
    maybe: null,
    either: 0,
    nested: { inner: null, fixed: 7 },
  })
  expect(renderFields({ do: 'discover' }, {}, '')).toEqual({})
})

it('writes prose of the length in the table', () => {
  const words = VERBS.map((verb) => prose(verb, 'thought').split(' ').length - LENGTHS[verb].thought)
  expect(Math.max(...words.map(Math.abs))).toBeLessThanOrEqual(3)
})
