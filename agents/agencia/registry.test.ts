import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { params } from './params.js'
import { PRESETS } from './presets.js'
import { readRegistry } from './registry.js'

const read = (...agents: unknown[]) => readRegistry(JSON.stringify(agents))
const wrong = (agent: object) => {
  const registry = read(agent)
  return 'wrong' in registry ? registry.wrong : null
}

test.each(Object.keys(PRESETS))('the preset %s is a registry that a suite could have written', (name) => {
  expect(readRegistry(name)).toEqual(read(...(PRESETS[name] ?? [])))
  expect(readRegistry(name)).not.toHaveProperty('wrong')
})

test('the page shows the preset that it names', () => {
  const page = readFileSync(new URL('../../docs/agencia.md', import.meta.url), 'utf8')
  expect(JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? 'null')).toEqual(PRESETS['weather'])
})

test('an agent may be a tool, words, or both, and is offered unless it says otherwise', () => {
  expect(
    read(
      { name: 'almanac', tool: 'manual_retrieval', args: { document: 'almanac' }, offered: false },
      { name: 'greeter', summary: 'Greets.', replies: [{ when: 'bye', fail: 'Gone.' }, { text: 'Hello.' }] },
    ),
  ).toEqual({
    units: [
      {
        name: 'almanac',
        summary: '',
        offered: false,
        tool: { name: 'manual_retrieval', args: { document: 'almanac' } },
        replies: [],
      },
      {
        name: 'greeter',
        summary: 'Greets.',
        offered: true,
        tool: null,
        replies: [
          { when: 'bye', kind: 'fail', message: 'Gone.' },
          { when: null, kind: 'text', parts: [{ kind: 'text', text: 'Hello.' }] },
        ],
      },
    ],
  })
})

test.each([
  ['%no-result%', 'no_result'],
  [' %no-result offline%\n', 'offline'],
])('the reply %j is a soft failure: %s', (text, reason) => {
  expect(read({ name: 'a', replies: [{ text }] })).toMatchObject({
    units: [{ replies: [{ kind: 'no_result', reason }] }],
  })
})

test.each([
  [{ name: 'no spaces' }, 'agent "no spaces", name: a name has 1 to 64 letters, digits, - and _'],
  [{ name: 'a' }, 'agent "a": an agent without a tool needs replies'],
  [{ name: 'a', replies: [{ text: 'x' }], args: {} }, 'agent "a": args are those of a tool'],
  [{ name: 'a', replies: [{}] }, 'agent "a", replies.0: a reply has either a text or a fail'],
  [{ name: 'a', replies: [{ text: 'x', fail: 'y' }] }, 'agent "a", replies.0: a reply has either a text or a fail'],
  [{ name: 'a', tools: 'x' }, 'agent "a": Unrecognized key: "tools"'],
])('the agent %j is refused: %s', (agent, reason) => {
  expect(wrong(agent)).toBe(reason)
})

test('a text that cannot be expanded is refused with the agent, the reply and the place', () => {
  const replies = [{ text: 'fine' }, { when: 'x', text: 'so\nit {{ .Got "b" }}' }]
  expect(wrong({ name: 'a', replies })).toMatch(/^agent "a", replies\.1: line 2, column 4: "\.Got" is no directive\./)
})

test('a name is taken once', () => {
  const agent = { name: 'a', replies: [{ text: 'x' }] }
  expect(read(agent, agent)).toEqual({ wrong: 'agent "a", name: the name "a" is taken' })
})

test.each(['wether', '{"name":"a"', 'toString'])('%j is neither a preset nor a list', (text) => {
  expect(params.safeParse({ registry: text }).error?.issues[0]?.message).toBe(
    'it is neither a preset (none, weather) nor a JSON array of agents; see docs/agencia.md',
  )
})

test('what is no list of agents, or of answers, is refused as a parameter', () => {
  const issues = (given: object) => params.safeParse(given).error?.issues.map(({ path, message }) => [...path, message])
  expect(issues({ registry: '{}' })).toEqual([['registry', 'Invalid input: expected array, received object']])
  expect(issues({ answers: 'yes' })).toEqual([['answers', 'it is no JSON array of {"to", "answer", "afterMs"}']])
  expect(issues({ answers: '[{"to":"x"}]' })).toEqual([
    ['answers', '0.answer: Invalid input: expected string, received undefined'],
  ])
})
