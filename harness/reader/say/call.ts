import type { JsonObject, WaitCondition } from '../../contract/index.js'
import { outcomeLine } from '../../kit/index.js'
import type { Offered } from '../read/request.js'
import type { Intent } from '../think/intent.js'
import { prose } from './prose.js'

/** An answer as Chat Completions carries it. */
export interface Answer {
  content: string | null
  call: { name: string; arguments: string } | null
}

/** An intent over function calling: one call with a thought beside it, or a text that ends. */
export function renderCall(intent: Intent, offer: readonly Offered[]): Answer {
  if (intent.do === 'claim') return { content: ending(intent.achieved), call: null }
  const call = callFor(intent, offer) ?? callFor({ do: 'decline' }, offer)
  const content = prose(call === null ? 'decline' : intent.do, 'thought')
  return { content, call: call === null ? null : { name: call.name, arguments: JSON.stringify(call.args) } }
}

/** Texts that end say how on their last line. */
function ending(achieved: boolean): string {
  const opening = achieved ? 'The goal is achieved.' : 'The goal cannot be achieved with what is known and offered.'
  return `${opening} ${prose('claim', 'thought')}\n${outcomeLine(achieved ? 'achieved' : 'gave_up')}`
}

function callFor(intent: Intent, offer: readonly Offered[]): { name: string; args: JsonObject } | null {
  if (intent.do === 'operate') {
    const able = offer.filter(
      (each) => each.verb === 'operate' && each.actions.some(({ name }) => name === intent.action),
    )
    const tool = able.find(({ name }) => name === intent.tool) ?? able[0]
    if (tool === undefined) return null
    const wait = tool.verb === 'operate' && tool.waits ? waitOf(intent.wait) : null
    return { name: tool.name, args: { action: intent.action, ...intent.args, ...(wait !== null && { wait }) } }
  }
  const tool = offer.find(({ verb }) => verb === intent.do)
  if (tool === undefined || tool.verb === 'operate') return null
  return { name: tool.name, args: argumentsOf(intent, tool.parameters) }
}

function waitOf(wait: WaitCondition | null): JsonObject | null {
  if (wait === null) return null
  const { signals, when, timeoutMs } = wait
  return { signals, ...(when === null ? {} : { when: { ...when } }), timeoutMs }
}

/** Arguments by the names of docs/wire.md; where a tool calls its one argument otherwise, by that. */
function argumentsOf(intent: Exclude<Intent, { do: 'operate' }>, parameters: JsonObject): JsonObject {
  const only = Object.keys(parameters)[0]
  const named = (name: string) => (Object.hasOwn(parameters, name) ? name : (only ?? name))
  switch (intent.do) {
    case 'read':
      return { [named('document')]: intent.document }
    case 'mount':
      return { documents: intent.documents, focus: intent.focus }
    case 'focus':
    case 'observe':
      return { [named('tools')]: intent.tools }
    case 'sleep':
      return { [named('ms')]: intent.ms }
    case 'wait':
      return waitOf(intent) ?? {}
    case 'decline':
      return { [named('reason')]: prose('decline', 'summary') }
    case 'discover':
    case 'claim':
      break
  }
  return {}
}
