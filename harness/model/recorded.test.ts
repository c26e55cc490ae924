import { expect, test } from 'vitest'
import { InfrastructureError } from '../contract/index.js'
import type { Message, ToolSpec, Trace } from '../contract/index.js'
import { openStage, said, user } from '../testing/model-stage.js'
import type { Line } from '../testing/model-stage.js'
import type { ChatModel } from './chat.js'
import { RecordMiss } from './miss.js'
import { recordedModel } from './recorded.js'

const traceOf = (lines: Line[]): Trace => lines.map((line, n) => ({ n, ...line }))

/** Answered, interrupted, failed, and cut off by the end of the trial. */
async function eventful(model: Parameters<typeof openStage>[0]): Promise<Line[]> {
  const { lines, role, run, clock } = openStage({ name: 'gpt-4o', ...model })
  role('reader', async (access) => {
    await access.ask(user('one'))
    const interrupt = clock.bell()
    clock.after(600, () => interrupt.ring())
    await access.ask({ ...user('two'), interrupt })
    await access.ask(user('three'))
  })
  role('unlucky', async (access) => {
    await access.ask(user('one'))
    await access.ask(user('fails'))
  })
  clock.after(1_800, () => clock.stop())
  for (const { process, error } of (await run()).failed) {
    const infrastructure = error instanceof InfrastructureError
    const message = error instanceof Error ? error.message : ''
    lines.push({
      kind: 'error',
      where: process,
      message,
      stack: null,
      infrastructure,
      at: 0,
      role: null,
      activity: null,
    })
  }
  return lines
}

const failing: ChatModel['complete'] = ({ messages }) =>
  messages[0]?.content === 'fails' ? Promise.reject(new InfrastructureError('No route.')) : Promise.resolve(said)

test('every way in which a call can go comes back, when it came and at what it cost, whatever policy and prices say now', async () => {
  const lines = await eventful({ chat: failing })
  expect(lines.filter(({ kind }) => kind === 'answer' || kind === 'error')).toMatchObject([
    { status: 'answered', at: 1_000, costUsd: 0.00065 },
    { status: 'answered', at: 1_000, costUsd: 0.00065 },
    { status: 'interrupted', at: 1_600, thoughtMs: 600, usage: { completionTokens: 24 } },
    { message: 'No route.', where: 'unlucky' },
  ])
  const dearer = lines.map((line) => (line.kind === 'answer' ? { ...line, costUsd: 7 } : line))
  const model = recordedModel(traceOf(dearer))
  expect(await eventful({ chat: (request) => model.complete(request), thinking: 'zero' })).toEqual(dearer)
})

const system = (content: string): Message => ({ role: 'system', content })
const tool: ToolSpec = { kind: 'sleep', name: 'sleep', description: 'Waits.', parameters: {}, actions: [] }

async function record(): Promise<Trace> {
  const { lines, role, run } = openStage()
  role('agent', async (access) => {
    await access.ask({ ...user('one'), messages: [system('Be good.\nBe quick.'), { role: 'user', content: 'one' }] })
    await access.ask({ ...user('two'), tools: [tool] })
  })
  await run()
  return traceOf(lines)
}

const goal: Message = { role: 'user', content: 'one' }

test.each([
  [
    [system('Be good.\nBe slow.'), goal],
    {},
    {
      part: 'message 1 (system)',
      line: 2,
      recorded: 'Be quick.',
      now: 'Be slow.',
      sentence: 'Call 1 (turn) is asked otherwise than it was recorded: message 1 (system), line 2.',
    },
  ],
  [[system('Be good.')], {}, { part: 'message 1 (system)', line: 2, recorded: 'Be quick.', now: null }],
  [[system('Be good.\nBe quick.')], {}, { part: 'the role of message 2', line: null, recorded: 'user', now: null }],
  [
    [system('Be good.\nBe quick.'), system('one')],
    {},
    { part: 'the role of message 2', recorded: 'user', now: 'system' },
  ],
  [
    [system('Be good.\nBe quick.'), goal],
    { tools: [tool] },
    { part: 'tools', recorded: null, now: expect.any(String) },
  ],
  [
    [system('Be good.\nBe quick.'), goal],
    { schema: { name: 'plan', schema: {} } },
    { part: 'schema', line: null, recorded: null, now: '{"name":"plan","schema":{}}' },
  ],
])('a request that was never recorded is an error that names message and line: %j %j', async (messages, more, miss) => {
  const model = recordedModel(await record())
  const asking = model.complete({ messages, ...more, seed: 1 })
  await expect(asking).rejects.toThrow(RecordMiss)
  expect(model.miss?.miss).toMatchObject({ call: 1, ...miss })
})

test('of a long line the miss shows the surroundings of the first difference', async () => {
  const model = recordedModel(await record())
  const messages = [system('Be good.\nBe quick.'), goal]
  const long = { ...tool, description: 'Waits. '.repeat(40) }
  await model.complete({ messages, seed: 1 })
  await expect(
    model.complete({ messages: [{ role: 'user', content: 'two' }], tools: [long], seed: 1 }),
  ).rejects.toThrow(RecordMiss)
  expect(model.miss?.miss).toEqual({
    call: 2,
    part: 'tools',
    line: 1,
    recorded: '…n":{"name":"sleep","description":"Waits.","parameters":{}}}]',
    now: expect.stringMatching(/^…n":\{"name":"sleep","description":"Waits\. Waits\. .*…$/),
    sentence: 'Call 2 (turn) is asked otherwise than it was recorded: tools, line 1.',
  })
})

test('one call too many is told so, and so is an answer that was given already', async () => {
  const model = recordedModel(await record())
  const first = { messages: [system('Be good.\nBe quick.'), goal], seed: 1 }
  const second = { messages: user('two').messages, tools: [tool], seed: 1 }
  await model.complete(second)
  await expect(model.complete(second)).rejects.toThrow('has the text of its record, which has answered an earlier call')
  await model.complete(first)
  await expect(model.complete(first)).rejects.toThrow('Call 4 was never recorded: the record holds 2.')
})

test('after so many calls the live model goes on, under its own name', async () => {
  const trace = await record()
  const live: ChatModel = { name: 'live', complete: () => Promise.resolve({ ...said, text: 'Live.' }) }
  const model = recordedModel(trace, { calls: 1, live })
  expect(model.name).toBe('scripted')
  const messages = [system('Be good.\nBe quick.'), goal]
  expect((await model.complete({ messages, seed: 1 })).text).toBe('Yes.')
  expect(model.name).toBe('live')
  expect((await model.complete({ messages, seed: 1 })).text).toBe('Live.')
})
