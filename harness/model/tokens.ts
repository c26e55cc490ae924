import { createRequire } from 'node:module'
import type { Message } from '../contract/index.js'

/**
 * A bounded map by text, of at most `2 × generation` entries. What was used since the last turn of generations survives
 * the next.
 */
export function createTextCache<V>(generation: number) {
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  return {
    get(text: string, make: (text: string) => V): V {
      const hit = young.get(text)
      if (hit !== undefined) return hit
      const found = old.get(text)
      const value = found ?? make(text)
      if (young.size >= generation) {
        old = young
        young = new Map()
      }
      // A slice would keep the whole prompt that it was cut from alive.
      young.set(detached(text), value)
      return value
    },
  }
}

const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

type Encoder = Pick<typeof import('gpt-tokenizer/encoding/o200k_base'), 'countTokens'> & { pieces: RegExp }

/** A text of a world may hold what looks like a special token; it is text all the same. */
const PLAIN = { disallowedSpecial: new Set<string>() }
/** What Chat Completions adds around each message, its role included, and before the answer. */
const PER_MESSAGE = 4
const BEFORE_ANSWER = 3

const require = createRequire(import.meta.url)
const lines = createTextCache<number>(10_000)
/** Most sections of a prompt come again as they were. */
const paragraphs = createTextCache<number>(1_000)
/** What stood in the prompt before: rules, answers, results, tools. What a user says is new, or short. */
const contents = createTextCache<number>(500)
let encoder: Encoder | null = null

/** Loading the ranks takes longer than starting the rest; who counts nothing does not wait for it. */
function load(): Encoder {
  const { countTokens: count }: Encoder = require('gpt-tokenizer/encoding/o200k_base')
  const {
    O200K_TOKEN_SPLIT_REGEX: pieces,
  }: { O200K_TOKEN_SPLIT_REGEX: RegExp } = require('gpt-tokenizer/encodingParams/constants')
  return { countTokens: count, pieces }
}

/** A piece of more than 257 characters holds one of these. */
const LONG_RUN = /\S{128}|[\s/]{128}/u
const PARTS = /[^]{1,256}/gu

/**
 * The tokenizer splits a text into pieces (words, signs, white space), and its time is quadratic in the length of a
 * piece. One of more than 256 characters is therefore counted in parts of 256, which may give a token more a part than
 * the plain tokenizer; no text of words has such a piece.
 */
function encode(text: string): number {
  encoder ??= load()
  const { countTokens: count, pieces } = encoder
  if (text.length <= 256 || !LONG_RUN.test(text)) return count(text, PLAIN)
  const parts = [...text.matchAll(pieces)].flatMap(([piece]) =>
    piece.length <= 256 ? [piece] : (piece.match(PARTS) ?? []),
  )
  return parts.reduce((sum, part) => sum + count(part, PLAIN), 0)
}

/**
 * Tokens of o200k. Those of the plain tokenizer: a paragraph or a line is counted by itself only where no token can reach
 * over its end, and then remembered, so that a growing prompt costs what is new in it.
 */
export const countTokens = (text: string): number => countBy(text, '\n\n', countParagraph)

function countParagraph(text: string): number {
  const first = text.indexOf('\n')
  return first === -1 || first >= text.length - 2 ? countLines(text) : paragraphs.get(text, countLines)
}

const countLines = (text: string): number => countBy(text, '\n', countLine)
const countLine = (text: string): number => lines.get(text, encode)

function countBy(text: string, end: string, count: (part: string) => number): number {
  let sum = 0
  let start = 0
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) {
    const next = at + end.length
    if (!separates(text, next)) continue
    sum += count(text.slice(start, next))
    start = next
  }
  return start < text.length ? sum + count(text.slice(start)) : sum
}

/** The split pattern of o200k lets only white space and slashes follow a line's end within a token. */
function separates(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 0x7f) return !/\s/u.test(text.charAt(at))
  return code > 0x20 && code !== 0x2f
}

/**
 * Tokens of a request as it goes over the wire. Messages are counted as OpenAI's cookbook does; tools and schema, whose
 * rendering no endpoint publishes, as their JSON.
 */
export function countPrompt(messages: readonly Message[], tools?: unknown, schema?: unknown): number {
  const said = messages.reduce((sum, message) => sum + countMessage(message), BEFORE_ANSWER)
  return said + countJson(tools) + countJson(schema)
}

export function countMessage(message: Message): number {
  const content = message.content ?? ''
  const count = PER_MESSAGE + (message.role === 'user' ? countTokens(content) : contents.get(content, countTokens))
  const calls = 'tool_calls' in message ? (message.tool_calls ?? []) : []
  return calls.reduce((sum, { function: called }) => sum + countCall(called), count)
}

/** Tokens of an answer. */
export function countAnswer(answer: {
  text: string | null
  toolCalls: readonly { name: string; arguments: string }[]
}): number {
  return answer.toolCalls.reduce((sum, call) => sum + countCall(call), countTokens(answer.text ?? ''))
}

const countCall = (call: { name: string; arguments: string }): number =>
  countTokens(call.name) + countTokens(call.arguments)

export const countJson = (value: unknown): number =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    ? 0
    : contents.get(JSON.stringify(value), countTokens)
