import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CACHE } from '../contract/index.js'
import type { Message, ModelRequest } from '../contract/index.js'
import { openStage, said, usage } from '../testing/model-stage.js'
import { textsOf } from './chat.js'
import { createPromptCache, partsOf } from './prompt-cache.js'
import { countMessage, countPrompt, countTokens } from './tokens.js'

type Prompt = Pick<ModelRequest, 'messages' | 'schema'>

/** Asks prompts at times, and tells the cached and the written tokens of each. */
function ask(settings: Partial<typeof DEFAULT_CACHE>, prompts: readonly (readonly [at: number, prompt: Prompt])[]) {
  const cache = createPromptCache({ ...DEFAULT_CACHE, ...settings })
  return prompts.map(([at, prompt]) => {
    const { cachedTokens, cacheWriteTokens } = cache.use('sim:typical', parts(prompt), at)(total(prompt))
    return [cachedTokens, cacheWriteTokens]
  })
}

function parts(prompt: Prompt) {
  const texts = textsOf(prompt)
  const of = (text: string): string => hash('sha256', text)
  return partsOf(prompt, texts, {
    messages: texts.messages.map(({ role, text }) => ({ role, hash: of(text) })),
    tools: null,
    schema: texts.schema === null ? null : of(texts.schema),
  })
}

const total = ({ messages, schema }: Prompt): number =>
  countPrompt(messages, undefined, schema === undefined ? undefined : { ...schema, strict: false })

/** A text of exactly so many tokens, the last of which ends a line. */
const words = (tokens: number, word = ' yes'): string => `${word.repeat(tokens - 1)}\n`
const system = (tokens: number): Message => ({ role: 'system', content: words(tokens - 4) })
const user = (content: string): Message => ({ role: 'user', content })

describe('a growing conversation', () => {
  const [first, second] = [system(1_100), user(words(300, ' no'))]
  const turns: Prompt[] = [
    { messages: [first] },
    { messages: [first, second] },
    { messages: [first, second, user('Go on.')] },
  ]

  it('has all of its past at hand, in steps of 128 tokens', () => {
    expect(turns.map(total)).toEqual([1_103, 1_407, 1_414])
    expect(
      ask(
        {},
        turns.map((turn) => [0, turn] as const),
      ),
    ).toEqual([
      [0, 1_024],
      [1_024, 256],
      [1_280, 128],
    ])
  })

  it('has nothing at hand that is shorter than the minimum, and every step where there is none', () => {
    const short: Prompt[] = [{ messages: [system(1_000)] }, { messages: [system(1_000), user('Go on.')] }]
    const asked = short.map((turn) => [0, turn] as const)
    expect(ask({}, asked)).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(ask({ minimum: 0 }, asked)).toEqual([
      [0, 896],
      [896, 0],
    ])
  })

  it('has steps from a minimum that is none itself', () => {
    expect(
      ask(
        { minimum: 100 },
        turns.map((turn) => [0, turn] as const),
      ).map(([cached]) => cached),
    ).toEqual([0, 100 + 7 * 128, 100 + 10 * 128])
  })
})

describe('what nobody has used for a while', () => {
  const prompt = { messages: [system(2_000)] }
  const cachedAt = (ttlMs: number | null, times: number[]) =>
    ask(
      { ttlMs },
      times.map((at) => [at, prompt] as const),
    ).map(([cached]) => cached)

  it('is forgotten, and every use renews it', () => {
    expect(cachedAt(300_000, [0, 299_999, 599_998, 900_000])).toEqual([0, 1_920, 1_920, 0])
  })

  it('is never forgotten without an end, and never kept without a time', () => {
    expect(cachedAt(null, [0, 1e9])).toEqual([0, 1_920])
    expect(ask({ ttlMs: 0 }, [[0, prompt] as const, [0, prompt] as const])).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('is forgotten from the place on where prompts of today have parted from it', () => {
    const old = { messages: [system(1_100), user(words(1_000, ' no'))] }
    const young = { messages: [system(1_100), user(words(200, ' no') + words(300))] }
    const asked = ask({ ttlMs: 1_000 }, [[0, old] as const, [800, young] as const, [1_500, old] as const])
    expect(asked.map(([cached]) => cached)).toEqual([0, 1_280, 1_280])
  })
})

describe('prompts of interleaved phases', () => {
  const schema = (name: string) => ({ name, schema: { type: 'object', description: name.repeat(20) } })
  const phase = (name: string, state: string): Prompt => ({
    messages: [system(1_200), user(`GOAL\n${words(200)}STATE\n${state}`)],
    schema: schema(name),
  })

  it('have a prefix each: what stands before the schema alone is too little', () => {
    const asked = [phase('observe', 'a'), phase('reason', 'a'), phase('observe', 'b'), phase('reason', 'b')]
    expect(
      ask(
        {},
        asked.map((each, at) => [at, each] as const),
      ).map(([cached]) => cached),
    ).toEqual([0, 0, 1_408, 1_408])
  })

  it('have less in common where one letter at the head is another', () => {
    const [one, other] = ['a', 'b'].map((letter) => ({ messages: [user(letter + words(3_000))] }))
    expect(ask({}, [[0, one ?? { messages: [] }] as const, [1, other ?? { messages: [] }] as const])[1]?.[0]).toBe(0)
  })
})

/** Long enough that a line more or less is a step more or less; some part only at their ends. */
const RULE = 'Open the valve, but only once the pump has reached its pressure. '.repeat(12)
const LINES = [`GOAL ${RULE}\n`, `${RULE}\n`, `${RULE}x: 1\n`, `${RULE}x: 2\n`, 'x: 1\n']
const text = fc.array(fc.constantFrom(...LINES), { maxLength: 6 }).map((lines) => lines.join(''))
const prompts = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 10 }).map((tens) => 10 * tens),
    messages: fc.array(fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: text }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { maxLength: 12 },
)

/** Prompt by prompt against every other one, letter by letter. */
function compared(one: readonly Message[], other: readonly Message[]): number {
  let common = 0
  for (const [index, message] of one.entries()) {
    const against = other[index]
    if (against?.role !== message.role) return common
    const [mine, its] = [message.content ?? '', against.content ?? '']
    if (mine !== its) {
      let at = 0
      while (at < mine.length && mine[at] === its[at]) at++
      return common + countTokens(mine.slice(0, at))
    }
    common += countMessage(message)
  }
  return common
}

it('is the longest beginning that any prompt of the last while has, whatever was asked', () => {
  fc.assert(
    fc.property(prompts, (given) => {
      const asked = given.toSorted((a, b) => a.at - b.at)
      const found = ask(
        { ttlMs: 30, minimum: 0 },
        asked.map(({ at, messages }) => [at, { messages }] as const),
      )
      const wanted = asked.map(({ at, messages }, index) => {
        const recent = asked.slice(0, index).filter((before) => before.at > at - 30)
        return Math.max(0, ...recent.map((before) => compared(messages, before.messages)))
      })
      expect(found.map(([cached]) => cached)).toEqual(wanted.map((tokens) => tokens - (tokens % 128)))
    }),
    { seed: 7, numRuns: 300 },
  )
})

describe('a call', () => {
  const long = { ...said, usage: { ...usage, promptTokens: 2_003 } }
  const question: ModelRequest = { phase: 'turn', activity: 'uuid-1', messages: [system(2_000)] }
  const played = async (stage: Parameters<typeof openStage>[0], pauseMs = 0) => {
    const { lines, role, run } = openStage({ chat: () => Promise.resolve(long), name: 'sim:typical', ...stage })
    role('agent', async (model, self) => {
      await model.ask(question)
      await self.sleep(pauseMs)
      await model.ask(question)
    })
    await run()
    return lines.flatMap((line) => (line.kind === 'answer' ? [line] : []))
  }

  it('of a simulated model has its past at hand until the time of the world has gone on', async () => {
    const cached = async (pauseMs: number) =>
      (await played({}, pauseMs)).map(({ usage: { cachedTokens } }) => cachedTokens)
    expect([await cached(298_999), await cached(299_000)]).toEqual([
      [0, 1_920],
      [0, 0],
    ])
  })

  it('of a real model, or one that a trace answers, uses what it says', async () => {
    const recorded = { ...long, recorded: { thoughtMs: 5, costUsd: null } }
    const answers = [
      ...(await played({ name: 'gpt-4o', thinking: 'fixed:1000+200' })),
      ...(await played({ chat: () => Promise.resolve(recorded), thinking: 'fixed:1000+200' })),
    ]
    expect(answers.map((answer) => answer.usage)).toEqual(Array.from({ length: 4 }, () => long.usage))
  })

  it('of a simulated model takes the time and the tokens of its reasoning', async () => {
    const [plain, reasoned] = [await played({ thinking: 'tokens' }), await played({ thinking: 'tokens+200' })]
    expect(reasoned.map(({ usage: { completionTokens } }) => completionTokens)).toEqual([240, 240])
    // 200 tokens at 80 a second, within a tenth.
    const longer = reasoned.map(({ thoughtMs }, index) => thoughtMs - (plain[index]?.thoughtMs ?? 0))
    expect(longer.every((ms) => ms >= 2_250 && ms <= 2_750)).toBe(true)
  })
})
