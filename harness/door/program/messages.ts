import { z } from 'zod'
import { parseJson } from '../../kit/index.js'
import type { Claim, Happening, JsonObject, Surface } from '../../contract/index.js'
import type { Piece } from './child.js'

/** Raised when a message changes its meaning: the first line tells it to the program. */
export const CONTRACT_VERSION = 1

/** What the harness writes, one JSON object a line (docs/agents-of-your-own.md). */
export type ToProgram =
  | {
      type: 'hello'
      version: number
      agent: string
      role: string
      surface: Surface
      params: JsonObject
      /** For whatever the program draws. */
      seed: number
      /** How many ms of the world pass in one ms of real time. */
      speed: number
      limits: { virtualMs: number; operations: number }
    }
  /** A goal has arrived, with an MCP session of its own. */
  | { type: 'goal'; goal: number; text: string; role: string; url: string }
  /** All goals are settled: nothing more is heard, and the program should end. */
  | { type: 'end' }

const tokens = z.int().min(0).max(1_000_000_000)

/** What a program may write. */
const fromProgram = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('claim'),
    goal: z.int().min(0),
    claim: z.enum(['achieved', 'gave_up']),
    text: z.string().max(10_000).default(''),
  }),
  /** What was used since the last such line. */
  z.strictObject({
    type: z.literal('usage'),
    promptTokens: tokens,
    completionTokens: tokens,
    calls: tokens.default(0),
  }),
  z.strictObject({ type: z.literal('note'), text: z.string().max(10_000) }),
])
type FromProgram = z.output<typeof fromProgram>

/** A line of the program, or why it is no message. */
export function readMessage(line: string): FromProgram | { type: 'unreadable'; why: string } {
  const data = parseJson(line)
  if (data === undefined) return { type: 'unreadable', why: 'The line is no JSON' }
  const parsed = fromProgram.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return { type: 'unreadable', why: `The line is no message: ${where}${issue?.message ?? ''}` }
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i
const MIN_LENGTH = 8

/** Takes out the values of variables that are named like secrets: a program inherits them, and may print them. */
export function withoutSecrets(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= MIN_LENGTH ? [value] : [],
  )
  return values.reduce((clean, value) => clean.replaceAll(value, '(hidden)'), text)
}

const MAX_UNREADABLE = 100
const MAX_TEXT = 1_000

/** Reads what a program writes; none of it is trusted. */
export function createProgramOutput(parts: {
  agent: string
  record: (happening: Happening) => void
  /** Returns why the claim means nothing, or null. */
  claim: (goal: number, claim: Claim, text: string) => string | null
}) {
  const { agent, record } = parts
  let unreadable = 0

  /** A text of the program as a trace may hold it; `tail`: rather its end. */
  function clipped(text: string, part: 'head' | 'tail' = 'head'): string {
    const clean = withoutSecrets(text, process.env)
    if (clean.length <= MAX_TEXT) return clean
    return part === 'head' ? `${clean.slice(0, MAX_TEXT)} …` : `… ${clean.slice(-MAX_TEXT)}`
  }

  /** Noted like a model's answer that cannot be carried out. */
  function complain(why: string, text: string): void {
    unreadable += 1
    record({
      kind: 'malformed',
      what: 'line',
      detail: clipped(text === '' ? `${why}.` : `${why}: ${text}`),
      retry: false,
    })
    if (unreadable >= MAX_UNREADABLE)
      throw new Error(`The program of ${agent} wrote ${unreadable} lines that mean nothing. The last: ${clipped(why)}.`)
  }

  function act(message: FromProgram): void {
    switch (message.type) {
      case 'note':
        return record({ kind: 'program', what: 'note', text: clipped(message.text) })
      case 'usage': {
        const { type: _type, ...usage } = message
        return record({ kind: 'reported', ...usage })
      }
      case 'claim': {
        const refusal = parts.claim(message.goal, message.claim, clipped(message.text))
        if (refusal !== null) complain(refusal, message.text)
      }
    }
  }

  return {
    clipped,
    /** Throws where the program is no agent: it floods, or means nothing. */
    take(piece: Piece): void {
      if (piece.kind === 'flood') throw new Error(`The program of ${agent} wrote more than a trial takes.`)
      if (piece.kind === 'long') return complain('A line is too long', '')
      const message = readMessage(piece.text)
      if (message.type === 'unreadable') complain(message.why, piece.text)
      else act(message)
    },
  }
}
