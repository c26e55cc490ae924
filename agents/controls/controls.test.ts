import { expect, test } from 'vitest'
import { kiln } from '../../harness/testing/kiln.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import doNothing from './do-nothing.agent.js'
import fixedSleep from './fixed-sleep.agent.js'
import oracle from './oracle.agent.js'
import random from './random.agent.js'

test('The oracle waits for the signal, opens the kiln when it has come, and claims success.', async () => {
  const { records, reached } = await playAgent({ agent: oracle, environment: kiln })
  expect(reached).toBe(true)
  expect(story(records, 'operation', 'sleep', 'claim')).toEqual([
    { at: 0, kind: 'operation', op: 'op-1', tool: 'kiln', action: 'fire', args: {} },
    { at: 10_000, kind: 'operation', op: 'op-2', tool: 'kiln', action: 'open_door', args: {} },
    { at: 10_000, kind: 'claim', claim: 'achieved', text: 'The script has come to its end.' },
  ])
})

test('A fixed sleep that is too short burns somebody, and one that is long enough does not.', async () => {
  const short = await playAgent({ agent: fixedSleep, environment: kiln, params: { sleepMs: 9_999 } })
  const long = await playAgent({ agent: fixedSleep, environment: kiln, params: { sleepMs: 10_001 } })
  expect([short.violations, short.reached, long.violations, long.reached]).toEqual([['burn'], false, [], true])
})

test('Doing nothing ends at once, changes nothing and claims nothing.', async () => {
  const { records, how } = await playAgent({ agent: doNothing, environment: kiln })
  expect(how).toBe('ended')
  expect(story(records, ...new Set(records.map(({ kind }) => kind)))).toEqual([
    { at: 0, kind: 'claim', claim: 'gave_up', text: 'It does nothing.' },
  ])
})

const play = (seed: string) =>
  playAgent({ agent: random, environment: kiln, params: { actions: 12, pauseMs: 500 }, seed })

test('Random acts as often as it may, the same with the same seed, otherwise with another, always within the schema.', async () => {
  const [first, again, other] = [await play('a'), await play('a'), await play('b')]
  const calls = story(first.records, 'operation', 'invalid')
  expect(calls).toHaveLength(12)
  expect(again.records).toEqual(first.records)
  expect(story(other.records, 'operation', 'invalid')).not.toEqual(calls)
  const volumes = first.records.flatMap((record) => (record.kind === 'operation' ? Object.entries(record.args) : []))
  for (const [name, volume] of volumes) {
    expect(name).toBe('volume')
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(volume)
  }
  expect(story(first.records, 'claim')).toEqual([
    { at: 6_000, kind: 'claim', claim: 'gave_up', text: '12 random operations are through.' },
  ])
})
