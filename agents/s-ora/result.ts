import { prompt } from '../../harness/kit/index.js'
import type { CallResult, JsonObject, WaitCondition } from '../../harness/contract/index.js'
import { remember } from './activity.js'
import type { Activity, Agent } from './activity.js'
import { converse, readJson } from './dialogue.js'
import { perceive } from './perception.js'
import {
  catalogueSection,
  compose,
  documentsSection,
  historySection,
  planSection,
  variablesSection,
} from './prompts.js'
import * as schemas from './schemas.js'
import { isDocument } from './semantic-memory.js'
import { conditionOf } from './wait.js'

interface Called {
  result: CallResult
  args: JsonObject
}

/**
 * Takes in what a call brought. The runtime does so by itself, word for word; where parameters leave the wait, or a
 * document's text, to a second look of the model, that is one call more, and what it does not say is not known. `failed`:
 * the budget of answers that cannot be used is spent.
 */
export async function takeIn(
  activity: Activity,
  agent: Agent,
  called: Called,
): Promise<WaitCondition | 'failed' | null> {
  const { memory } = activity
  const { result, args } = called
  const asked = askedOf(agent, called)
  if (!asked.wait && !asked.document) {
    remember(activity, result.at, [memory.learn(result, args)])
    keepMounted(activity, agent)
    if (result.kind === 'document' || result.kind === 'catalogue') agent.memory.read()
    return null
  }
  if (!asked.document) remember(activity, result.at, [memory.learn(result, args)])
  const form = schemas.result(asked)
  const reply = await converse(activity, agent, {
    phase: 'result',
    offer: { form },
    read: readJson(form),
    async compose() {
      await perceive(activity, agent)
      return compose('result', activity, agent, [
        documentsSection(activity),
        // Else nobody could tell what must be waited for from what has not been read.
        catalogueSection(activity),
        planSection(activity),
        variablesSection(activity, agent),
        historySection(activity, agent.context.params.window),
        prompt.section('RESULT', result.text),
      ])
    },
  })
  if (asked.document) {
    const retyped = reply.kind === 'value' ? reply.value.document : null
    // A document that nobody retyped was seen once, and is lost.
    const line =
      retyped === null
        ? prompt.fact({ lost: args['document'] ?? null, at: result.at })
        : memory.learn(result, args, retyped)
    remember(activity, result.at, [line])
  }
  keepMounted(activity, agent)
  if (result.kind === 'document' || result.kind === 'catalogue') agent.memory.read()
  if (reply.kind === 'failed') return 'failed'
  return reply.kind === 'value' ? conditionOf({ wait: reply.value.suspend }) : null
}

/** Without SETUP, what was read stays in the prompt. */
export function keepMounted({ mounted, memory }: Activity, { context }: Agent): void {
  if (context.params.situating === 'calls') for (const id of memory.texts()) mounted.add(id)
}

function askedOf({ context }: Agent, { result, args }: Called): { wait: boolean; document: boolean } {
  const { waitDecided, retypedDocuments } = context.params
  const document = args['document']
  return {
    wait: waitDecided === 'after' && (result.outcome === 'accepted' || result.outcome === 'read'),
    document: retypedDocuments && typeof document === 'string' && isDocument(result, document),
  }
}
