import { z } from 'zod'
import type { JsonSchema } from '../../harness/contract/index.js'
import type { Params } from './params.js'

/** A schema under its name, with its JSON Schema as plain data: what zod prints carries its own prototypes. */
export interface Form<S extends z.ZodObject> {
  name: string
  schema: S
  json: JsonSchema
}

const thought = z.string().describe('What you think, in a sentence or two, before you answer')

/** Every answer begins with a thought (thesis 7.5.3). It is asked for, and nobody reads it: none is no mistake. */
function form<S extends z.ZodRawShape>(name: string, shape: S): Form<z.ZodObject<S>> {
  const schema = z.object(shape)
  return { name, schema, json: jsonOf(z.object({ thought, ...shape })) }
}

function jsonOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schema)
  return JSON.parse(JSON.stringify(printed))
}

const steps = (meaning: string) => z.array(z.string()).describe(meaning)

const condition = z.object({
  signals: z.array(z.string()).describe('Names of signals; any of them ends the wait'),
  when: z
    .object({
      tool: z.string(),
      property: z.string(),
      op: z.enum(['is', 'below', 'above', 'at_least', 'at_most']),
      value: z.union([z.string(), z.number(), z.boolean()]),
    })
    .nullable()
    .describe('A condition on a property of a focused tool that ends the wait as well'),
  timeoutMs: z.number().int().min(1).nullable().describe('Ends the wait at the latest (ms); null: the default'),
})
const wait = condition.nullable()

/** The arguments of a wait that is a call, or goes with one: what is left out is none. */
export const waitCall = z.object({
  signals: condition.shape.signals.default([]),
  when: condition.shape.when.default(null),
  timeoutMs: condition.shape.timeoutMs.default(null),
})

export const observation = form('observation', {
  completed: z.boolean().describe('The activity ends: the goal is achieved or given up'),
  achieved: z.boolean().describe('The goal is achieved'),
  summary: z.string().describe('What is known now'),
  plan: steps('What remains to be done, one step each'),
})

/** What REASONING decides. Variants that offer less are read as this all the same. */
export interface Decision {
  decision: 'SETUP' | 'ACT' | 'WAIT' | 'OBSERVE'
  instruction: string
  wait: z.output<typeof wait>
}
type ReasoningForm = Form<z.ZodObject<{ [K in keyof Decision]: z.ZodType<Decision[K]> }>>

const instruction = z.string().describe('The one next step, to be carried out word for word')
const absent = z.null().default(null)

/** Variants by what they offer: their JSON is written once. */
const reasoningForms = new Map<string, ReasoningForm>()

export function reasoning({ waitAlone, waitDecided, situating }: Params): ReasoningForm {
  const decides = waitAlone && waitDecided !== 'called'
  const decisions: Decision['decision'][] = [
    ...(situating === 'setup' ? (['SETUP'] as const) : []),
    'ACT',
    ...(decides ? (['WAIT'] as const) : []),
    ...(waitAlone ? (['OBSERVE'] as const) : []),
  ]
  const begins = [
    ...(decides ? ['With WAIT: begins at once.'] : []),
    ...(waitDecided === 'ahead' ? ['With ACT: begins at the acknowledgement.'] : []),
  ]
  const key = [...decisions, ...begins].join()
  const known = reasoningForms.get(key) ?? reasoningForm(decisions, begins)
  reasoningForms.set(key, known)
  return known
}

function reasoningForm(decisions: Decision['decision'][], begins: readonly string[]): ReasoningForm {
  const decision = z.enum(decisions).describe('What comes next')
  if (begins.length > 0)
    return form('reasoning', { decision, instruction, wait: wait.describe(`${begins.join(' ')} Else null`) })
  return { ...form('reasoning', { decision, instruction }), schema: z.object({ decision, instruction, wait: absent }) }
}

/** Asked after the result of a call, where the wait is decided then or a document is retyped. */
export function result(asked: { wait: boolean; document: boolean }): Form<typeof resultReply> {
  const { json } = form('result', {
    summary: z.string().describe('What the result means'),
    ...(asked.wait && { suspend: wait.describe('Suspend until then; null: go on') }),
    ...(asked.document && { document: z.string().nullable().describe('The document of the RESULT, word for word') }),
  })
  return { name: 'result', schema: resultReply, json }
}
const resultReply = z.object({
  summary: z.string(),
  suspend: wait.default(null),
  document: z.string().nullable().default(null),
})

const setupShape = {
  mount: steps('Documents to put into the prompt'),
  unmount: steps('Documents to take out of the prompt'),
  focus: steps('Tools to observe'),
  unfocus: steps('Tools to observe no longer'),
}
const plainSetup = form('setup', setupShape)
const selectiveSetup = form('setup', {
  ...setupShape,
  focus: steps('Tools to observe; names such as tool.signal or tool.property narrow the tool to these'),
})
export const setup = ({ selectiveFocus }: Params): typeof plainSetup => (selectiveFocus ? selectiveSetup : plainSetup)

export const completed = form('completed', {
  summary: z.string().describe('What was done'),
  outcome: z.string().describe('How it ended, and why'),
  lessons: steps('What to do or to avoid another time'),
  procedure: steps('The shortest sequence of actions that works'),
})

const reason = z.object({ reason: z.string().describe('Why the instruction cannot be carried out') })
/** The arguments of a tool: what is thought stands beside a call. */
export const decline = { name: 'decline', json: jsonOf(reason) }
