import { z } from 'zod'
import type { JsonObject, Surface } from '../define/index.js'

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
export const fromProgram = z.discriminatedUnion('type', [
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
export type FromProgram = z.output<typeof fromProgram>

/** A line of the program, or why it is no message. */
export function readMessage(line: string): FromProgram | { type: 'garbage'; why: string } {
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch {
    return { type: 'garbage', why: 'The line is no JSON' }
  }
  const parsed = fromProgram.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return { type: 'garbage', why: `The line is no message: ${where}${issue?.message ?? ''}` }
}
