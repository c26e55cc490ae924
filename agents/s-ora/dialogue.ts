import type { z } from 'zod'
import { correction, readObject, repaired, said, whole } from '../../harness/kit/index.js'
import type { Answered, Malformed, Mend } from '../../harness/kit/index.js'
import type { Message, ModelAnswer, ModelRequest, ToolSpec } from '../../harness/contract/index.js'
import type { Activity, Agent, Thinking } from './activity.js'
import { rank } from './catalogue.js'
import { lookAgain } from './perception.js'
import { diverts, mayDivert } from './progress.js'
import type { Form } from './schemas.js'

/** A usable value, or what is wrong with the answer, in words that help to correct it. */
export type Read<T> = { kind: 'value'; value: T; mends: Mend[] } | Malformed
export type Conclusion<T> = { kind: 'value'; value: T } | { kind: 'diverted' } | { kind: 'failed'; reason: string }

export interface Question<T> {
  phase: Thinking
  compose(): Promise<Message[]>
  /** The action client gets tools, the reasoning client a schema, nobody both (thesis 7.5.1). */
  offer: { tools: readonly ToolSpec[] } | { form: Form<z.ZodObject> }
  read(answer: Answered): Read<T>
}

/**
 * Asks until the answer can be used, or the budget of those that cannot is spent, with the guard before each call. Where
 * a signal may abort the call, what was said until then is lost and paid for.
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
    phase !== 'decision' &&
    phase !== 'observation' &&
    phase !== 'result' &&
    (phase !== 'completed' || context.params.guardReflection)
  const canAbort = context.params.interrupt === 'abort' && (guarded || phase === 'observation')
  for (;;) {
    await lookAgain(activity, agent, guarded)
    if (guarded && (await diverts(activity, agent, phase)) !== null) return { kind: 'diverted' }
    await rank(activity, agent)
    const messages = [...(await question.compose()), ...corrections]
    const abortable = canAbort && mayDivert(activity, agent)
    if (abortable) news.reset()
    const asked = { phase, activity: activityId, messages, ...offer, ...(abortable && { interrupt: news }) }
    const answer = await context.model.ask(asked)
    if (answer.status === 'interrupted' && abortable) {
      if ((await diverts(activity, agent, phase)) !== null) return { kind: 'diverted' }
      // A doorbell that brought nothing the activity hears: the question is put again.
      activity.diversions += 1
      continue
    }
    const read = readAnswer(answer, question)
    if (read.kind === 'value') {
      // Of a call the world has still to say whether it is of use.
      if (phase !== 'action' && phase !== 'decision') agent.budget.earn()
      if (read.mends.length > 0) context.note(activityId, repaired(read.mends))
      return { kind: 'value', value: read.value }
    }
    const retry = agent.budget.spend()
    context.note(activityId, { kind: 'malformed', what: read.what, detail: read.detail, retry })
    if (!retry) return { kind: 'failed', reason: read.detail }
    corrections.push(...said(answer), ...corrected(answer, read.detail))
  }
}

/** Reads JSON of a schema; `check` says what else is wrong with it, if anything. */
export function readJson<S extends z.ZodObject>(
  { schema, json }: Form<S>,
  check: (value: z.output<S>) => { what: string; detail: string } | null = () => null,
): (answer: Answered) => Read<z.output<S>> {
  return ({ text }) => {
    const read = readObject(text ?? '', json)
    if (read === null) return malformed('not_json', 'The answer is not one JSON object.')
    const parsed = schema.safeParse(read.value)
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      return malformed('schema', `The answer does not fit its schema. ${issues.join('; ')}`)
    }
    const wrong = check(parsed.data)
    return wrong === null ? { kind: 'value', value: parsed.data, mends: read.mends } : { kind: 'malformed', ...wrong }
  }
}

const malformed = (what: string, detail: string): Malformed => ({ kind: 'malformed', what, detail })

function readAnswer<T>(answer: ModelAnswer, question: Question<T>): Read<T> {
  const complete = whole(answer)
  return 'kind' in complete ? complete : question.read(complete)
}

function offerOf<T>({ offer }: Question<T>): Pick<ModelRequest, 'tools' | 'schema'> {
  return 'tools' in offer ? offer : { schema: { name: offer.form.name, schema: offer.form.json } }
}

/** The last word is the task's, whether or not calls had to be answered before it. */
function corrected(answer: ModelAnswer, detail: string): Message[] {
  return correction(answer, `${detail} Nothing was carried out. Answer again, as TASK asks.`)
}
