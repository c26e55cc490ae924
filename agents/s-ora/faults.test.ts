import { expect, test } from 'vitest'
import { deliverySchema } from '../../harness/contract/index.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const malformed = (records: Awaited<ReturnType<typeof playAgent>>['records']) =>
  records.flatMap((record) => (record.kind === 'malformed' ? [[record.what, record.retry]] : []))
const says = (value: string): Answer => ({ phase: 'reasoning', says: value })
const calling = (calls: NonNullable<Answer['calls']>): Answer => ({ phase: 'action', calls })
const blocked = [reason('ACT'), act('kiln', { action: 'fire' })]

test('An operation without a mounted manual never reaches the world, and the fourth in a row ends the activity.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [observe(), ...blocked, ...blocked, ...blocked, ...blocked],
  })
  expect(story(records, 'operation', 'malformed', 'claim')).toEqual([
    ...[3_000, 5_000, 7_000, 9_000].map((at) => ({
      at,
      kind: 'malformed',
      what: 'no_manual',
      detail: 'No mounted document covers kiln.',
      retry: at < 9_000,
    })),
    {
      at: 9_000,
      kind: 'claim',
      claim: 'gave_up',
      text: '4 steps in a row led nowhere: No mounted document covers kiln.',
    },
  ])
  expect(prompts[3]?.messages[1]?.content).toMatch(
    /## HISTORY\n\{"notDispatched":\{"tool":"kiln","action":"fire"\},"reason":"No mounted document covers kiln.","at":3000\}\n$/,
  )
})

test('A manual that was read and mounted without the catalogue covers the tool that it names.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...cycle('manual_retrieval', { document: 'kiln_manual' }),
      observe(),
      reason('SETUP'),
      setup({ mount: ['kiln_manual'] }),
      ...blocked,
      ...finish,
    ],
  })
  expect(story(records, 'operation', 'malformed')).toMatchObject([{ kind: 'operation', tool: 'kiln', action: 'fire' }])
})

test('A manual that was read without the catalogue covers no other tool.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...cycle('manual_retrieval', { document: 'siren_manual' }),
      observe(),
      reason('SETUP'),
      setup({ mount: ['siren_manual'] }),
      ...blocked,
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(malformed(records)).toEqual([['no_manual', true]])
})

test('A step forward between blocked operations starts their count anew.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { maxSetbacks: 1 },
    script: [
      observe(),
      ...blocked,
      reason('ACT'),
      act('system_discovery'),
      observe(),
      ...blocked,
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(malformed(records)).toEqual([
    ['no_manual', true],
    ['no_manual', true],
  ])
})

test('Without the knowledge constraint the same operation is carried out.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { knowledgeConstraint: false },
    script: [observe(), ...blocked, ...finish],
  })
  expect(story(records, 'operation', 'malformed')).toEqual([
    { at: 3_000, kind: 'operation', op: 'op-1', tool: 'kiln', action: 'fire', args: {} },
  ])
})

test('A malformed decision is corrected in its phase, and nothing of it happens.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { malformed: 8 },
    script: [
      observe(),
      says('{"decision":'),
      says('{"decision":"DANCE","instruction":"Dance.","wait":null}'),
      says('{"decision":"ACT","instruction":" ","wait":null}'),
      reason('WAIT'),
      reason('WAIT', { signals: [], when: null, timeoutMs: 5 }),
      reason('WAIT', { signals: [], when: { tool: 'kiln', property: 'state', op: 'is', value: 'DONE' }, timeoutMs: 5 }),
      { phase: 'reasoning', says: 'I would rather not.', finish: 'refusal' },
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(malformed(records)).toEqual([
    ['not_json', true],
    ['schema', true],
    ['no_instruction', true],
    ['no_condition', true],
    ['no_condition', true],
    ['unobserved_condition', true],
    ['refusal', true],
  ])
  expect(prompts[2]?.messages.slice(2)).toEqual([
    { role: 'assistant', content: '{"decision":' },
    {
      role: 'user',
      content: 'The answer is not one JSON object. Nothing was carried out. Answer again, as TASK asks.',
    },
  ])
})

test('One answer more than allowed that cannot be used gives the goal up.', async () => {
  const bad: Answer = { phase: 'reasoning', says: 'no JSON' }
  const { records } = await playAgent({ agent: sora, environment: kiln, script: [observe(), bad, bad, bad, bad] })
  expect(malformed(records)).toEqual([
    ['not_json', true],
    ['not_json', true],
    ['not_json', true],
    ['not_json', false],
  ])
  expect(story(records, 'claim')).toEqual([
    { at: 5_000, kind: 'claim', claim: 'gave_up', text: 'The answer is not one JSON object.' },
  ])
})

test('A signal that turns a phase back to OBSERVATION does not forgive what could not be used before it.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { malformed: 1 },
    worldParams: { wailMs: 1_500 },
    script: [
      ...situate,
      reason('ACT'),
      act('siren', { action: 'arm' }),
      observe(),
      says('no JSON'),
      { phase: 'observation', says: 'no JSON either' },
    ],
  })
  expect(story(records, 'malformed', 'guard', 'claim')).toMatchObject([
    { kind: 'malformed', retry: true },
    { kind: 'guard' },
    { kind: 'malformed', retry: false },
    { kind: 'claim', claim: 'gave_up' },
  ])
})

test('An invalid call counts as an answer that cannot be used, after others that could not be read.', async () => {
  const melt = act('kiln', { action: 'melt' })
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { malformed: 1 },
    script: [...situate, reason('ACT'), { phase: 'action', says: 'Melt!' }, melt],
  })
  expect(story(records, 'malformed', 'claim')).toMatchObject([
    { what: 'no_call', retry: true },
    { claim: 'gave_up', text: 'The call was invalid.' },
  ])
})

test('A setup with unknown or unread documents or unknown tools changes nothing until it is right.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { malformed: 3 },
    script: [
      ...cycle('system_discovery'),
      ...cycle('manual_retrieval', { document: 'kiln_manual' }),
      observe(),
      reason('SETUP'),
      setup({ mount: ['kiln_manual', 'cookbook'] }),
      setup({ mount: ['kiln_manual', 'siren_manual'] }),
      setup({ mount: ['kiln_manual'], focus: ['stove'] }),
      setup({ mount: ['kiln_manual'], focus: ['kiln'] }),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(story(records, 'malformed', 'mount', 'focus')).toEqual([
    {
      at: 9_000,
      kind: 'malformed',
      what: 'unknown_document',
      retry: true,
      detail: 'No document named "cookbook". Known: "kiln_manual", "siren_manual".',
    },
    {
      at: 10_000,
      kind: 'malformed',
      what: 'unread_document',
      retry: true,
      detail: 'Not read yet: "siren_manual". An action must read it before it can be mounted.',
    },
    {
      at: 11_000,
      kind: 'malformed',
      what: 'unknown_tool',
      retry: true,
      detail: 'No tool named "stove" to focus. Known: "kiln", "siren".',
    },
    { at: 12_000, kind: 'focus', tool: 'kiln' },
    { at: 12_000, kind: 'mount', documents: ['kiln_manual'] },
  ])
})

test('Malformed actions are corrected, a declined one goes back to REASONING, and none is carried out.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...situate,
      reason('ACT', waitFor(['kiln.done'])),
      { phase: 'action', says: 'Fire!' },
      calling([['oven', {}]]),
      calling([['kiln', '[1]']]),
      act('decline', { reason: 'Not now.' }),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(malformed(records)).toEqual([
    ['no_call', true],
    ['unknown_tool', true],
    ['bad_arguments', true],
  ])
  expect(story(records, 'operation', 'suspend')).toEqual([])
  expect(prompts[situate.length + 5]?.messages[1]?.content).toMatch(/\{"declined":"Not now.","at":17000\}\n$/)
})

test('An invalid call is news for the next OBSERVATION and begins no wait.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...situate, reason('ACT', waitFor(['kiln.done'])), act('kiln', { action: 'melt' }), ...finish],
  })
  expect(story(records, 'invalid', 'operation', 'suspend')).toHaveLength(1)
  expect(prompts[situate.length + 2]?.messages[1]?.content).toMatch(/\{"tool":"kiln","error":".*","at":14000\}\n$/)
})

test('A reflection that cannot be read changes nothing of the claim.', async () => {
  const bad: Answer = { phase: 'completed', says: 'Well.' }
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [observe({ completed: true, achieved: true, summary: 'It was open.' }), bad, bad, bad, bad],
  })
  expect(story(records, 'claim')).toEqual([{ at: 5_000, kind: 'claim', claim: 'achieved', text: 'It was open.' }])
})

test('What could not be read stands in the prompt in one line, and no condition holds by it.', async () => {
  const when = { tool: 'kiln', property: 'state', op: 'is', value: 'COLD' }
  const { prompts, records } = await playAgent({
    agent: sora,
    environment: kiln,
    delivery: deliverySchema.parse({ readFail: 1 }),
    script: [...situate, reason('WAIT', { signals: [], when, timeoutMs: 5_000 }), ...finish],
  })
  expect(prompts[situate.length]?.messages[1]?.content).toContain(
    '{"notRead":["kiln"],"reason":"The read failed: what holds now is not known."}',
  )
  expect(story(records, 'wake', 'sync')).toMatchObject([{ kind: 'wake', reason: 'timeout' }])
})
