import { expect, test } from 'vitest'
import { story } from '../../harness/testing/agent-rig.js'
import { calls, end, says, talk } from './fixtures/talk.js'

const discover = calls('system_discovery')
const read = calls(['manual_retrieval', { document: 'kiln_manual' }])
const missing = calls(['manual_retrieval', { document: 'x' }])
const fire = calls(['kiln', { action: 'fire' }])

test('goals are conversations one after the other, and begin with what was read before and nothing else', async () => {
  const goals = [{ text: 'Fire.' }, { text: 'Fire again.' }]
  const script = [discover, read, read, missing, calls('plain'), end, fire, end]
  const { prompts, records } = await talk([says('plain', 'Words.')], script, { goals, maxDepth: 6 })
  const [first, second] = [prompts[5]?.messages ?? [], prompts[6]?.messages ?? []]
  expect(second.map(({ role }) => role).join(' ')).toBe('system user assistant tool assistant tool')
  expect(second.slice(0, 2)).toEqual([first[0], { role: 'user', content: 'Fire again.' }])
  expect([second[3], second[5]]).toEqual([first[3], first[5]])
  const asked = second.map((message) => ('tool_calls' in message ? message.tool_calls : undefined))
  expect(asked.flatMap((call) => call?.map((each) => each.function.arguments) ?? [])).toEqual([
    '{}',
    '{"document":"kiln_manual"}',
  ])
  expect(story(records, 'pursue', 'claim')).toMatchObject([
    { at: 0, kind: 'pursue', goals: [0] },
    { at: 6_000, kind: 'claim' },
    { at: 6_000, kind: 'pursue', goals: [1] },
    { at: 8_000, kind: 'claim' },
  ])
})

test('a goal that is still to come is waited for, and one that never will ends nothing but the wait', async () => {
  const late = await talk([], [end, end], { goals: [{ text: 'Fire.' }, { text: 'Open.', atMs: 60_000 }] })
  expect(story(late.records, 'claim')).toMatchObject([{ at: 1_000 }, { at: 61_000 }])
  const chained = await talk([], [end, end], { goals: [{ text: 'Fire.' }, { text: 'Open.', after: 0 }] })
  expect(story(chained.records, 'claim')).toHaveLength(2)
  const gaveUp = { phase: 'turn', says: 'OUTCOME: GAVE UP' } as const
  const never = await talk([], [gaveUp], { goals: [{ text: 'Fire.' }, { text: 'Open.', after: 0 }] })
  expect(never.how).toBe('ended')
})
