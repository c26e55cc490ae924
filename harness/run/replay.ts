import { UserError } from '../define/index.js'
import type { Agent, Environment, Trace, TraceRecord, TrialIdentity } from '../define/index.js'
import type { Miss } from '../model/record-miss.js'
import { recordedModel } from '../model/recorded.js'
import { recordedEmbeddings } from '../model/recorded-embeddings.js'
import { parseThinking } from '../model/thinking.js'
import { clean } from '../trace/text.js'
import { firstDivergence, valueText } from './divergence.js'
import type { Divergence } from './divergence.js'
import { freshMemory, givenIn } from './memory.js'
import { parseParams } from './params.js'
import { parseWorldParams } from './world-params.js'
import { runTrial } from './trial.js'

/** A trial's agent and environment as they are today. */
export interface Definition {
  agent: Agent
  environment: Environment
}

/** A trial played again from its record. */
export interface Replay {
  identity: TrialIdentity
  trace: TraceRecord[]
  /** Null: every record is the recorded one. */
  divergence: Divergence | null
  /** A sentence where agent or environment have another version by now. */
  versions: string | null
}

/** The identity that a trace begins with; it alone decides what is played. */
export function identityOf(trace: Trace): TrialIdentity {
  const [first] = trace
  if (first?.kind !== 'trial')
    throw new UserError('The trace does not begin with its trial, so it cannot be played again.')
  if (first.identity.clock !== 'virtual') {
    throw new UserError(
      `"${clean(first.identity.id)}" ran on the ${first.identity.clock} clock: only virtual time comes back.`,
    )
  }
  return first.identity
}

/** Plays a trial again with the agent and environment of today and the answers of its record, and compares. */
export async function replayTrial(recorded: Trace, { agent, environment }: Definition): Promise<Replay> {
  const told = identityOf(recorded)
  // A parameter that came into the schema since then takes its default, and shows as a difference of the first record.
  const identity = {
    ...told,
    scenario: { ...told.scenario, params: parseWorldParams(environment, told.scenario.params) },
    agentParams: parseParams(agent.name, agent.params, told.agentParams),
  }
  const chat = identity.model === null ? null : recordedModel(recorded)
  const memory = freshMemory(givenIn(recorded))
  const thinking = parseThinking(identity.thinking)
  const trace = await runTrial(identity, {
    agent,
    environment,
    chat,
    thinking,
    memory,
    embeddings: recordedEmbeddings(recorded),
  })
  const divergence = firstDivergence(recorded, trace)
  const asks = [recorded, trace].some((records) => isAsking(records[divergence?.n ?? -1]))
  const miss = asks ? (chat?.miss?.miss ?? null) : null
  return {
    identity: told,
    trace,
    divergence: divergence === null || miss === null ? divergence : explained(divergence, miss),
    versions: versionsSince(told, { agent, environment }),
  }
}

const isAsking = (record: TraceRecord | undefined): boolean => record?.kind === 'text' || record?.kind === 'request'

/** Which message of which call a text belongs to says more than the text alone. */
function explained(divergence: Divergence, { part, recorded, now, sentence }: Miss): Divergence {
  const lines = part === null ? {} : { recorded: valueText(recorded ?? undefined), now: valueText(now ?? undefined) }
  return { ...divergence, ...lines, sentence: `${divergence.sentence} ${clean(sentence)}` }
}

/** A sentence where agent or environment are not of the version that wrote the trace; else null. */
export function versionsSince(
  { agentVersion, scenario }: TrialIdentity,
  { agent, environment }: Definition,
): string | null {
  const changes = [
    [agent.name, agentVersion, agent.version],
    [environment.name, scenario.environmentVersion, environment.version],
  ].filter(([, then, now]) => then !== now)
  if (changes.length === 0) return null
  const list = changes.map(([name, then, now]) => `${name} ${clean(then ?? '')}, now ${now}`).join('; ')
  return `The trace was written by another version: ${list}.`
}
