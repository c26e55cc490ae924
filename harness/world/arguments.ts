import { z } from 'zod'
import type { JsonObject } from '../define/index.js'

/** Shared: to make a schema costs more than to run an operation. */
export const NO_ARGUMENTS = z.strictObject({})

export type Parsed<A> = { ok: true; args: A } | { ok: false; message: string }

/** Arguments of one operation: strict, and what is wrong is said in one sentence. */
export function parseArguments(schema: z.ZodType, known: string[], args: JsonObject): Parsed<unknown> {
  const stranger = Object.keys(args).find((name) => !known.includes(name))
  if (stranger !== undefined) {
    const expected = known.length === 0 ? 'It takes none.' : `Known: ${known.join(', ')}.`
    return { ok: false, message: `There is no argument ${quoted(stranger)}. ${expected}` }
  }
  const result = schema.safeParse(args, { jitless: true })
  if (result.success) return { ok: true, args: result.data }
  const [issue] = result.error.issues
  return { ok: false, message: issue === undefined ? 'The arguments are invalid.' : complaint(issue, args) }
}

function complaint(issue: z.core.$ZodIssue, args: JsonObject): string {
  const [name] = issue.path
  const what = issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '')
  if (name === undefined) return `The arguments are invalid: ${what}.`
  const path = issue.path.map(String).join('.')
  if (args[String(name)] === undefined) return `Argument ${quoted(path)} is missing: ${what}.`
  return `Argument ${quoted(path)} is invalid: ${what}.`
}

/** What a caller wrote, kept short and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
