import pLimit from 'p-limit'
import { RunStopped } from '../contract/index.js'
import type { Metric, Trace, TrialIdentity, TrialLine } from '../contract/index.js'
import { measure } from '../metrics/measure.js'
import { rerouted } from '../model/chat.js'
import type { ChatModel } from '../model/chat.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { parseThinking } from '../model/thinking.js'
import { behaviourOf } from '../trace/algebra/behaviour.js'
import type { Deck } from '../model/tape.js'
import type { Person } from '../trial/team.js'
import { freshMemory } from '../trial/memory.js'
import { runTrial } from '../trial/trial.js'
import { openMemories } from './memories.js'
import type { Definitions, Plan } from './plan.js'
import type { Recording } from './recording.js'
import type { RunWriter } from './writer.js'

export interface RunOptions {
  definitions: Definitions
  metrics: Metric[]
  chats: ReadonlyMap<string, ChatModel>
  /** For agents that use them. */
  embeddings?: EmbeddingModels
  /** For agents that ask one. */
  person?: Person
  writer: RunWriter
  /** Where calls are recorded, or come from. */
  recording?: Recording
  /** Trials of real models in flight at once. Simulated ones take turns: they wait for nothing. */
  concurrency: number
  signal: AbortSignal
  onTrial: (line: TrialLine) => void
}

/** How a run went: trials that were stored, whether some are left after an interruption, and what stopped it (a sentence). */
export interface RunEnd {
  done: number
  interrupted: boolean
  stopped: string | null
}

/**
 * Runs the trials of a plan that are not done, and stores each as it ends. A trial that remembers others waits for them.
 * An abort lets those in flight end, and starts no other; so does a result that cannot be stored, which is thrown then.
 * A `RunStopped` ends those in flight at their next call, and they are not stored.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunEnd> {
  const limit = pLimit(options.concurrency)
  const isOffline = options.recording?.isOffline ?? false
  const memories = await openMemories(plan.trials, options.definitions, options.writer, isOffline)
  let done = 0
  const failures: unknown[] = []
  const stop: Stop = { reason: null }
  const run = async (identity: TrialIdentity): Promise<void> => {
    if (options.signal.aborted || failures.length > 0 || stop.reason !== null) return
    await play(identity).catch((error: unknown) => failures.push(error))
  }
  const play = async (identity: TrialIdentity): Promise<void> => {
    const began = process.hrtime.bigint()
    const deck = options.recording?.deck(identity)
    const recalled = isOffline ? (deck?.tape.given ?? null) : null
    const memory = recalled === null ? memories.give(identity) : freshMemory(recalled)
    if (deck !== undefined) deck.tape.given = memory.given
    const parts = stoppable(taped(partsOf(identity, options), deck), stop)
    const trace = await runTrial(identity, { ...parts, memory })
    if (parts.isCut()) return
    const line = lineOf(identity, trace, options.metrics)
    memories.take(identity, memory, line.outcome !== 'infrastructure_error')
    const wallMs = Number(process.hrtime.bigint() - began) / 1e6
    if (deck !== undefined) options.recording?.store(line, deck, wallMs)
    options.writer.append(line, trace, wallMs)
    done++
    options.onTrial(line)
    // Lets signals and the progress line in between trials that never wait.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const open = plan.trials.filter(({ id }) => !options.writer.done.has(id))
  const ended = new Map<string, Promise<void>>()
  for (const identity of open) {
    const previous = ended.get(memories.before(identity)?.id ?? '')
    ended.set(identity.id, previous === undefined ? limit(run, identity) : previous.then(() => limit(run, identity)))
  }
  try {
    await Promise.all(ended.values())
  } finally {
    memories.close()
  }
  if (failures.length > 0) throw failures[0]
  options.writer.arrange(plan.trials)
  options.recording?.arrange(plan.trials)
  return { done, interrupted: options.signal.aborted && done < open.length, stopped: stop.reason?.message ?? null }
}

function partsOf(identity: TrialIdentity, options: RunOptions): Parameters<typeof runTrial>[1] {
  const { agents, environments } = options.definitions
  const agent = agents.get(identity.agent)
  const environment = environments.get(identity.scenario.environment)
  const chat = identity.model === null ? null : options.chats.get(identity.model)
  if (agent === undefined || environment === undefined || chat === undefined)
    throw new Error(`Parts of ${identity.id} are missing.`)
  const { embeddings, person } = options
  const thinking = parseThinking(identity.thinking)
  return { agent, environment, chat, thinking, ...(embeddings && { embeddings }), ...(person && { person }) }
}

function taped(parts: ReturnType<typeof partsOf>, deck: Deck | undefined): typeof parts {
  if (deck === undefined) return parts
  const { chat, embeddings } = parts
  return { ...parts, chat: chat && deck.chat(chat), ...(embeddings && { embeddings: deck.embeddings(embeddings) }) }
}

/** What stopped a run; null: nothing did. */
interface Stop {
  reason: RunStopped | null
}

/** The parts of a trial whose calls are refused once its run has stopped; `isCut`: one was. */
function stoppable(parts: ReturnType<typeof partsOf>, stop: Stop) {
  let cut = false
  const unless = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      if (stop.reason !== null) throw stop.reason
      return await ask()
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error
      stop.reason ??= error
      cut = true
      throw error
    }
  }
  const { chat, embeddings } = parts
  return {
    ...parts,
    chat: chat && rerouted(chat, (model, asked) => unless(() => model.complete(asked))),
    ...(embeddings && {
      embeddings: (name: string) => ({
        name,
        embed: (texts: readonly string[]) => unless(() => embeddings(name).embed(texts)),
      }),
    }),
    isCut: () => cut,
  }
}

/** Trace → line. */
export function lineOf(identity: TrialIdentity, trace: Trace, metrics: Metric[]): TrialLine {
  const verdict = trace.findLast((record) => record.kind === 'verdict')
  const error = trace.findLast((record) => record.kind === 'error')
  return {
    version: 1,
    identity,
    outcome: verdict?.kind === 'verdict' ? verdict.outcome : 'infrastructure_error',
    metrics: measure(trace, metrics),
    behaviour: behaviourOf(trace),
    error: error?.kind === 'error' ? (error.message.split('\n')[0] ?? '') : null,
  }
}
