import { expect, test } from 'vitest'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import asynchronous from './react-async.agent.js'
import awaiting from './react-await.agent.js'
import blocking from './react-blocking.agent.js'
import polling from './react-polling.agent.js'
import pushed from './react-push.agent.js'

const turn = (answer: Omit<Answer, 'phase'>): Answer => ({ phase: 'turn', ...answer })
const end = turn({ says: 'OUTCOME: ACHIEVED' })
const fire = turn({ calls: [['kiln', { action: 'fire' }]] })
const open = turn({ calls: [['kiln', { action: 'open_door' }]] })
const look = turn({ calls: [['read_properties', { tools: ['kiln'] }]] })
const nap = turn({ calls: [['sleep', { ms: 9 }]] })

test('The blocking agent gets one result, when the firing has ended, and never looked.', async () => {
  const { prompts, records, reached } = await playAgent({
    agent: blocking,
    environment: kiln,
    script: [fire, open, end],
  })
  expect(prompts[1]?.messages.at(-1)).toMatchObject({
    content:
      '{"tool":"kiln","action":"fire","accepted":true,"operationId":"op-1","at":1000,"message":"Firing.","completed":true,"signals":[{"seq":3,"at":11000,"signal":"kiln.done","tool":"kiln","payload":{},"operationId":"op-1"}],"returnedAt":11000}',
  })
  expect(story(records, 'suspend', 'wake', 'poll', 'sync')).toEqual([
    { at: 1_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 1_200_000 },
    { at: 11_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
  expect(reached).toBe(true)
})

test('A block that lasts too long is told as one that has not ended.', async () => {
  const { prompts } = await playAgent({
    agent: blocking,
    environment: kiln,
    params: { blockTimeoutMs: 4_000 },
    script: [fire, end],
  })
  expect(prompts[1]?.messages.at(-1)).toMatchObject({
    content: expect.stringContaining('"completed":false,"signals":[],"returnedAt":5000}'),
  })
})

test('The awaiting agent waits by one call, and is told the signals that it has not been shown.', async () => {
  const wait = turn({ calls: [['wait_for', { signals: ['kiln.done'], timeoutMs: 60_000 }]] })
  const { prompts, records, reached } = await playAgent({
    agent: awaiting,
    environment: kiln,
    script: [fire, wait, open, end],
  })
  expect(prompts[2]?.messages.at(-1)).toMatchObject({
    content:
      '{"waited":{"signals":["kiln.done"]},"ended":"signal","signals":[{"seq":3,"at":11000,"signal":"kiln.done","tool":"kiln","payload":{},"operationId":"op-1"}],"at":11000}',
  })
  expect(story(records, 'consumed')).toEqual([{ at: 11_000, kind: 'consumed', seqs: [3] }])
  expect(reached).toBe(true)
})

test('The asynchronous agent is told before its next turn what has ended, and of nothing that others did.', async () => {
  const { prompts, records, reached } = await playAgent({
    agent: asynchronous,
    environment: kiln,
    script: [turn({ calls: [['siren', { action: 'arm' }]] }), fire, { ...look, takesMs: 12_000 }, open, end],
  })
  expect(prompts.map(({ messages }) => messages.filter(({ role }) => role === 'user').length)).toEqual([1, 1, 1, 2, 2])
  expect(prompts[3]?.messages.at(-1)).toEqual({
    role: 'user',
    content: '{"signal":"kiln.done","tool":"kiln","payload":{},"seq":6,"at":12000,"operationId":"op-2"}',
  })
  expect(story(records, 'consumed')).toEqual([{ at: 14_000, kind: 'consumed', seqs: [6] }])
  expect(reached).toBe(true)
})

test('The pushed agent sees values and signals of its focus at the end of its prompts, and asks nothing while it waits.', async () => {
  const wait = turn({ calls: [['wait', { signals: ['kiln.done'], timeoutMs: 60_000 }]] })
  const { prompts, records, reached } = await playAgent({
    agent: pushed,
    environment: kiln,
    script: [turn({ calls: [['focus', { tools: ['kiln'] }]] }), fire, wait, open, end],
  })
  expect(prompts[0]?.tools?.map(({ name }) => name)).toEqual([
    'kiln',
    'siren',
    'system_discovery',
    'manual_retrieval',
    'focus',
    'unfocus',
    'wait',
  ])
  const told = (index: number) =>
    prompts[index]?.messages
      .slice(2)
      .flatMap(({ role, content }) => (role === 'assistant' ? [] : (content?.split('\n') ?? [])))
  expect(told(1)).toEqual([
    '{"focused":["kiln"],"at":1000}',
    '{"tool":"kiln","property":"state","value":"COLD","at":0,"readAt":1000}',
    '{"tool":"kiln","property":"open","value":false,"at":0,"readAt":1000}',
  ])
  // Of values the last prompt has the present ones alone; what was signalled stays.
  expect(told(3)?.slice(-4, -1)).toEqual([
    '{"waited":{"signals":["kiln.done"]},"ended":"signal","at":12000}',
    '{"signal":"kiln.done","tool":"kiln","payload":{},"seq":3,"at":12000,"operationId":"op-1"}',
    '{"tool":"kiln","property":"state","value":"DONE","at":12000,"readAt":12000}',
  ])
  expect(told(4)).toContain('{"signal":"kiln.done","tool":"kiln","payload":{},"seq":3,"at":12000,"operationId":"op-1"}')
  expect(told(4)?.filter((line) => line.includes('"property"'))).toHaveLength(2)
  expect(story(records, 'suspend', 'wake', 'consumed', 'poll')).toEqual([
    { at: 3_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 60_000, verb: 'wait' },
    { at: 12_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
    { at: 12_000, kind: 'consumed', seqs: [3] },
  ])
  expect(reached).toBe(true)
})

test('Where the agent sets the interval, the model is offered a sleep without one, and whatever it says is ignored.', async () => {
  const { prompts, records } = await playAgent({
    agent: polling,
    environment: kiln,
    params: { interval: 'fixed', intervalMs: 700 },
    script: [nap, nap, end],
  })
  const [sleep] = prompts[0]?.tools?.filter(({ kind }) => kind === 'sleep') ?? []
  expect(sleep?.parameters).toEqual({ type: 'object', properties: {}, required: [], additionalProperties: false })
  expect(story(records, 'sleep')).toEqual([
    { at: 1_000, kind: 'sleep', delayMs: 700 },
    { at: 2_700, kind: 'sleep', delayMs: 700 },
  ])
})

test('A back-off doubles up to its bound, and begins anew with an operation and with news.', async () => {
  const { records } = await playAgent({
    agent: polling,
    environment: kiln,
    params: { interval: 'backoff', intervalMs: 1_000, maxIntervalMs: 4_000 },
    script: [nap, nap, nap, nap, fire, look, nap, look, nap, look, nap, look, nap, end],
  })
  expect(records.flatMap((record) => (record.kind === 'sleep' ? [record.delayMs] : []))).toEqual([
    1_000, 2_000, 4_000, 4_000, 1_000, 2_000, 4_000, 1_000,
  ])
})

test('A length that nobody would ask for is refused, and not ignored.', () => {
  const complaint = (params: object) =>
    polling.params.safeParse(params).error?.issues.map(({ path, message }) => [...path, message])
  expect(complaint({ intervalMs: 5_000 })).toEqual([
    ['intervalMs', 'has no effect unless interval is fixed or backoff'],
  ])
  expect(complaint({ interval: 'fixed', maxIntervalMs: 5_000 })).toEqual([
    ['maxIntervalMs', 'has no effect unless interval is backoff'],
  ])
  expect(complaint({ interval: 'backoff', intervalMs: 90_000 })).toEqual([
    ['maxIntervalMs', 'must not be below intervalMs'],
  ])
  expect(complaint({ interval: 'backoff', intervalMs: 60_000 })).toBeUndefined()
})
