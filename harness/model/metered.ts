import { hash as digest } from 'node:crypto'
import { DEFAULT_CACHE } from '../contract/index.js'
import type {
  CacheSettings,
  Clock,
  Exposure,
  Limits,
  ModelAccess,
  ModelAnswer,
  ModelRequest,
  Process,
  Random,
  Recorder,
  ThoughtLength,
  Usage,
} from '../contract/index.js'
import { ContextOverflow, countExposures, textsOf } from './chat.js'
import type { ChatModel, Completion, ReaderState } from './chat.js'
import type { Vector } from './embedding.js'
import { costOf } from './prices.js'
import { createPromptCache, partsOf } from './prompt-cache.js'
import type { PromptCache } from './prompt-cache.js'
import { chargeAborted } from './thinking.js'
import type { ThinkingPolicy } from './thinking.js'

/** What the roles of one trial share: the count of calls, what they have spent, and the texts already recorded. */
export interface Ledger {
  calls: number
  /** Prompt and completion. */
  tokens: number
  /** Null until a call with a known price has landed. */
  costUsd: number | null
  /** By model and text. */
  vectors: Map<string, Vector>
  /** What the endpoint of a simulated model has at hand. */
  cache: PromptCache
  /** The hash of a text; `onNew` is called the first time it is met. */
  pool(text: string, onNew: (hash: string) => void): string
}

/** One per trial. */
export function createLedger(cache: CacheSettings = DEFAULT_CACHE): Ledger {
  const hashes = new Map<string, string>()
  return {
    calls: 0,
    tokens: 0,
    costUsd: null,
    vectors: new Map(),
    cache: createPromptCache(cache),
    pool(text, onNew) {
      const known = hashes.get(text)
      if (known !== undefined) return known
      const made = digest('sha256', text, 'hex').slice(0, 16)
      hashes.set(text, made)
      onNew(made)
      return made
    },
  }
}

/** The budget of tokens or money that is spent, if one is. */
export function overspent({ tokens, costUsd }: Ledger, limits: Limits): { limit: string; value: number } | null {
  if (tokens >= limits.tokens) return { limit: 'tokens', value: tokens }
  if (limits.costUsd !== null && costUsd !== null && costUsd >= limits.costUsd) {
    return { limit: 'costUsd', value: costUsd }
  }
  return null
}

/** A role in a trial, as far as thinking concerns it, and what it shares with the other roles. */
export interface ThinkingSeat {
  role: { name: string }
  clock: Clock
  self: Process
  record: Recorder
  thinking: ThinkingPolicy
  /** The scenario's, so that all agents of a scenario think with equal seeds and draws. */
  random: Random
  limits: Limits
  /** One per trial. */
  ledger: Ledger
  /** Records the limit, ends the trial and never settles. */
  exhausted: (limit: string, value: number) => Promise<never>
}

/** A role that asks a model, and what a simulated reader is told of it. */
interface AskingSeat extends ThinkingSeat {
  reader: Omit<ReaderState, 'counts'>
}

const ASKS_PER_INSTANT = 1_000

/** Throws for a role that asks and asks while time stands still. */
export function guardInstants({ clock, role }: Pick<ThinkingSeat, 'clock' | 'role'>, asked: string): () => void {
  let instant = { at: -1, asks: 0 }
  return () => {
    if (instant.at !== clock.now()) instant = { at: clock.now(), asks: 0 }
    if (++instant.asks <= ASKS_PER_INSTANT) return
    throw new Error(`${role.name} asked ${asked} ${ASKS_PER_INSTANT} times at ${clock.now()} ms: time does not move.`)
  }
}

/** Puts a call to the account of its trial and returns its price; what a recorded one cost then stays. */
export function charge(
  ledger: Ledger,
  { name, price }: Pick<ChatModel, 'name' | 'price'>,
  { usage, recorded }: { usage: Usage; recorded?: { costUsd: number | null } },
): number | null {
  const costUsd = recorded === undefined ? costOf(name, usage, price) : recorded.costUsd
  ledger.tokens += usage.promptTokens + usage.completionTokens
  if (costUsd !== null) ledger.costUsd = (ledger.costUsd ?? 0) + costUsd
  return costUsd
}

/** A role's way to the model: charges thinking time, keeps budgets, and writes down what was asked and answered (docs/design.md#trace). */
export function meter(chat: ChatModel, seat: AskingSeat): ModelAccess {
  const { clock, self, thinking, record, random, limits, ledger, exhausted } = seat
  const role = seat.role.name
  const seed = random.seed('model', role)
  const guardInstant = guardInstants(seat, 'its model')
  const counts: ReaderState['counts'] = {}
  let own = 0
  const simulated = (): boolean => chat.name.startsWith('sim:')

  async function ask(request: ModelRequest): Promise<ModelAnswer> {
    if (clock.over) return new Promise(() => {})
    guardInstant()
    const spent =
      ledger.calls >= limits.modelCalls ? { limit: 'modelCalls', value: ledger.calls } : overspent(ledger, limits)
    if (spent !== null) return exhausted(spent.limit, spent.value)
    const call = ++ledger.calls
    // By role: what the others ask must not shift its draws.
    const draw = random.stream('thinking', role, ++own)
    const usageOf = recordRequest(call, request)
    const { messages, tools, schema } = request
    const answers: { completion: Completion; lastsMs: number }[] = []
    const { value, tookMs } = await self.think(async () => {
      // What lands while the request is on its way is news to the next one.
      const reader = simulated() ? { reader: { ...seat.reader, counts: { ...counts } } } : {}
      const answer = await chat.complete({ messages, tools, schema, seed, ...reader }).catch(overflowed)
      const completion = { ...answer, usage: usageOf(answer) }
      const lastsMs = completion.recorded?.thoughtMs ?? thinking.lasts(completion.usage, draw, completion.realMs)
      answers.push({ completion, lastsMs })
      return { value: completion, lastsMs }
    }, request.interrupt)
    if (value !== null) return answered(call, request, value, tookMs)
    const [missed] = answers
    if (missed === undefined) throw new Error('A thought was interrupted before its model had answered.')
    return interrupted(call, request, missed, tookMs)
  }

  /** The context is a limit like others: the trial ends, and nobody gets an answer. */
  function overflowed(error: unknown): Promise<never> {
    if (!(error instanceof ContextOverflow)) throw error
    record({ kind: 'error', where: role, message: error.message, stack: null, infrastructure: false })
    return exhausted('context', ledger.calls)
  }

  /** Returns what an answer to it uses, which only a simulated model has to be told. */
  function recordRequest(
    call: number,
    { phase, activity, ...asked }: ModelRequest,
  ): (answer: Pick<Completion, 'usage' | 'recorded'>) => Usage {
    const who = { role, activity }
    const texts = textsOf(asked)
    const { messages, tools, schema } = texts
    const pool = (text: string): string => ledger.pool(text, (hash) => record({ kind: 'text', hash, text }, who))
    const hashes = {
      messages: messages.map((message) => ({ role: message.role, hash: pool(message.text) })),
      tools: tools === null ? null : pool(tools),
      schema: schema === null ? null : pool(schema),
    }
    record({ kind: 'request', call, phase, model: chat.name, ...hashes }, who)
    if (!simulated()) return ({ usage }) => usage
    const cached = ledger.cache.use(chat.name, partsOf(asked, texts, hashes), clock.now())
    // What a trace holds has all this already.
    return ({ usage, recorded }) =>
      recorded === undefined
        ? {
            ...usage,
            ...cached(usage.promptTokens),
            completionTokens: usage.completionTokens + thinking.addedTokens,
          }
        : usage
  }

  function answered(call: number, { activity }: ModelRequest, completion: Completion, thoughtMs: number): ModelAnswer {
    const { text, toolCalls, finish, usage, retries, unparsed, reasoning, carried } = completion
    const status = 'answered'
    const costUsd = charge(ledger, chat, completion)
    const thoughts = { ...(reasoning !== undefined && { reasoning }), ...(carried !== undefined && { carried }) }
    const said = { text, toolCalls, finish }
    const exposures = exposed(completion, activity)
    record(
      {
        kind: 'answer',
        call,
        status,
        ...said,
        usage,
        thoughtMs,
        retries,
        costUsd,
        unparsed,
        ...exposures,
        ...thoughts,
      },
      { role, activity },
    )
    return { status, text, toolCalls, finish, usage, ...(carried !== undefined && { carried }) }
  }

  function interrupted(
    call: number,
    { activity }: ModelRequest,
    { completion, lastsMs }: { completion: Completion; lastsMs: number },
    thoughtMs: number,
  ): ModelAnswer {
    const { retries, unparsed } = completion
    const status = 'interrupted'
    const { firstTokenMs } = thinking
    const aborted = { tookMs: thoughtMs, lastsMs, firstTokenMs }
    // What a trace holds of an interrupted call has been cut already.
    const usage = completion.recorded === undefined ? chargeAborted(completion.usage, aborted) : completion.usage
    const costUsd = charge(ledger, chat, { ...completion, usage })
    const unsaid = { text: null, toolCalls: [], finish: 'interrupted' }
    const exposures = exposed(completion, activity)
    record(
      { kind: 'answer', call, status, ...unsaid, usage, thoughtMs, retries, costUsd, unparsed, ...exposures },
      { role, activity },
    )
    return { status, usage }
  }

  /** Counted when an answer lands, in the order of virtual time, whatever then becomes of it. */
  function exposed({ exposures }: Completion, activity: string): { exposures?: Exposure[] } {
    if (exposures === undefined) return {}
    countExposures(counts, exposures)
    const pool = (text: string): string =>
      ledger.pool(text, (hash) => record({ kind: 'text', hash, text }, { role, activity }))
    return { exposures: exposures.map((each) => ({ ...each, subject: pool(each.subject) })) }
  }

  return { name: chat.name, ask }
}

/**
 * Thinking without a model: it lasts as long as a call of that length would, with the draws that a model's calls would
 * get, and each counts against the budget of calls.
 */
export function createThought(seat: ThinkingSeat): (length: ThoughtLength, activity: string) => Promise<void> {
  const { clock, self, thinking, record, random, limits, ledger, exhausted } = seat
  const role = seat.role.name
  let own = 0
  return async (length, activity) => {
    if (clock.over) return new Promise(() => {})
    if (ledger.calls >= limits.modelCalls) return exhausted('modelCalls', ledger.calls)
    ledger.calls += 1
    const completionTokens = length.completionTokens + thinking.addedTokens
    const usage = { ...length, completionTokens, cachedTokens: 0, counted: true }
    // Nothing is asked, so nothing really takes its time.
    const thoughtMs = thinking.lasts(usage, random.stream('thinking', role, ++own), 0)
    await self.sleep(thoughtMs)
    record({ kind: 'thought', thoughtMs }, { role, activity })
  }
}
