import type { z } from 'zod'
import { lines } from '../../harness/kit/index.js'
import type { Message, ModelAnswer, ModelRequest, ToolSpec } from '../../harness/contract/index.js'
import { remember } from './activity.js'
import type { Activity, Agent, Thinking } from './activity.js'
import { diverts, mayDivert } from './progress.js'
import type { Form } from './schemas.js'

type Answered = Extract<ModelAnswer, { status: 'answered' }>
/** A usable value, or what is wrong with the answer, in words that help to correct it. */
export type Read<T> = { ok: true; value: T } | { ok: false; what: string; detail: string }
export type Conclusion<T> = { kind: 'value'; value: T } | { kind: 'diverted' } | { kind: 'failed'; reason: string }

export interface Question<T> {
  phase: Thinking
  compose(): Promise<Message[]>
  /** The action client gets tools, the reasoning client a schema, nobody both (thesis 7.5.1). */
  offer: { tools: readonly ToolSpec[] } | { form: Form<z.ZodObject> }
  read(answer: Answered): Read<T>
}

/**
 * Asks until the answer can be used, with the guard before each call and at most `retries` corrections. Where a signal
 * may abort the call, what was said until then is lost and paid for.
 */
export async function converse<T>(activity: Activity, agent: Agent, question: Question<T>): Promise<Conclusion<T>> {
  const { context } = agent
  const { phase } = question
  const activityId = activity.door.uuid
  const offer = offerOf(question)
  const corrections: Message[] = []
  const { news } = activity.door
  // A result has come already: it is taken in before anything else.
  const guarded =
    phase !== 'observation' && phase !== 'result' && (phase !== 'completed' || context.params.guardReflection)
  const canAbort = context.params.interrupt === 'abort' && (guarded || phase === 'observation')
  for (let attempt = 0; ; attempt++) {
    if (guarded && (await diverts(activity, agent, phase))) return { kind: 'diverted' }
    const messages = [...(await question.compose()), ...corrections]
    const abortable = canAbort && mayDivert(activity, agent)
    if (abortable) news.reset()
    const asked = { phase, activity: activityId, messages, ...offer, ...(abortable && { interrupt: news }) }
    const answer = await context.model.ask(asked)
    if (answer.status === 'interrupted' && abortable) {
      if (await diverts(activity, agent, phase)) return { kind: 'diverted' }
      // A doorbell that brought nothing the activity hears: the question is put again.
      activity.diversions += 1
      attempt -= 1
      continue
    }
    const read = readAnswer(answer, question)
    if (read.ok) return { kind: 'value', value: read.value }
    const retry = attempt < context.params.retries
    context.note(activityId, { kind: 'malformed', what: read.what, detail: read.detail, retry })
    if (!retry) {
      // Else the next phase would put the very question again that has failed.
      const at = context.now()
      remember(activity, at, [lines.failure.write({ error: read.detail, at })])
      return { kind: 'failed', reason: read.detail }
    }
    corrections.push(...correction(answer, read.detail))
  }
}

/** Reads JSON of a schema; `check` says what else is wrong with it, if anything. */
export function readJson<S extends z.ZodObject>(
  { schema }: Form<S>,
  check: (value: z.output<S>) => { what: string; detail: string } | null = () => null,
): (answer: Answered) => Read<z.output<S>> {
  return ({ text }) => {
    const json = parse(text ?? '')
    if (json === undefined) return { ok: false, what: 'not_json', detail: 'The answer is not one JSON value.' }
    const parsed = schema.safeParse(json)
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      return { ok: false, what: 'schema', detail: `The answer does not fit its schema. ${issues.join('; ')}` }
    }
    const wrong = check(parsed.data)
    return wrong === null ? { ok: true, value: parsed.data } : { ok: false, ...wrong }
  }
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readAnswer<T>(answer: ModelAnswer, question: Question<T>): Read<T> {
  if (answer.status === 'interrupted') return { ok: false, what: 'interrupted', detail: 'The answer was interrupted.' }
  if (answer.finish !== 'stop' && answer.finish !== 'tool_calls') {
    return { ok: false, what: answer.finish, detail: `The answer ended early (${answer.finish}).` }
  }
  return question.read(answer)
}

function offerOf<T>({ offer }: Question<T>): Pick<ModelRequest, 'tools' | 'schema'> {
  return 'tools' in offer ? offer : { schema: { name: offer.form.name, schema: offer.form.json } }
}

/** Every tool call needs its answer, else endpoints refuse the conversation. */
function correction(answer: ModelAnswer, detail: string): Message[] {
  const again: Message = { role: 'user', content: `${detail} Nothing was carried out. Answer again, as TASK asks.` }
  if (answer.status === 'interrupted') return [again]
  if (answer.toolCalls.length === 0) {
    return answer.text === null || answer.text === '' ? [again] : [{ role: 'assistant', content: answer.text }, again]
  }
  const calls = answer.toolCalls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }))
  const refusals = calls.map(({ id }): Message => ({
    role: 'tool',
    tool_call_id: id,
    content: JSON.stringify({ error: detail }),
  }))
  return [{ role: 'assistant', content: answer.text, tool_calls: calls }, ...refusals]
}
