import type { ChatModel, ChatRequest, Completion } from '../../model/chat.js'

type Answer = Partial<Pick<Completion, 'text' | 'toolCalls' | 'finish'>>
/** A way of answering badly, over function calling as well as over a schema. */
export type Misbehaviour = (request: ChatRequest, ordinal: number) => Answer

const called = (ordinal: number, ...calls: [name: string, args: string][]): Answer => ({
  toolCalls: calls.map(([name, args], index) => ({ id: `bad-${ordinal}-${index}`, name, arguments: args })),
  finish: 'tool_calls',
})

/** A call that would be carried out, were it not for what is wrong with the answer around it. */
function tempting({ tools = [] }: ChatRequest): [name: string, args: string] {
  const tool = tools.find(({ actions }) => actions.length > 0)
  return [tool?.name ?? 'no_such_tool', JSON.stringify({ action: tool?.actions[0]?.name ?? 'none' })]
}

const offersTools = ({ tools = [] }: ChatRequest): boolean => tools.length > 0

/** The one of which something may be carried out. */
export const SEVERAL = 'two values at once'

export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'malformed JSON': (request, n) =>
    offersTools(request) ? called(n, [tempting(request)[0], '{"action":']) : { text: '{"completed":' },
  'JSON that is no object': (request, n) =>
    offersTools(request) ? called(n, [tempting(request)[0], '[1]']) : { text: '[1]' },
  'a tool that does not exist': (request, n) =>
    offersTools(request) ? called(n, ['no_such_tool', '{}']) : { text: '{"unexpected":true}' },
  'an action that does not exist': (request, n) =>
    offersTools(request)
      ? called(n, [tempting(request)[0], '{"action":"no_such_action"}'])
      : { text: '{"decision":"DANCE"}' },
  'arguments of the wrong type': (request, n) =>
    offersTools(request) ? called(n, [tempting(request)[0], '{"action":7}']) : { text: '{"completed":"perhaps"}' },
  [SEVERAL]: (request, n) =>
    offersTools(request) ? called(n, tempting(request), tempting(request)) : { text: '{}{}' },
  'an empty answer': () => ({ text: '' }),
  'no answer': () => ({ text: null }),
  'a refusal': () => ({ text: 'I must not.', finish: 'refusal' }),
  'an answer that is cut': (request, n) => ({ ...called(n, tempting(request)), text: '{"comple', finish: 'length' }),
  'an answer that was filtered': (request, n) => ({ ...called(n, tempting(request)), finish: 'content_filter' }),
  'prose without an outcome': () => ({ text: 'I wonder what the kiln is up to.' }),
}

/** A call like any other, again and again; over a schema, the decision to make it. */
export const stubborn: Misbehaviour = (request, n) =>
  offersTools(request) ? called(n, tempting(request)) : { text: '{}' }

/** As sane as the given model for so many answers, then as bad as told for ever. */
export function spoilt(sane: ChatModel, from: number, misbehave: Misbehaviour): ChatModel {
  let answers = 0
  return {
    name: sane.name,
    complete(request) {
      const ordinal = answers++
      return ordinal < from ? sane.complete(request) : Promise.resolve(bad(misbehave(request, ordinal)))
    },
  }
}

function bad(answer: Answer): Completion {
  const usage = { promptTokens: 100, completionTokens: 10, cachedTokens: 0, counted: true }
  return { text: null, toolCalls: [], finish: 'stop', usage, retries: 0, realMs: 0, unparsed: [], ...answer }
}
