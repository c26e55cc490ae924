import { expect, test } from 'vitest'
import { InfrastructureError } from '../contract/index.js'
import type { Limits, Process } from '../contract/index.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { createTrace } from '../trace/records.js'
import { createEmbedder } from './embedder.js'
import { packVector, unpackVector } from './embedding.js'
import type { EmbeddingModel, Vector } from './embedding.js'
import { createLedger } from './metered.js'
import { recordedEmbeddings } from './recorded.js'

/** Of one request. */
const cost = 0.2 / 1_000_000
const usage = { promptTokens: 10, completionTokens: 0, cachedTokens: 0, counted: false }
type Embed = (activity: string, texts: readonly string[]) => Promise<Vector[]>

/** A trial of nothing but two roles that embed. */
async function stage(
  body: (embed: Embed, role: { name: string; self: Process }) => Promise<void>,
  { model, limits = {}, roles = ['one'] }: { model?: EmbeddingModel; limits?: Partial<Limits>; roles?: string[] } = {},
) {
  const clock = createVirtualClock()
  const ledger = createLedger()
  const { record, records } = createTrace(() => clock.now())
  const asked: string[][] = []
  const lengths: EmbeddingModel = {
    name: 'text-embedding-3-small',
    embed(texts) {
      asked.push([...texts])
      return Promise.resolve({ vectors: texts.map((text) => [text.length, 0.5]), usage, retries: 1 })
    },
  }
  for (const role of roles) {
    clock.spawn(role, (self) =>
      body(
        createEmbedder(model ?? lengths, {
          clock,
          self,
          record,
          role: { name: role },
          ledger,
          limits: { modelCalls: 1, tokens: 1e6, operations: 1, virtualMs: 1e6, costUsd: null, ...limits },
          exhausted(limit, value) {
            record({ kind: 'limit', limit, value }, { role })
            clock.stop()
            return new Promise(() => {})
          },
        }),
        { name: role, self },
      ),
    )
  }
  const end = await clock.run({ untilMs: 1e6 })
  return { records, asked, ledger, clock, failed: end.failed.map(({ error }) => error) }
}

test('A text is asked for once per trial, whoever asks, at no virtual time; tokens and cost are charged and recorded.', async () => {
  const seen: Vector[][] = []
  const { records, asked, ledger, clock } = await stage(
    async (embed, { name, self }) => {
      if (name === 'two') await self.sleep(1)
      seen.push(await embed('uuid', name === 'one' ? ['aa', 'b', 'aa'] : ['b', 'ccc']))
    },
    { roles: ['one', 'two'] },
  )
  expect(asked).toEqual([['aa', 'b'], ['ccc']])
  expect(seen).toEqual([
    [
      [2, 0.5],
      [1, 0.5],
      [2, 0.5],
    ],
    [
      [1, 0.5],
      [3, 0.5],
    ],
  ])
  expect([ledger.calls, ledger.tokens, ledger.costUsd, clock.now()]).toEqual([0, 20, 2 * cost, 1])
  const [first] = records.filter(({ kind }) => kind === 'embedding')
  const hashes = records.flatMap((record) => (record.kind === 'text' ? [record.hash] : []))
  expect(first).toEqual({
    kind: 'embedding',
    model: 'text-embedding-3-small',
    texts: hashes.slice(0, 2),
    vectors: [packVector([2, 0.5]), packVector([1, 0.5])],
    usage,
    retries: 1,
    costUsd: cost,
    n: 2,
    at: 0,
    role: 'one',
    activity: 'uuid',
  })
})

test('A budget of tokens that embeddings have spent ends the trial at the next ones.', async () => {
  const { records, asked } = await stage(
    async (embed) => {
      for (const text of ['a', 'b', 'c']) await embed('uuid', [text])
    },
    { limits: { tokens: 15 } },
  )
  expect([asked, records.at(-1)]).toMatchObject([[['a'], ['b']], { kind: 'limit', limit: 'tokens', value: 20 }])
})

test('Who asks for what it knows already without letting time pass is stopped.', async () => {
  const { failed } = await stage(async (embed) => {
    for (;;) await embed('uuid', ['a'])
  })
  expect(failed).toEqual([new Error('one asked for embeddings 1000 times at 0 ms: time does not move.')])
})

test('A record gives the same vectors at the cost of then, and the same failure; what it lacks is an error, or asked live.', async () => {
  const { records } = await stage(async (embed) => void (await embed('uuid', ['aa', 'b'])))
  const name = 'text-embedding-3-small'
  const recorded = recordedEmbeddings(records)(name)
  const once = await recorded.embed(['aa', 'b'])
  expect(once).toEqual({
    vectors: [
      [2, 0.5],
      [1, 0.5],
    ],
    usage,
    retries: 1,
    recorded: { costUsd: cost },
  })
  const again = await stage(async (embed) => void (await embed('uuid', ['aa', 'b'])), {
    model: recordedEmbeddings(records)(name),
  })
  expect(again.records).toEqual(records)
  await expect(recorded.embed(['other'])).rejects.toThrow(
    new InfrastructureError(`The trace does not hold the embeddings by "${name}" of what is asked now: "other".`),
  )
  const live: EmbeddingModel = { name, embed: () => Promise.resolve({ vectors: [[9]], usage, retries: 0 }) }
  expect((await recordedEmbeddings(records, () => live)(name).embed(['other'])).vectors).toEqual([[9]])
  const message = `The model "${name}" could not be asked: the server failed (HTTP 500); given up after 5 tries.`
  const broken = createTrace(() => 0)
  broken.record({ kind: 'error', where: 'one', message, stack: null, infrastructure: true })
  await expect(recordedEmbeddings(broken.records)(name).embed(['a'])).rejects.toThrow(new InfrastructureError(message))
})

test('A vector that is packed comes back as it was, in single precision.', () => {
  const vector = [0.1, -1e-8, 3e38, 0].map(Math.fround)
  expect(unpackVector(packVector(vector))).toEqual(vector)
})
