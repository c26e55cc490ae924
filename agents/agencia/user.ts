import { z } from '../../harness/contract/index.js'

/** Whom a template may ask. A client of MCP that elicits would be another. */
export interface User {
  /** Null: no answer came. It is asked while the activity is suspended; how long that lasts is the user's affair. */
  ask(question: string, choices: readonly string[]): Promise<string | null>
}

export interface ScriptedAnswer {
  /** Words of the question that it answers. */
  to: string
  answer: string
  afterMs: number
}

const answersSchema = z.array(
  z.strictObject({
    to: z.string().describe('Words of the question that it answers; empty: any question'),
    answer: z.string(),
    afterMs: z.number().min(0).max(86_400_000).default(0),
  }),
)

/** Answers as a suite states them, and what is wrong with them. */
export function readAnswers(text: string): { answers: readonly ScriptedAnswer[] } | { wrong: string } {
  let source: unknown
  try {
    source = JSON.parse(text)
  } catch {
    return { wrong: 'it is no JSON array of {"to", "answer", "afterMs"}' }
  }
  const read = answersSchema.safeParse(source)
  if (read.success) return { answers: read.data }
  const [issue] = read.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
  return { wrong: `${place}${issue?.message ?? 'they do not fit'}` }
}

/** A user who answers from a list, after a delay; to whom nothing fits says nothing until the time-out. */
export function scriptedUser(options: {
  answers: readonly ScriptedAnswer[]
  timeoutMs: number
  pause: (delayMs: number) => Promise<void>
}): User {
  const { answers, timeoutMs, pause } = options
  return {
    async ask(question) {
      const scripted = answers.find(({ to }) => question.includes(to))
      const inTime = scripted !== undefined && scripted.afterMs <= timeoutMs
      await pause(inTime ? scripted.afterMs : timeoutMs)
      return inTime ? scripted.answer : null
    },
  }
}
