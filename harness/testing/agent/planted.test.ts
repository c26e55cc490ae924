import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Agent, Json } from '../../contract/index.js'
import type { ChatModel, ChatRequest } from '../../model/chat.js'
import { isObject, parseJson, prompt, readNumbered, readPromptText, unquote } from '../../kit/index.js'
import { extract } from '../../reader/read/extract.js'
import { requestSchema } from '../../reader/read/request.js'
import { loadAgent, pluginFiles } from '../../run/registry.js'
import { playTrial, pottery, sane } from './play.js'
import { PLANTED } from './planted.js'

const agents: Agent[] = []
for (const name of pluginFiles('agent').keys()) {
  const agent = await loadAgent(name)
  if (agent.usesModel) agents.push(agent)
}

const lines = PLANTED.flatMap((text) => text.split('\n'))
const words = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...lines), fc.string()), { minLength: 1, maxLength: 6 })
    .map((all) => all.join('\n')),
  fc.array(fc.constantFrom(...PLANTED), { minLength: 1, maxLength: 3 }).map((all) => `Be.${all.join('\r\n')}`),
  fc.string({ unit: 'binary', minLength: 1 }),
)
/** Whatever ended a line of it is a newline now. */
const broken = (text: string): string => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).join('\n')

test('Whatever is written in goal, plan and instruction comes back as it was, and nothing of it is a part of the prompt.', () => {
  const fact = '{"tool":"kiln","property":"heat","value":1,"at":1,"readAt":2}'
  const { section } = prompt
  fc.assert(
    fc.property(words, fc.array(words, { minLength: 1, maxLength: 4 }), words, (goal, plan, instruction) => {
      fc.pre([goal, instruction].every((text) => text !== ''))
      const text = [
        section('GOAL', prompt.quote(goal)),
        section('PLAN', prompt.numbered(plan)),
        section('INSTRUCTION', prompt.quote(instruction)),
        section('VARIABLES', [fact]),
      ].join('\n')
      const read = readPromptText(text, true)
      const of = (title: string) => read.lines.filter((line) => line.section === title)
      const textOf = (title: string) =>
        of(title)
          .map((line) => line.text)
          .join('\n')
      expect(new Set(read.lines.map((line) => line.section))).toEqual(
        new Set(['GOAL', 'PLAN', 'INSTRUCTION', 'VARIABLES']),
      )
      expect(read.documents).toEqual([])
      expect([textOf('GOAL'), textOf('INSTRUCTION'), textOf('VARIABLES')]).toEqual([
        broken(goal),
        broken(instruction),
        fact,
      ])
      expect(readNumbered(of('PLAN'))).toEqual(plan.map(broken))
      const messages = [{ role: 'user', content: text }]
      const { facts } = extract(requestSchema.parse({ model: 'sim:careful', messages }))
      expect([facts.events.length, facts.documents, facts.tools, facts.goal.text]).toEqual([1, [], [], broken(goal)])
    }),
    { numRuns: 1_000 },
  )
})

test('One plain line stands as it is, and what was quoted is read again.', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(unquote(prompt.quote(text))).toBe(broken(text))
    }),
  )
  for (const plain of ['Fire the pot until the kiln is DONE.', 'Call "a" with {"b":1}.', ' 3 > 2, # 4', ''])
    expect(prompt.quote(plain)).toBe(plain)
})

test.each(PLANTED)('A goal that ends in %j is a goal, in a section and as a message.', (text) => {
  const goal = `Be DONE.\n${text}`
  for (const content of [prompt.section('GOAL', prompt.quote(goal)), prompt.goal([goal])]) {
    const { planted, goals } = readIn([{ messages: [{ role: 'user', content }] }])
    expect({ planted, goals }).toEqual({ planted: [], goals: [broken(goal)] })
  }
  // Were it not quoted, it would be taken for more, on the one wire or the other.
  const bare = [prompt.section('GOAL', goal), goal].map((content) =>
    readIn([{ messages: [{ role: 'user', content }] }]),
  )
  expect(bare).not.toEqual(bare.map(() => ({ planted: [], goals: [goal] })))
})

type Asked = Pick<ChatRequest, 'messages' | 'tools'>

/** All that prompts say about things that are planted; and the goals that the reader finds in them. */
function readIn(requests: readonly Asked[]): { planted: string[]; goals: string[] } {
  const planted: string[] = []
  const goals: string[] = []
  for (const { messages, tools = [] } of requests) {
    const functions = tools.map((each) => ({ function: each }))
    const { facts, verbs } = extract(requestSchema.parse({ model: 'sim:careful', messages, tools: functions }))
    if (!facts.goalPlanned && facts.goal.text !== '') goals.push(facts.goal.text)
    const { events, documents, tools: known, catalogue, instruction } = facts
    const said = JSON.stringify([events, documents, known, [...verbs], instruction])
    // Nothing true of these trials happens at 1 ms.
    if (said.includes('planted') || events.some(({ at }) => at === 1)) planted.push(said)
    if ((catalogue.unread ?? 0) > 2) planted.push(`${catalogue.unread} unread`)
  }
  return { planted, goals: [...new Set(goals)] }
}

/** Keeps what it was asked, and plants a text in whatever it says itself. */
function planting(text: string, asked: Asked[]): ChatModel {
  const model = sane()
  const more = (value: Json): Json =>
    typeof value === 'string' ? `${value}\n${text}` : Array.isArray(value) ? [...value, text, `Go on.\n${text}`] : value
  return {
    name: model.name,
    async complete(request) {
      asked.push(request)
      const completion = await model.complete(request)
      const said = parseJson(completion.text ?? '')
      if (request.schema === undefined || !isObject(said)) return completion
      const { plan, summary, instruction } = said
      const spoken = { plan, summary, ...(asked.length % 2 === 0 && { instruction }) }
      const planted = Object.entries(spoken).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, more(value)]],
      )
      return { ...completion, text: JSON.stringify({ ...said, ...Object.fromEntries(planted) }) }
    },
  }
}

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (_name, agent) => {
  test('takes nothing of what goals, plans, summaries and instructions plant for a part of its prompts', async () => {
    for (const start of [0, 10, 20]) {
      const text = PLANTED.slice(start, start + 10).join('\n')
      const goal = `Fire the pot until the kiln is DONE.\n${text}`
      const asked: Asked[] = []
      const chat = planting(text, asked)
      await playTrial({ agent, params: {}, environment: pottery(goal), chat, limits: { modelCalls: 16 } })
      expect({ start, ...readIn(asked) }).toEqual({ start, planted: [], goals: [broken(goal)] })
      expect(asked.length).toBeGreaterThan(3)
    }
  })
})
