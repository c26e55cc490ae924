import { expect, test } from 'vitest'
import { InfrastructureError, RunStopped } from '../contract/index.js'
import { ContextOverflow } from './chat.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { RecordMiss } from './miss.js'
import { emptyTape, openDeck } from './tape.js'
import type { Tape } from './tape.js'

const said = (text: string): Completion => ({
  text,
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens: 10, completionTokens: 2, cachedTokens: 0, counted: false },
  retries: 1,
  realMs: 12.5,
  unparsed: [],
})
const ask = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content }],
  seed: 1,
  ...more,
})

/** Counts its answers; a question for `fail` fails, and one for `stop` ends the run. */
function counting(): ChatModel {
  let count = 0
  return {
    name: 'far-away',
    async complete({ messages: [first] }) {
      if (first?.content === 'fail') throw new InfrastructureError('No route.')
      if (first?.content === 'overflow') throw new ContextOverflow('Too long.')
      if (first?.content === 'stop') throw new RunStopped('No money.')
      return said(`Answer ${++count}.`)
    },
  }
}
const never: ChatModel = { name: 'far-away', complete: () => Promise.reject(new Error('asked')) }

/** As a file gives it back. */
const reread = (tape: Tape): Tape => ({
  calls: JSON.parse(JSON.stringify(tape.calls)),
  texts: new Map(tape.texts),
  given: tape.given,
})

async function record(...contents: string[]): Promise<Tape> {
  const tape = emptyTape()
  const chat = openDeck(tape, { live: true }).chat(counting())
  for (const content of contents) await chat.complete(ask(content)).catch(() => {})
  return reread(tape)
}

test('equal questions get their answers in the order of the recording, with the latency of then, whatever is asked between', async () => {
  const tape = await record('one', 'two', 'one')
  const chat = openDeck(tape, { live: false }).chat(never)
  const texts: unknown[] = []
  for (const content of ['one', 'one', 'two']) texts.push(await chat.complete(ask(content, { seed: 7 })))
  expect(texts).toEqual([said('Answer 1.'), said('Answer 3.'), said('Answer 2.')])
})

test('a failure comes back as it was, and a stopped run leaves nothing', async () => {
  const tape = await record('fail', 'overflow', 'stop')
  const deck = openDeck(tape, { live: false })
  const chat = deck.chat(never)
  await expect(chat.complete(ask('fail'))).rejects.toThrow(new InfrastructureError('No route.'))
  await expect(chat.complete(ask('overflow'))).rejects.toThrow(new ContextOverflow('Too long.'))
  await expect(chat.complete(ask('stop'))).rejects.toThrow(RecordMiss)
  expect(deck.miss()?.miss.call).toBe(3)
})

test('a miss names the first difference to the nearest request, wherever that stands', async () => {
  const tape = emptyTape()
  const chat = openDeck(tape, { live: true }).chat(counting())
  const rules = { role: 'system' as const, content: 'Be good.\nBe quick.' }
  const talk = (...words: string[]): ChatRequest => ({
    messages: [rules, ...words.map((content) => ({ role: 'user' as const, content }))],
    seed: 1,
  })
  for (const words of [['goal'], ['goal', 'state A'], ['goal', 'state A', 'state B']])
    await chat.complete(talk(...words))
  const deck = openDeck(reread(tape), { live: false })
  const missing = deck.chat(never).complete(talk('goal', 'state A', 'state C'))
  await expect(missing).rejects.toThrow(RecordMiss)
  expect(deck.miss()?.miss).toEqual({
    call: 1,
    part: 'message 4 (user)',
    line: 1,
    recorded: 'state B',
    now: 'state C',
    sentence: 'Call 1 is asked otherwise than call 3 was recorded: message 4 (user), line 1.',
  })
})

test('of requests that differ in a setting alone none answers for another, and the miss says which', async () => {
  const tape = emptyTape()
  const cold = { ...counting(), settings: '{"temperature":0}' }
  await openDeck(tape, { live: true }).chat(cold).complete(ask('one'))
  const deck = openDeck(reread(tape), { live: false })
  const warm = deck.chat({ ...never, settings: '{"temperature":1}' })
  await expect(warm.complete(ask('one'))).rejects.toThrow(
    'Call 1 is asked otherwise than it was recorded: settings, line 1. Recorded: "{\\"temperature\\":0}"; now: "{\\"temperature\\":1}".',
  )
  expect(await deck.chat({ ...never, settings: '{"temperature":0}' }).complete(ask('one'))).toEqual(said('Answer 1.'))
})

test('an empty tape says so', async () => {
  const deck = openDeck(emptyTape(), { live: false })
  await expect(deck.chat(never).complete(ask('one'))).rejects.toThrow('Call 1 was never recorded: the record holds 0.')
})

test('live, what the tape lacks is asked and added, in its place, and what it holds is not asked', async () => {
  const tape = await record('one', 'two')
  const deck = openDeck(tape, { live: true })
  const chat = deck.chat(counting())
  const texts: unknown[] = []
  for (const content of ['one', 'three', 'two', 'one']) texts.push((await chat.complete(ask(content))).text)
  expect(texts).toEqual(['Answer 1.', 'Answer 1.', 'Answer 2.', 'Answer 2.'])
  expect(deck.added()).toBe(2)
  const again = openDeck(reread(tape), { live: false }).chat(never)
  const played: unknown[] = []
  for (const content of ['one', 'three', 'two', 'one']) played.push((await again.complete(ask(content))).text)
  expect(played).toEqual(texts)
})

test('models are told apart, and so are tools and schemas', async () => {
  const tape = await record('one')
  const miss = (name: string, more: Partial<ChatRequest>) =>
    openDeck(reread(tape), { live: false })
      .chat({ ...never, name })
      .complete(ask('one', more))
  await expect(miss('another', {})).rejects.toThrow(RecordMiss)
  await expect(miss('far-away', { schema: { name: 'plan', schema: {} } })).rejects.toThrow('schema')
  await expect(miss('far-away', {})).resolves.toEqual(said('Answer 1.'))
})

test('embeddings come back bit for bit', async () => {
  const tape = emptyTape()
  const vectors = [[Math.fround(0.1), Math.fround(-0.7)]]
  const usage = { promptTokens: 3, completionTokens: 0, cachedTokens: 0, counted: false }
  const live = (name: string) => ({ name, embed: () => Promise.resolve({ vectors, usage, retries: 0 }) })
  await openDeck(tape, { live: true }).embeddings(live)('words').embed(['a goal'])
  const silent = (name: string) => ({ name, embed: () => Promise.reject(new Error('asked')) })
  const play = openDeck(reread(tape), { live: false }).embeddings(silent)('words')
  expect(await play.embed(['a goal'])).toEqual({ vectors, usage, retries: 0 })
  await expect(play.embed(['another'])).rejects.toThrow('does not hold the embeddings by "words"')
})
