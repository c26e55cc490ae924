import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema, ModelAnswer, ToolSpec } from '../contract/index.js'
import { readCall, readEnd, readObject, whole } from './index.js'
import type { Answered } from './index.js'

const schema: JsonSchema = JSON.parse(
  JSON.stringify(
    z.toJSONSchema(
      z.object({
        name: z.string().optional(),
        count: z.number().optional(),
        wait: z.object({ timeoutMs: z.int().nullable() }).nullable().optional(),
        levels: z.array(z.number()).optional(),
        value: z.union([z.string(), z.number()]).optional(),
      }),
    ),
  ),
)
const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, counted: true }
const answered = (more: Partial<Answered>): Answered => ({
  status: 'answered',
  text: null,
  toolCalls: [],
  finish: 'stop',
  usage,
  ...more,
})
const sleep: ToolSpec = { kind: 'sleep', name: 'sleep', description: '', actions: [], parameters: schema }

describe('an object is read', () => {
  test.each<[string, string, object, string[]]>([
    ['as it is', ' {"name":"a"}\n', { name: 'a' }, []],
    ['with what looks like a thought in a string', '{"name":"<think>a</think>"}', { name: '<think>a</think>' }, []],
    ['behind a thought', '<think>{"name":"b"}</think>\n{"name":"a"}', { name: 'a' }, ['thinking']],
    ['behind a thought that the server has opened', 'Hm.</think>{"name":"a"}', { name: 'a' }, ['thinking']],
    ['in a fence', 'Here:\n```json\n{"name":"a"}\n```\nDone.', { name: 'a' }, ['fence']],
    ['in a fence behind a thought', '<thinking>x</thinking>```\n{}\n```', {}, ['thinking', 'fence']],
    ['between prose, with braces in strings', 'Use {braces}: {"name":"} \\" {"} so.', { name: '} " {' }, ['prose']],
    ['with a number in quotes', '{"count":"-1.5e3"}', { count: -1_500 }, ['numbers']],
    ['with one that may be absent', '{"wait":{"timeoutMs":"5000"}}', { wait: { timeoutMs: 5_000 } }, ['numbers']],
    ['with one in a list', '{"levels":[1,"2"]}', { levels: [1, 2] }, ['numbers']],
    ['with a text of digits where a text may be', '{"name":"7","value":"7"}', { name: '7', value: '7' }, []],
    ['with words in place of a number', '{"count":"many"}', { count: 'many' }, []],
  ])('%s', (_how, text, value, mends) => {
    expect(readObject(text, schema)).toEqual({ value, mends })
  })

  test.each([
    '',
    'no JSON',
    '[1]',
    '7',
    '{"name":"a"',
    '{"wait":{"timeoutMs":1}',
    'So: {"wait":{}',
    '{}{}',
    '<think>{}',
  ])('not where it is cut, several, or none: %j', (text) => {
    expect(readObject(text, schema)).toBeNull()
  })
})

test('Of several calls the first counts, and the answer is mended.', () => {
  const toolCalls = [
    { id: '1', name: 'sleep', arguments: '{"count":"2"}' },
    { id: '2', name: 'nobody', arguments: '{' },
  ]
  expect(readCall(answered({ toolCalls }), [sleep])).toEqual({
    kind: 'call',
    id: '1',
    tool: sleep,
    args: { count: 2 },
    mends: ['calls', 'numbers'],
  })
})

test('An outcome that was only thought of is none.', () => {
  expect(readEnd(answered({ text: '<think>\nOUTCOME: ACHIEVED\n</think>' }))).toMatchObject({ what: 'empty' })
  expect(readEnd(answered({ text: '<think>Well.</think>\nOUTCOME: GAVE UP' }))).toEqual({
    kind: 'end',
    claim: 'gave_up',
    text: 'OUTCOME: GAVE UP',
    mends: ['thinking'],
  })
})

test.each<[ModelAnswer, string]>([
  [{ status: 'interrupted', usage }, 'interrupted'],
  [answered({ text: '{}', finish: 'length' }), 'length'],
  [answered({ text: '{}', finish: 'refusal' }), 'refusal'],
])('What the model has not said to its end is not read: %#', (answer, what) => {
  expect(whole(answer)).toMatchObject({ kind: 'malformed', what })
})
