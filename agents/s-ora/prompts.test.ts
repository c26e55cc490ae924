import { expect, test } from 'vitest'
import { defineEnvironment } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, reflect, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const whole = [
  ...situate,
  reason('ACT', waitFor(['kiln.done'])),
  act('kiln', { action: 'fire' }),
  ...cycle('kiln', { action: 'open_door' }),
  ...finish,
]
const play = (params = {}) => playAgent({ agent: sora, environment: kiln, params, script: whole })

function sectionsOf(text: string): string[] {
  const outside = text.replaceAll(/<document [^]*?<\/document>/g, '')
  return [...outside.matchAll(/^## (.*)$/gm)].map((match) => match[1] ?? '')
}

function bodyOf(text: string, title: string): string {
  return text.split(`## ${title}\n`)[1]?.split('\n\n## ')[0] ?? 'absent'
}

test('Each phase sees its own sections, the history last, and only ACTION is offered tools.', async () => {
  const { prompts } = await play()
  const seen = new Map(
    prompts.map(({ phase, messages, tools, schema }) => [
      phase,
      [...sectionsOf(messages[1]?.content ?? ''), tools?.map(({ name }) => name) ?? schema?.name],
    ]),
  )
  expect(Object.fromEntries(seen)).toEqual({
    observation: ['GOAL', 'DOCUMENTS', 'PLAN', 'VARIABLES', 'SIGNALS', 'HISTORY', 'observation'],
    reasoning: ['GOAL', 'DOCUMENTS', 'CATALOGUE', 'PLAN', 'VARIABLES', 'HISTORY', 'reasoning'],
    setup: ['GOAL', 'CATALOGUE', 'INSTRUCTION', 'HISTORY', 'setup'],
    action: [
      'GOAL',
      'DOCUMENTS',
      'PLAN',
      'VARIABLES',
      'INSTRUCTION',
      'HISTORY',
      ['kiln', 'siren', 'system_discovery', 'manual_retrieval', 'decline'],
    ],
    completed: ['GOAL', 'PLAN', 'HISTORY', 'completed'],
  })
})

test('Every phase is told the whole repertoire in its system message.', async () => {
  const { prompts } = await play()
  const repertoires = new Set(prompts.map(({ messages }) => bodyOf(messages[0]?.content ?? '', 'REPERTOIRE')))
  expect([...repertoires]).toEqual([
    `Verbs: discover, read, mount, focus, observe, operate, wait, claim, decline.
{"tool":"kiln","operation":"fire","summary":"Fires the pot."}
{"tool":"kiln","operation":"open_door","summary":"Opens the door."}
{"tool":"siren","operation":"arm","summary":"Arms the siren."}`,
  ])
})

test('A document enters the prompt word for word when it is mounted, never by the history.', async () => {
  const { prompts, records } = await play()
  const read = new Set(
    records.flatMap((record) => (record.kind === 'read' && record.what === 'document' ? [record.document] : [])),
  )
  expect([...read]).toEqual(['kiln_manual', 'siren_manual'])
  const fenced = prompts.map(
    ({ messages }) => messages[1]?.content?.match(/<document id="[^]*?<\/document>/g)?.length ?? 0,
  )
  const afterSetup = situate.length
  expect(fenced.slice(0, afterSetup)).toEqual(situate.map(() => 0))
  expect(fenced.slice(afterSetup)).toEqual([2, 2, 2, 2, 2, 2, 0])
  expect(prompts[afterSetup]?.messages[1]?.content).toContain('Never open it while it fires.')
})

test('The catalogue tells what is listed, read and mounted, and OBSERVATION how many documents are unread.', async () => {
  const { prompts } = await play()
  const states = (index: number) =>
    [...(prompts[index]?.messages[1]?.content ?? '').matchAll(/"state":"(\w+)"/g)].map(([, state]) => state)
  expect([states(1), states(4), states(7), states(situate.length)]).toEqual([
    [],
    ['listed', 'listed'],
    ['read', 'listed'],
    ['mounted', 'mounted'],
  ])
  const unread = [0, 3, 6, 9].map(
    (index) => /Unread documents: \d|Nothing is discovered yet/.exec(prompts[index]?.messages[1]?.content ?? '')?.[0],
  )
  expect(unread).toEqual([
    'Nothing is discovered yet',
    'Unread documents: 2',
    'Unread documents: 1',
    'Unread documents: 0',
  ])
})

test('An instruction reaches the phase that carries it out word for word.', async () => {
  const { prompts } = await play()
  const instructions = prompts.flatMap(({ phase, messages }) =>
    phase === 'setup' || phase === 'action' ? [bodyOf(messages[1]?.content ?? '', 'INSTRUCTION')] : [],
  )
  const [acts, setups] = ['Next: ACT.', 'Next: SETUP.']
  expect(instructions).toEqual([acts, acts, acts, setups, acts, acts])
})

test('The window cuts the history of every phase but COMPLETED, which sees all steps with the beliefs of their time.', async () => {
  const { prompts } = await play({ window: 1 })
  expect(bodyOf(prompts.at(-2)?.messages[1]?.content ?? '', 'HISTORY')).toBe(
    '{"tool":"kiln","action":"open_door","accepted":true,"operationId":"op-2","at":27000,"message":"Open."}\n',
  )
  expect(bodyOf(prompts.at(-1)?.messages[1]?.content ?? '', 'HISTORY'))
    .toBe(`{"discovered":{"tools":2,"documents":2},"at":3000}
{"read":"kiln_manual","at":6000}
{"read":"siren_manual","at":9000}
{"mounted":["kiln_manual","siren_manual"],"at":12000}
{"focused":["kiln","siren"],"at":12000}
{"tool":"kiln","property":"state","value":"COLD","at":0,"readAt":12000}
{"tool":"kiln","property":"open","value":false,"at":0,"readAt":12000}
{"tool":"kiln","action":"fire","accepted":true,"operationId":"op-1","at":14000,"message":"Firing."}
{"waited":{"signals":["kiln.done"]},"ended":"signal","at":24000}
{"tool":"kiln","property":"state","value":"DONE","at":24000,"readAt":24000}
{"signal":"kiln.done","tool":"kiln","payload":{},"seq":3,"at":24000,"operationId":"op-1"}
{"tool":"kiln","action":"open_door","accepted":true,"operationId":"op-2","at":27000,"message":"Open."}
{"tool":"kiln","property":"open","value":true,"at":27000,"readAt":27000}
{"ended":"achieved","summary":"So it is.","at":28000}
`)
})

test('Two goals interleave phase by phase, share what was read, and each makes its own claim.', async () => {
  const twice = defineEnvironment({
    ...kiln,
    roles: () => [{ name: 'potter', goal: [{ text: 'Read the manual.' }, { text: 'Fire the pot.' }] }],
  })
  const done = observe({ completed: true, achieved: true })
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: twice,
    script: [
      observe(),
      observe(),
      reason('ACT'),
      reason('OBSERVE'),
      act('system_discovery'),
      observe(),
      done,
      reason('OBSERVE'),
      reflect,
      done,
      reflect,
    ],
  })
  const goals = prompts.map(({ messages }) => bodyOf(messages[1]?.content ?? '', 'GOAL'))
  const [read, fire] = ['Read the manual.', 'Fire the pot.']
  expect(goals).toEqual([read, fire, read, fire, read, fire, read, fire, read, fire, fire])
  expect(prompts[7]?.messages[1]?.content).toContain('{"document":"kiln_manual"')
  expect(story(records, 'claim')).toHaveLength(2)
  expect(new Set(records.flatMap((record) => (record.kind === 'claim' ? [record.activity] : []))).size).toBe(2)
})
