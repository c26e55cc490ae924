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
    params: { malformed: 10 },
    script: [
      turn({ calls: [['kiln', '{"action":']] }),
      turn({ calls: [['oven', fire]] }),
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
    'empty',
    'length',
    'refusal',
    'no_outcome',
  ])
  const answers = prompts
    .at(-1)
    ?.messages.slice(2)
    .map((message) => message.role)
  expect(answers?.join(' ')).toBe('assistant tool assistant tool user assistant tool assistant user assistant user')
})

test('One malformed answer more than allowed in a row ends the agent, and a good call starts the count anew.', async () => {
  const bad = turn({ calls: [['oven', {}]] })
  const good = turn({ calls: [['system_discovery', {}]] })
  const { records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { malformed: 1 },
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
    params: { malformed: 1 },
    script: [bad, bad],
  })
  expect(story(records, 'invalid')).toHaveLength(2)
  expect(story(records, 'malformed', 'claim')).toEqual([
    { at: 2_000, kind: 'claim', claim: 'gave_up', text: 'Too many answers in a row were malformed, or invalid calls.' },
  ])
})

test('A text without an outcome is an answer that cannot be used, and claims no success.', async () => {
  const vague = turn({ says: 'All is well.' })
  const { records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { malformed: 1 },
    script: [vague, vague],
  })
  expect(story(records, 'malformed', 'claim')).toMatchObject([
    { what: 'no_outcome', retry: true },
    { what: 'no_outcome', retry: false },
    { claim: 'gave_up' },
  ])
})

test.each(['**Outcome: gave up**\n', '**OUTCOME:** GAVE UP', '- **OUTCOME**: *GAVE UP*.'])(
  'A stated failure is claimed as such, in whatever dress the line comes: %j',
  async (line) => {
    const { records } = await playAgent({ agent: sync, environment: kiln, script: [turn({ says: `No.\n${line}` })] })
    expect(records.flatMap((record) => (record.kind === 'claim' ? [record.claim] : []))).toEqual(['gave_up'])
  },
)

test('Of several calls the first is carried out, the others are told that they were not, and the answer counts as mended.', async () => {
  const both = turn({
    calls: [
      ['kiln', { action: 'fire' }],
      ['siren', { action: 'arm' }],
    ],
  })
  const { prompts, records } = await playAgent({ agent: sync, environment: kiln, script: [both, end] })
  expect(story(records, 'operation', 'malformed', 'repaired')).toMatchObject([
    { kind: 'repaired', mends: ['calls'] },
    { kind: 'operation', action: 'fire' },
  ])
  expect(prompts[1]?.messages.slice(3)).toMatchObject([
    { tool_call_id: 'call-1-0' },
    {
      tool_call_id: 'call-1-1',
      content: '{"error":"Only the first call of an answer is carried out. This one was not."}',
    },
  ])
})

test('A window hides older turns from the prompt, and never what was read.', async () => {
  const read = turn({ calls: [['manual_retrieval', { document: 'kiln_manual' }]] })
  const look = (n: number) => turn({ says: `Look ${n}.`, calls: [['read_properties', {}]] })
  const { prompts } = await playAgent({
    agent: polling,
    environment: kiln,
    params: { window: 1 },
    script: [look(1), read, look(2), look(3), end],
  })
  const said = prompts.at(-1)?.messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))
  expect(said).toEqual([null, 'Look 3.'])
})

test('Documents up front stand in the very first prompt, as if the model had asked for them.', async () => {
  const { prompts, records } = await playAgent({
    agent: sync,
    environment: kiln,
    params: { documents: 'upFront' },
    script: [end],
  })
  expect(story(records, 'read').map(({ at }: { at?: number }) => at)).toEqual([0, 0, 0])
  expect(prompts[0]?.messages.map(({ role }) => role).join(' ')).toBe(
    'system user assistant tool assistant tool assistant tool',
  )
  expect(prompts[0]?.messages.at(-1)?.content).toMatch(/^<document id="siren_manual">/)
})
