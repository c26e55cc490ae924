import { RunStopped } from '../contract/index.js'
import type { ModelPrice, Usage } from '../contract/index.js'
import { textsOf } from './chat.js'
import type { ChatModel, ChatRequest } from './chat.js'
import type { Toll } from './client.js'
import type { EmbeddingModels } from './embedding.js'
import { costOf } from './prices.js'
import { countPrompt, countTokens } from './tokens.js'
import { OUTPUT_LIMIT } from './wire.js'

/** What a run may spend; null: as much as it takes. */
export interface PurseLimits {
  costUsd: number | null
  /** Prompt and completion, of all models. */
  tokens: number | null
}

/** What a call has spent. */
export interface Spent {
  model: string
  promptTokens: number
  completionTokens: number
  /** Null where the price is not known. */
  costUsd: number | null
  /** A try that brought nothing and may have been paid for: its worst case. */
  lost?: true | undefined
}

/** Spent, or reserved. */
export interface Amount {
  tokens: number
  costUsd: number
}

interface Worst extends Amount {
  spent: Spent
}

/** What a model that has not answered yet may count that we do not: other tokenizers cut finer. */
const UNKNOWN_RATIO = 2
const MARGIN = 1.1

/** There is no room for another call. */
export class PurseEmpty extends RunStopped {
  override name = 'PurseEmpty'
}

/** The purse of a run. */
export type Purse = ReturnType<typeof createPurse>

/**
 * Keeps the spending of a run within its limits. Each call first reserves its worst case, which is its prompt and the output
 * limit, and gives back what it has not used. One that does not fit waits for those under way; where none is, the run is
 * stopped. A try whose answer did not arrive has spent its worst case, for no endpoint tells what it cost.
 */
export function createPurse(limits: PurseLimits, before: readonly Spent[] = []) {
  const sum = { calls: 0, tokens: 0, costUsd: 0, unpriced: 0, lost: { tokens: 0, costUsd: 0 } }
  const reserved: Amount = { tokens: 0, costUsd: 0 }
  const bounds = new Map<string, { ratio: number; output: number }>()
  let waiting: (() => void)[] = []
  let stopped: PurseEmpty | null = null
  let sink: (spent: Spent) => void = () => {}
  const early: Spent[] = []
  for (const spent of before) add(spent)

  function add({ promptTokens, completionTokens, costUsd, lost }: Spent): void {
    sum.calls++
    for (const each of lost === true ? [sum, sum.lost] : [sum]) {
      each.tokens += promptTokens + completionTokens
      each.costUsd += costUsd ?? 0
    }
    if (costUsd === null) sum.unpriced++
  }

  const fits = (worst: Amount): boolean =>
    (limits.tokens === null || sum.tokens + reserved.tokens + worst.tokens <= limits.tokens) &&
    (limits.costUsd === null || sum.costUsd + reserved.costUsd + worst.costUsd <= limits.costUsd)

  /** What others give back may show that an endpoint counts less than was feared. */
  async function reserve(worstNow: () => Worst): Promise<Worst> {
    const mustWait = (): boolean => stopped === null && reserved.tokens > 0 && !fits(worstNow())
    while (mustWait()) await new Promise<void>((resolve) => waiting.push(resolve))
    const worst = worstNow()
    if (stopped === null && !fits(worst)) stopped = new PurseEmpty(sentenceOf(worst))
    if (stopped !== null) throw stopped
    reserved.tokens += worst.tokens
    reserved.costUsd += worst.costUsd
    return worst
  }

  function release(worst: Amount): void {
    reserved.tokens -= worst.tokens
    // Sums of floats leave dust, which nobody would give back.
    reserved.costUsd = reserved.tokens === 0 ? 0 : reserved.costUsd - worst.costUsd
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  function sentenceOf(worst: Amount): string {
    if (limits.tokens !== null && sum.tokens + worst.tokens > limits.tokens)
      return `The budget of ${limits.tokens} tokens has no room for another call: ${sum.tokens} are spent${lostText(sum.lost.tokens)}, and it may take ${worst.tokens}. Raise --budget-tokens.`
    return `The budget of ${limits.costUsd} USD has no room for another call: ${usd(sum.costUsd)} USD are spent${lostText(sum.lost.costUsd, usd)}, and it may take ${usd(worst.costUsd)}. Raise --max-cost.`
  }

  /** Runs a call of so many tokens of prompt, as we count them. */
  async function pay<T extends { usage: Usage }>(
    { name, price, outputLimit = OUTPUT_LIMIT }: Pick<ChatModel, 'name' | 'price' | 'outputLimit'>,
    prompt: number,
    call: (toll: Toll) => Promise<T>,
  ): Promise<T> {
    const boundNow = () => bounds.get(name) ?? { ratio: name.startsWith('sim:') ? 1 : UNKNOWN_RATIO, output: 0 }
    const worstNow = (): Worst => {
      const { ratio, output } = boundNow()
      const most = { promptTokens: Math.ceil(prompt * ratio), completionTokens: Math.max(outputLimit, output) }
      const costUsd = costOf(name, { ...most, cachedTokens: 0 }, price)
      const spent: Spent = { model: name, ...most, costUsd, lost: true }
      return { tokens: most.promptTokens + most.completionTokens, costUsd: costUsd ?? 0, spent }
    }
    let worst: Worst | null = await reserve(worstNow)
    const toll: Toll = {
      lost() {
        if (worst === null) return
        spend(worst.spent)
        release(worst)
        worst = null
      },
      async again() {
        worst ??= await reserve(worstNow)
      },
    }
    try {
      const answer = await call(toll)
      const { usage } = answer
      const seen = usage.counted || prompt === 0 ? 1 : (usage.promptTokens / prompt) * MARGIN
      const { ratio, output } = boundNow()
      const known = bounds.has(name) ? ratio : 1
      if (!name.startsWith('sim:'))
        bounds.set(name, { ratio: Math.max(known, seen), output: Math.max(output, usage.completionTokens) })
      spend({
        model: name,
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        costUsd: costOf(name, usage, price),
      })
      return answer
    } finally {
      if (worst !== null) release(worst)
    }
  }

  function spend(spent: Spent): void {
    add(spent)
    sink(spent)
  }
  sink = (spent) => early.push(spent)

  const guard = (chat: ChatModel): ChatModel => ({
    ...chat,
    complete: (request) => pay(chat, promptOf(request), (toll) => chat.complete(request, toll)),
    ...(chat.at !== undefined && { at: (role: string) => guard(chat.at?.(role) ?? chat) }),
  })

  return {
    guard,
    guardEmbeddings:
      (models: EmbeddingModels): EmbeddingModels =>
      (name) => ({
        name,
        embed: (texts) =>
          pay(
            { name, outputLimit: 0 },
            texts.reduce((total, text) => total + countTokens(text), 0),
            (toll) => models(name).embed(texts, toll),
          ),
      }),
    /** Who is told of each call from now on, and at once of those before. */
    tell(listener: (spent: Spent) => void): void {
      for (const spent of early.splice(0)) listener(spent)
      sink = listener
    },
    /** So far, with what an earlier part of the run has spent. `unpriced`: calls whose price is not known. */
    spent: (): Readonly<typeof sum> => sum,
  }
}

function promptOf(request: ChatRequest): number {
  const { tools, schema } = textsOf(request)
  return countPrompt(request.messages) + countTokens(tools ?? '') + countTokens(schema ?? '')
}

const lostText = (amount: number, text: (amount: number) => string = String): string =>
  amount === 0 ? '' : ` (${text(amount)} of it at most, on tries whose answers were lost)`

const usd = (amount: number): string => amount.toFixed(4)

/** Is the price of a model known? A simulated one costs nothing. */
export const isPriced = (name: string, price?: ModelPrice): boolean =>
  name.startsWith('sim:') || costOf(name, { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }, price) !== null
