import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineEnvironment } from '../../harness/contract/index.js'
import type { GoalSpec } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import sync from './react-sync.agent.js'

const turn = (answer: Omit<Answer, 'phase'>): Answer => ({ phase: 'turn', ...answer })
const end = turn({ says: 'OUTCOME: ACHIEVED' })
const discover = turn({ calls: [['system_discovery', {}]] })
const read = turn({ calls: [['manual_retrieval', { document: 'kiln_manual' }]] })
const missing = turn({ calls: [['manual_retrieval', { document: 'x' }]] })
const fire = turn({ calls: [['kiln', { action: 'fire' }]] })

const withGoals = (goal: readonly GoalSpec[]) =>
  defineEnvironment({ ...kiln, params: z.strictObject(kiln.params.shape), roles: () => [{ name: 'potter', goal }] })

const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role).join(' ')

test('Goals in sequence are conversations of their own, which begin with what was read before and nothing else.', async () => {
  const { prompts, records } = await playAgent({
    agent: sync,
    environment: withGoals([{ text: 'Fire.' }, { text: 'Fire again.' }]),
    script: [discover, read, read, missing, fire, end, end],
  })
  const [first, second] = [prompts[5]?.messages ?? [], prompts[6]?.messages ?? []]
  expect(roles(second)).toBe('system user assistant tool assistant tool')
  expect(second[1]).toEqual({ role: 'user', content: 'Fire again.' })
  expect(second.slice(2)).toEqual(first.slice(2, 6))
  expect(story(records, 'pursue', 'claim')).toEqual([
    { at: 0, kind: 'pursue', goals: [0] },
    { at: 6_000, kind: 'claim', claim: 'achieved', text: 'OUTCOME: ACHIEVED' },
    { at: 6_000, kind: 'pursue', goals: [1] },
    { at: 7_000, kind: 'claim', claim: 'achieved', text: 'OUTCOME: ACHIEVED' },
  ])
})

test('Merged goals are the numbered lines of one prompt; what arrives later is the next batch.', async () => {
  const { prompts, records } = await playAgent({
    agent: sync,
    environment: withGoals([{ text: 'Fire.' }, { text: 'Fire again.' }, { text: 'Open.', atMs: 500 }]),
    params: { goalPolicy: 'merged' },
    script: [end, end],
  })
  expect(prompts.map(({ messages }) => messages[1])).toEqual([
    { role: 'user', content: '1. Fire.\n2. Fire again.' },
    { role: 'user', content: 'Open.' },
  ])
  expect(story(records, 'pursue')).toEqual([
    { at: 0, kind: 'pursue', goals: [0, 1] },
    { at: 1_000, kind: 'pursue', goals: [2] },
  ])
})

test('An agent with nothing at hand waits for the goal that is still to come, and ends where it never will.', async () => {
  const late = await playAgent({
    agent: sync,
    environment: withGoals([{ text: 'Fire.' }, { text: 'Open.', atMs: 60_000 }]),
    script: [end, end],
  })
  expect(story(late.records, 'claim').map((claim) => 'at' in claim && claim.at)).toEqual([1_000, 61_000])
  const never = await playAgent({
    agent: sync,
    environment: withGoals([{ text: 'Fire.' }, { text: 'Open.', after: 0 }]),
    script: [turn({ says: 'OUTCOME: GAVE UP' })],
  })
  expect(never.how).toBe('ended')
})
