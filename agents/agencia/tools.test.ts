import { expect, test } from 'vitest'
import { story } from '../../harness/testing/agent-rig.js'
import { calls, end, offered, results, says, talk } from './fixtures/talk.js'

const FIRED = '{"tool":"kiln","action":"fire","accepted":true,"operationId":"op-1","at":1000,"message":"Firing."}'
const fire: [string, object] = ['kiln', { action: 'fire' }]

test('without a registry the tools of the world are plain agents', async () => {
  const play = await talk([], [calls(fire), end])
  expect(offered(play)[0]).toEqual(['kiln', 'siren', 'system_discovery', 'manual_retrieval'])
  expect(results(play)).toEqual([FIRED])
})

test('an agent that wraps a tool takes its place, keeps its actions, and adds its author’s words to what it brings', async () => {
  const wrapper = {
    name: 'kiln',
    summary: 'Pots.',
    tool: 'kiln',
    replies: [{ when: 'Firing.', text: '{{ .Get "tip" }}' }],
  }
  const play = await talk([wrapper, says('tip', 'Wait.')], [calls(fire), end])
  expect(results(play)).toEqual([`${FIRED}\nWait.`])
  const [spec] = play.prompts[0]?.tools ?? []
  expect(spec?.description.split('\n')[0]).toBe('Pots.')
  expect(spec?.actions.map(({ name }) => name)).toEqual(['fire', 'open_door'])
})

test('a reply whose words do not stand in what the tool brought is not given; the first that fits is', async () => {
  const replies = [{ when: 'Burning.', fail: 'Out!' }, { text: 'Patience.' }, { text: 'Never.' }]
  expect(results(await talk([{ name: 'kiln', tool: 'kiln', replies }], [calls(fire), end]))).toEqual([
    `${FIRED}\nPatience.`,
  ])
  const silent = [{ name: 'kiln', tool: 'kiln', replies: [{ when: 'Burning.', text: 'Out!' }] }]
  expect(results(await talk(silent, [calls(fire), end]))).toEqual([FIRED])
})

test('a soft failure beside data keeps the data', async () => {
  const wrapper = { name: 'kiln', tool: 'kiln', replies: [{ text: '%no-result cold%' }] }
  expect(results(await talk([wrapper], [calls(fire), end]))).toEqual([`${FIRED}\n{"agent":"kiln","noResult":"cold"}`])
  const advising = { name: 'kiln', tool: 'kiln', replies: [{ text: '%no-result cold% Wait.' }] }
  expect(results(await talk([advising], [calls(fire), end]))).toEqual([
    `${FIRED}\nWait.\n{"agent":"kiln","noResult":"cold"}`,
  ])
})

test('an agent with fixed arguments is called without any, and can be recruited by others', async () => {
  const lighter = { name: 'lighter', tool: 'kiln', args: { action: 'fire' } }
  const play = await talk([lighter, says('potter', '{{ .Get "lighter" "now" }}')], [calls('potter'), end])
  expect(results(play)).toEqual([FIRED])
  expect(play.prompts[0]?.tools?.find(({ name }) => name === 'lighter')?.parameters).toEqual({
    type: 'object',
    properties: {},
    additionalProperties: false,
  })
})

test('arguments that the model got wrong are answered, and too many in a row end the agent', async () => {
  const bad = calls(['kiln', { action: 'melt' }])
  const { records } = await talk([], [bad, bad], { malformed: 1 })
  expect(story(records, 'unit_result', 'claim')).toEqual([
    { at: 1_000, kind: 'unit_result', unit: 'kiln', depth: 1, ran: false, ended: 'output', detail: '' },
    { at: 2_000, kind: 'unit_result', unit: 'kiln', depth: 1, ran: false, ended: 'output', detail: '' },
    { at: 2_000, kind: 'claim', claim: 'gave_up', text: 'Too many answers in a row were malformed, or invalid calls.' },
  ])
})

test('arguments that an author got wrong are a hard failure', async () => {
  const lighter = { name: 'lighter', tool: 'kiln', args: { action: 'melt' } }
  const { records } = await talk([lighter, says('potter', '{{ .Get "lighter" }}')], [calls('potter')])
  expect(story(records, 'claim')).toMatchObject([
    { text: expect.stringContaining('Tool handling was stopped: lighter was called wrongly: {"tool":"kiln"') },
  ])
})

test('a registry that wraps a tool which the world does not have is an error with the known ones', async () => {
  await expect(talk([{ name: 'oven', tool: 'oven' }], [])).rejects.toThrow(
    'The agent "oven" of the registry wraps the tool "oven", which this world does not have. Known: kiln, siren, system_discovery, manual_retrieval.',
  )
})
