import { expect, test } from 'vitest'
import { kiln } from '../../harness/testing/kiln.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import polling from './react-polling.agent.js'
import sync from './react-sync.agent.js'

const turn = (answer: Omit<Answer, 'phase'>): Answer => ({ phase: 'turn', ...answer })
const end = turn({ says: 'Done.\nOUTCOME: ACHIEVED' })

test('The goal is the first user message, and every result follows its call word for word.', async () => {
  const { prompts, records } = await playAgent({
    agent: sync,
    environment: kiln,
    script: [turn({ says: 'I fire.', calls: [['kiln', { action: 'fire' }]] }), end],
  })
  expect(prompts[0]?.tools?.map(({ name }) => name)).toEqual(['kiln', 'siren', 'system_discovery', 'manual_retrieval'])
  expect(prompts[1]?.messages.slice(1)).toEqual([
    { role: 'user', content: 'Fire the pot, then open the kiln.' },
    {
      role: 'assistant',
      content: 'I fire.',
      tool_calls: [{ id: 'call-1-0', type: 'function', function: { name: 'kiln', arguments: '{"action":"fire"}' } }],
    },
    {
      role: 'tool',
      tool_call_id: 'call-1-0',
      content: '{"tool":"kiln","action":"fire","accepted":true,"operationId":"op-1","at":1000,"message":"Firing."}',
    },
  ])
  expect(story(records, 'claim')).toEqual([
    { at: 2_000, kind: 'claim', claim: 'achieved', text: 'Done.\nOUTCOME: ACHIEVED' },
  ])
})

test('The polling agent reads and sleeps when its model says so, and opens in time.', async () => {
  const look = turn({ calls: [['read_properties', { tools: ['kiln'] }]] })
  const { records, reached, violations } = await playAgent({
    agent: polling,
    environment: kiln,
    script: [
      turn({ calls: [['kiln', { action: 'fire' }]] }),
      look,
      turn({ calls: [['sleep', { ms: 8_000 }]] }),
      look,
      turn({ calls: [['kiln', { action: 'open_door' }]] }),
      end,
    ],
  })
  expect([reached, violations]).toEqual([true, []])
  expect(story(records, 'poll', 'sleep')).toEqual([
    { at: 2_000, kind: 'poll', values: { 'kiln.state': 'FIRING', 'kiln.open': false } },
    { at: 3_000, kind: 'sleep', delayMs: 8_000 },
    { at: 12_000, kind: 'poll', values: { 'kiln.state': 'DONE', 'kiln.open': false } },
  ])
})

test('Nothing of a malformed answer is carried out, and each kind is corrected where it stands.', async () => {
  const fire = { action: 'fire' }
  const { prompts, records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { maxMalformed: 10 },
    script: [
      turn({ calls: [['kiln', '{"action":']] }),
      turn({ calls: [['oven', fire]] }),
      turn({
        calls: [
          ['kiln', fire],
          ['siren', { action: 'arm' }],
        ],
      }),
      turn({ says: '' }),
      turn({ calls: [['kiln', fire]], finish: 'length' }),
      turn({ says: 'I must not.', finish: 'refusal' }),
      turn({ says: 'I wonder.' }),
      end,
    ],
  })
  expect(story(records, 'operation', 'invalid')).toEqual([])
  expect(records.flatMap((record) => (record.kind === 'malformed' ? [record.what] : []))).toEqual([
    'bad_arguments',
    'unknown_tool',
    'two_calls',
    'empty',
    'length',
    'refusal',
    'no_outcome',
  ])
  const answers = prompts
    .at(-1)
    ?.messages.slice(2)
    .map((message) => message.role)
  expect(answers?.join(' ')).toBe(
    'assistant tool assistant tool assistant tool tool user assistant tool assistant user assistant user',
  )
})

test('One malformed answer more than allowed in a row ends the agent, and a good call starts the count anew.', async () => {
  const bad = turn({ calls: [['oven', {}]] })
  const good = turn({ calls: [['system_discovery', {}]] })
  const { records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { maxMalformed: 1 },
    script: [bad, good, bad, bad],
  })
  const detail = 'No tool named "oven". Known: kiln, siren, system_discovery, manual_retrieval.'
  expect(story(records, 'malformed', 'claim')).toEqual([
    { at: 1_000, kind: 'malformed', what: 'unknown_tool', detail, retry: true },
    { at: 3_000, kind: 'malformed', what: 'unknown_tool', detail, retry: true },
    { at: 4_000, kind: 'malformed', what: 'unknown_tool', detail, retry: false },
    { at: 4_000, kind: 'claim', claim: 'gave_up', text: detail },
  ])
})

test('Calls that the door finds invalid are answered by it, and count as well.', async () => {
  const bad = turn({ calls: [['kiln', { action: 'melt' }]] })
  const { records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { maxMalformed: 1 },
    script: [bad, bad],
  })
  expect(story(records, 'invalid')).toHaveLength(2)
  expect(story(records, 'malformed', 'claim')).toEqual([
    { at: 2_000, kind: 'claim', claim: 'gave_up', text: '2 calls in a row were invalid.' },
  ])
})

test('A text without an outcome is asked for it once; without one again, no success is claimed.', async () => {
  const vague = turn({ says: 'All is well.' })
  const { records } = await playAgent({ agent: sync, environment: kiln, script: [vague, vague] })
  expect(records.flatMap((record) => (record.kind === 'claim' ? [record.claim] : []))).toEqual(['gave_up'])
})

test('After a call, a text without an outcome is asked for it once more.', async () => {
  const vague = turn({ says: 'All is well.' })
  const call = turn({ calls: [['system_discovery', {}]] })
  const { records } = await playAgent({ agent: sync, environment: kiln, script: [vague, call, vague, end] })
  expect(records.flatMap((record) => (record.kind === 'claim' ? [record.claim] : []))).toEqual(['achieved'])
})

test.each(['**Outcome: gave up**\n', '**OUTCOME:** GAVE UP', '- **OUTCOME**: *GAVE UP*.'])(
  'A stated failure is claimed as such, in whatever dress the line comes: %j',
  async (line) => {
    const { records } = await playAgent({ agent: sync, environment: kiln, script: [turn({ says: `No.\n${line}` })] })
    expect(records.flatMap((record) => (record.kind === 'claim' ? [record.claim] : []))).toEqual(['gave_up'])
  },
)
