import { expect, test } from 'vitest'
import { RunStopped } from '../contract/index.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { createPurse, isPriced } from './purse.js'
import type { Spent } from './purse.js'
import { countPrompt } from './tokens.js'

const request: ChatRequest = { messages: [{ role: 'user', content: 'Say hello to all of them.' }], seed: 1 }
const prompt = countPrompt(request.messages)

const said = (promptTokens: number, completionTokens: number): Completion => ({
  text: 'Hello.',
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens, completionTokens, cachedTokens: 0, counted: false },
  retries: 0,
  realMs: 1,
  unparsed: [],
})

const price = { input: 10, output: 100 }

/** Answers when it is told to. */
function held(usage = said(prompt, 40)) {
  const open: (() => void)[] = []
  let most = 0
  const chat: ChatModel = {
    name: 'priced',
    price,
    outputLimit: 100,
    complete: () =>
      new Promise((resolve) => {
        open.push(() => resolve(usage))
        most = Math.max(most, open.length)
      }),
  }
  return { chat, open, most: () => most }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a call waits for the room that those under way may give back, and is refused only when none is', async () => {
  const worst = 2 * prompt + 100
  const { chat, open, most } = held()
  const purse = createPurse({ tokens: 2 * worst + 60, costUsd: null })
  const calls = Array.from({ length: 4 }, () =>
    purse
      .guard(chat)
      .complete(request)
      .then(() => 'fine', String),
  )
  await settled()
  expect([open.length, most()]).toEqual([2, 2])
  for (let at = 0; at < open.length; at++) {
    open[at]?.()
    await settled()
  }
  // What is given back makes room for a third and a fourth call.
  expect(open).toHaveLength(4)
  expect(await Promise.all(calls)).toEqual(['fine', 'fine', 'fine', 'fine'])
  expect(purse.spent()).toMatchObject({ calls: 4, tokens: 4 * (prompt + 40) })
})

test.each([
  ['tokens', { tokens: 2_000, costUsd: null }],
  ['USD', { tokens: null, costUsd: 0.05 }],
])('the limit of %s is never exceeded, and one more call could have', async (_, limits) => {
  const spent: Spent[] = []
  const purse = createPurse(limits)
  purse.tell((each) => spent.push(each))
  const chat: ChatModel = { name: 'priced', price, outputLimit: 100, complete: async () => said(prompt, 100) }
  const guarded = purse.guard(chat)
  const ask = async (): Promise<unknown> => {
    for (;;) {
      const error: unknown = await guarded.complete(request).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (error !== null) return error
    }
  }
  const errors = await Promise.all([ask(), ask(), ask()])
  expect(new Set(errors).size).toBe(1)
  expect(errors[0]).toBeInstanceOf(RunStopped)
  expect(String(errors[0])).toMatch(/has no room for another call: .* Raise --(max-cost|budget-tokens)\./)
  const total = {
    tokens: spent.length * (prompt + 100),
    costUsd: spent.reduce((sum, each) => sum + (each.costUsd ?? 0), 0),
  }
  // By now it is known how this endpoint counts: as we do, with a margin.
  const next = { tokens: Math.ceil(1.1 * prompt) + 100, costUsd: (10 * Math.ceil(1.1 * prompt) + 100 * 100) / 1e6 }
  expect(purse.spent()).toMatchObject({ tokens: total.tokens })
  const key = limits.tokens === null ? 'costUsd' : 'tokens'
  expect(total[key]).toBeLessThanOrEqual(limits[key] ?? 0)
  expect(total[key] + next[key]).toBeGreaterThan(limits[key] ?? 0)
})

test('an endpoint that counts more than we do, or says more than it was allowed, is reserved for accordingly', async () => {
  const { chat, open } = held(said(5 * prompt, 300))
  const purse = createPurse({ tokens: 10_000, costUsd: null })
  const first = purse.guard(chat).complete(request)
  await settled()
  open[0]?.()
  await first
  const spent = 5 * prompt + 300
  const tight = createPurse({ tokens: spent + Math.ceil(5.5 * prompt) + 300 - 1, costUsd: null })
  const again = tight.guard(chat).complete(request)
  await settled()
  open[1]?.()
  await again
  await expect(tight.guard(chat).complete(request)).rejects.toThrow(
    `${spent} are spent, and it may take ${Math.ceil(5.5 * prompt) + 300}`,
  )
})

test('a call that fails gives all back, and what was spent before counts', async () => {
  const chat: ChatModel = {
    name: 'priced',
    price,
    outputLimit: 100,
    complete: () => Promise.reject(new Error('No route.')),
  }
  const before = [{ model: 'priced', promptTokens: 500, completionTokens: 100, costUsd: 0.2 }]
  const purse = createPurse({ tokens: 1_000, costUsd: null }, before)
  for (let at = 0; at < 10; at++) await expect(purse.guard(chat).complete(request)).rejects.toThrow('No route.')
  expect(purse.spent()).toEqual({
    calls: 1,
    tokens: 600,
    costUsd: 0.2,
    unpriced: 0,
    lost: { tokens: 0, costUsd: 0 },
  })
  const none = createPurse({ tokens: null, costUsd: 0.2 }, before)
  await expect(none.guard(chat).complete(request)).rejects.toThrow('The budget of 0.2 USD')
})

test('calls before there is a listener are told to it later, each once', async () => {
  const purse = createPurse({ tokens: null, costUsd: null })
  const chat: ChatModel = { name: 'unpriced', complete: async () => said(20, 5) }
  await purse.guard(chat).complete(request)
  const told: Spent[] = []
  purse.tell((each) => told.push(each))
  await purse.guard(chat).complete(request)
  const one = { model: 'unpriced', promptTokens: 20, completionTokens: 5, costUsd: null }
  expect(told).toEqual([one, one])
  expect(purse.spent()).toMatchObject({ calls: 2, tokens: 50, costUsd: 0, unpriced: 2 })
})

test('the models of roles and embeddings draw on the same purse', async () => {
  const purse = createPurse({ tokens: 2_500, costUsd: null })
  const member: ChatModel = { name: 'member', outputLimit: 100, complete: async () => said(1_000, 100) }
  const team: ChatModel = { name: 'team', at: () => member, complete: () => Promise.reject(new Error('several')) }
  await purse.guard(team).at?.('ODD').complete(request)
  const usage = { promptTokens: 1_300, completionTokens: 0, cachedTokens: 0, counted: false }
  const words = (name: string) => ({ name, embed: async () => ({ vectors: [[1]], usage, retries: 0 }) })
  await purse.guardEmbeddings(words)('words').embed(['a goal'])
  await expect(purse.guardEmbeddings(words)('words').embed(['a goal'])).rejects.toThrow('2400 are spent')
})

test('a price is stated, or stands in the table; a simulated model needs none', () => {
  expect([isPriced('gpt-4o'), isPriced('far-away'), isPriced('far-away', price), isPriced('sim:typical')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('a try whose answer was lost costs its worst case, and the next one needs room of its own', async () => {
  const worst = 2 * prompt + 100
  const spent: Spent[] = []
  const purse = createPurse({ tokens: 2 * worst, costUsd: null })
  purse.tell((each) => spent.push(each))
  const chat: ChatModel = {
    name: 'priced',
    price,
    outputLimit: 100,
    async complete(_, toll) {
      for (;;) {
        toll?.lost()
        await toll?.again()
      }
    },
  }
  await expect(purse.guard(chat).complete(request)).rejects.toThrow(
    `${2 * worst} are spent (${2 * worst} of it at most, on tries whose answers were lost), and it may take ${worst}`,
  )
  const costUsd = (10 * 2 * prompt + 100 * 100) / 1e6
  const lost = { model: 'priced', promptTokens: 2 * prompt, completionTokens: 100, costUsd, lost: true }
  expect(spent).toEqual([lost, lost])
})

test('who waits for room to try again gets what others give back', async () => {
  const worst = 2 * prompt + 100
  const purse = createPurse({ tokens: 2 * worst + prompt + 40, costUsd: null })
  const { chat, open } = held()
  const first = purse.guard(chat).complete(request)
  let tries = 0
  const unlucky: ChatModel = {
    ...chat,
    async complete(_, toll) {
      toll?.lost()
      await toll?.again()
      tries++
      return said(prompt, 40)
    },
  }
  const second = purse.guard(unlucky).complete(request)
  await settled()
  expect(tries).toBe(0)
  open[0]?.()
  await Promise.all([first, second])
  expect([tries, purse.spent().tokens]).toEqual([1, worst + 2 * (prompt + 40)])
})
