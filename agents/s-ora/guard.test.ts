import { expect, test } from 'vitest'
import { deliverySchema } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { notesOf } from '../../harness/trace/records.js'
import { act, finish, observe, reason, situate } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }
const deaf = deliverySchema.parse({ doorbellDrop: 1 })
const armed = [...situate, reason('ACT'), act('siren', { action: 'arm' })]

test('A signal during the thought of an action diverts before it is dispatched, and the action is dropped.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 2_500, wails: 1 },
    script: [...armed, observe(), reason('ACT'), act('kiln', fire), observe(), reason('OBSERVE'), ...finish],
  })
  expect(story(records, 'guard', 'operation')).toEqual([
    { at: 14_000, kind: 'operation', op: 'op-1', tool: 'siren', action: 'arm', args: {} },
    { at: 17_000, kind: 'guard', value: { diverted: 'action' }, signals: ['siren.wail'] },
  ])
  const next = prompts[armed.length + 3]
  expect(next?.phase).toBe('observation')
  expect(next?.messages[1]?.content).toContain('"signal":"siren.wail"')
  expect(next?.messages[1]?.content).toContain(
    '{"notDispatched":{"tool":"kiln","action":"fire"},"reason":"A signal came first.","at":17000}',
  )
})

test('A signal during an OBSERVATION diverts before the next model call.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 500, wails: 1 },
    script: [...armed, observe(), observe(), reason('OBSERVE'), ...finish],
  })
  expect(story(records, 'guard', 'consumed')).toEqual([
    { at: 15_000, kind: 'guard', value: { diverted: 'reasoning' }, signals: ['siren.wail'] },
    { at: 15_000, kind: 'consumed', seqs: [1] },
  ])
})

test('Under a storm it diverts three times in a row, then gets its action through, and may be diverted anew.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 700, wails: 100 },
    script: [
      ...armed,
      observe(),
      observe(),
      observe(),
      observe(),
      reason('ACT'),
      act('kiln', fire),
      observe(),
      observe(),
      observe(),
      observe(),
      reason('OBSERVE'),
      // The count starts anew with a step forward only, and to observe is none.
      ...finish,
    ],
  })
  const guarded = notesOf(records, 'guard').map(({ at, data }) => [at, data['value']])
  expect(guarded).toEqual([
    [15_000, { diverted: 'reasoning' }],
    [16_000, { diverted: 'reasoning' }],
    [17_000, { diverted: 'reasoning' }],
    [21_000, { diverted: 'reasoning' }],
    [22_000, { diverted: 'reasoning' }],
    [23_000, { diverted: 'reasoning' }],
  ])
  expect(story(records, 'operation').at(-1)).toEqual({
    at: 20_000,
    kind: 'operation',
    op: 'op-2',
    tool: 'kiln',
    action: 'fire',
    args: {},
  })
})

test('Every signal is consumed once and stays in the history, also while no guard diverts.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 700, wails: 4 },
    params: { guard: 'off' },
    script: [...armed, observe(), reason('OBSERVE'), observe(), reason('OBSERVE'), ...finish],
  })
  expect(story(records, 'guard')).toEqual([])
  expect(records.flatMap((record) => (record.kind === 'consumed' ? record.seqs : []))).toEqual([1, 2, 3, 4])
  const last = prompts.at(-1)?.messages[1]?.content ?? ''
  expect(last.match(/"signal":"siren.wail"/g)).toHaveLength(4)
})

test('A signal that no document of the instruction’s tool names lets the action through; with guard any it does not.', async () => {
  const stage = {
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 2_500, wails: 1 },
  }
  const named = reason('ACT', null, 'Call fire of kiln.')
  const relevant = await playAgent({
    ...stage,
    script: [...armed, observe(), named, act('kiln', fire), observe(), reason('OBSERVE'), ...finish],
  })
  expect(story(relevant.records, 'guard')).toEqual([])
  expect(story(relevant.records, 'operation').at(-1)).toMatchObject({ at: 17_000, tool: 'kiln' })
  // It is not lost: the next OBSERVATION is shown it.
  expect(relevant.prompts[armed.length + 3]?.messages[1]?.content).toContain('"signal":"siren.wail"')

  const any = await playAgent({
    ...stage,
    params: { guard: 'any' },
    script: [...armed, observe(), named, act('kiln', fire), observe(), reason('OBSERVE'), ...finish],
  })
  expect(story(any.records, 'guard')).toMatchObject([{ at: 17_000, signals: ['siren.wail'] }])
})

test('An action whose precondition has changed since the decision is dropped, although every doorbell was lost.', async () => {
  const stage = { agent: sora, environment: kiln, worldParams: { fireMs: 4_500 }, delivery: deaf }
  const opening = reason('ACT', null, 'Call open_door of kiln.')
  const open = act('kiln', { action: 'open_door' })
  const script = [...situate, reason('ACT'), act('kiln', fire), observe(), reason('OBSERVE'), observe(), opening, open]
  const rest = [observe(), reason('OBSERVE'), ...finish]
  const found = await playAgent({ ...stage, script: [...script, ...rest] })
  expect(story(found.records, 'guard')).toMatchObject([
    { at: 19_000, value: { diverted: 'action' }, signals: ['kiln.done'], beliefs: ['state'] },
  ])
  const blind = await playAgent({ ...stage, params: { recheck: 'off' }, script: [...script, ...rest] })
  expect(story(blind.records, 'guard', 'recheck')).toEqual([])
  expect(story(blind.records, 'operation').at(-1)).toMatchObject({ at: 19_000, action: 'open_door' })
})
