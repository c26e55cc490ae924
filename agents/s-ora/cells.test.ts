import { expect, test } from 'vitest'
import { defineEnvironment } from '../../harness/contract/index.js'
import type { Message } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, reflect } from './fixtures/script.js'
import awaiting from './sora-await.agent.js'
import polling from './sora-polling.agent.js'
import pushed from './sora-push.agent.js'

const textOf = (messages: readonly Message[] = []): string => messages.map(({ content }) => content).join('\n')
const fire = cycle('kiln', { action: 'fire' })
const open = cycle('kiln', { action: 'open_door' })

test('Without SETUP and WAIT there is nothing to decide but to act, or to look afresh.', async () => {
  const { prompts, records } = await playAgent({
    agent: pushed,
    environment: kiln,
    script: [
      observe(),
      { phase: 'reasoning', says: { decision: 'WAIT', instruction: 'Wait.' } },
      reason('OBSERVE'),
      ...finish,
    ],
  })
  const { properties } = prompts[1]?.schema?.schema ?? {}
  expect(properties).toMatchObject({ decision: { enum: ['ACT', 'OBSERVE'] } })
  expect(properties).not.toHaveProperty('wait')
  expect(story(records, 'malformed').map((record) => 'what' in record && record.what)).toEqual(['schema'])
})

test('Where nothing is pushed, looks, sleeps and waits are calls of ACTION, and what they bring stands in the history.', async () => {
  const looking = await playAgent({
    agent: polling,
    environment: kiln,
    script: [
      ...fire,
      ...cycle('sleep', { ms: 9_000 }),
      ...cycle('read_properties', { tools: ['kiln'] }),
      ...open,
      ...finish,
    ],
  })
  const last = textOf(looking.prompts[9]?.messages)
  expect(last).toContain('{"slept":9000,"at":15000}')
  expect(last).toContain('"state":{"value":"DONE","at":13000}')
  expect(last).not.toMatch(/^## (?:VARIABLES|SIGNALS)$/m)
  expect(last).toContain('Verbs: discover, read, observe, operate, sleep, claim, decline.')
  expect(looking.reached).toBe(true)

  const waiting = await playAgent({
    agent: awaiting,
    environment: kiln,
    script: [...fire, ...cycle('wait_for', { signals: ['kiln.done'], timeoutMs: 60_000 }), ...open, ...finish],
  })
  expect(story(waiting.records, 'suspend', 'wake')).toEqual([
    { at: 6_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 60_000, verb: 'wait_for' },
    { at: 13_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
  expect(textOf(waiting.prompts[6]?.messages)).toContain('{"waited":{"signals":["kiln.done"]},"ended":"signal"')
  expect(waiting.reached).toBe(true)
})

test('Pushed phases focus and wait by calls, are shown values and signals, and keep what they have read.', async () => {
  const { prompts, records, reached } = await playAgent({
    agent: pushed,
    environment: kiln,
    script: [
      ...cycle('manual_retrieval', { document: 'kiln_manual' }),
      ...cycle('focus', { tools: ['kiln'] }),
      ...fire,
      ...cycle('wait', { signals: ['kiln.done'], timeoutMs: 60_000 }),
      ...open,
      ...finish,
    ],
  })
  const tools = prompts[2]?.tools?.map(({ name }) => name)
  expect(tools?.slice(-4)).toEqual(['focus', 'unfocus', 'wait', 'decline'])
  const woken = textOf(prompts[12]?.messages)
  expect(woken).toContain('<document id="kiln_manual">')
  expect(woken).toContain('{"tool":"kiln","property":"state","value":"DONE","at":19000,"readAt":19000}')
  expect(woken).toContain('"signal":"kiln.done"')
  expect(story(records, 'suspend', 'mount')).toEqual([
    { at: 12_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 60_000, verb: 'wait' },
  ])
  expect(reached).toBe(true)
})

test('Goals in sequence are activities one after the other, and the later one has what was read before.', async () => {
  const environment = defineEnvironment({
    ...kiln,
    roles: () => [{ name: 'potter', goal: [{ text: 'Fire.' }, { text: 'Fire again.' }] }],
  })
  const { prompts, records } = await playAgent({
    agent: pushed,
    environment,
    script: [
      ...cycle('manual_retrieval', { document: 'kiln_manual' }),
      observe({ completed: true, achieved: true }),
      reflect,
      observe(),
      reason('ACT'),
      act('kiln', { action: 'fire' }),
      ...finish,
    ],
  })
  expect(story(records, 'pursue', 'claim')).toMatchObject([
    { at: 0, goals: [0] },
    { at: 5_000, claim: 'achieved' },
    { at: 5_000, goals: [1] },
    { at: 10_000, claim: 'achieved' },
  ])
  expect(textOf(prompts[5]?.messages)).toContain('<document id="kiln_manual">')
})
