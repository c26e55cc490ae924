import { expect, test } from 'vitest'
import { inMemoryWire } from '../../harness/door/connection.js'
import type { Wire } from '../../harness/door/connection.js'
import looks from '../../harness/metrics/looks.metric.js'
import { measure } from '../../harness/metrics/measure.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }
const arm = { action: 'arm' }
const open = [...cycle('kiln', { action: 'open_door' }), ...finish]

test('It suspends after the acknowledgement, asks no model meanwhile, and wakes at the signal to open the kiln.', async () => {
  const { records, prompts, reached, violations } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...situate, reason('ACT', waitFor(['kiln.done'])), act('kiln', fire), ...open],
  })
  expect([reached, violations]).toEqual([true, []])
  expect(story(records, 'operation', 'suspend', 'wake', 'poll', 'sleep', 'resync', 'claim')).toEqual([
    { at: 14_000, kind: 'operation', op: 'op-1', tool: 'kiln', action: 'fire', args: {} },
    { at: 14_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 300_000 },
    { at: 24_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
    { at: 27_000, kind: 'operation', op: 'op-2', tool: 'kiln', action: 'open_door', args: {} },
    { at: 29_000, kind: 'claim', claim: 'achieved', text: 'The pot is fired.' },
  ])
  const woken = prompts[situate.length + 2]?.messages[1]?.content ?? ''
  expect(woken.slice(woken.indexOf('## VARIABLES'))).toBe(
    `## VARIABLES
{"focused":["kiln","siren"],"at":12000}
{"tool":"kiln","property":"state","value":"DONE","at":24000,"readAt":24000}
{"tool":"kiln","property":"open","value":false,"at":0,"readAt":24000}

## SIGNALS
{"signal":"kiln.done","tool":"kiln","payload":{},"seq":3,"at":24000,"operationId":"op-1"}

## HISTORY
{"discovered":{"tools":2,"documents":2},"at":3000}
{"read":"kiln_manual","at":6000}
{"read":"siren_manual","at":9000}
{"mounted":["kiln_manual","siren_manual"],"at":12000}
{"focused":["kiln","siren"],"at":12000}
{"tool":"kiln","action":"fire","accepted":true,"operationId":"op-1","at":14000,"message":"Firing."}
{"waited":{"signals":["kiln.done"]},"ended":"signal","at":24000}
`,
  )
})

test('A suspension is no poll, even if its time-out ends it before anything can happen.', async () => {
  const brief = waitFor(['kiln.done'], 5)
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...situate, reason('ACT', brief), act('kiln', fire), ...finish],
  })
  expect(story(records, 'suspend', 'wake')).toMatchObject([{ at: 14_000 }, { at: 14_005, reason: 'timeout' }])
  expect(measure(records, looks)['polls']).toBe(0)
})

test('Signals that nobody named ring, but do not wake, unless any signal may.', async () => {
  const script = [
    ...situate,
    reason('ACT'),
    act('siren', arm),
    observe(),
    reason('ACT', waitFor(['kiln.done'])),
    act('kiln', fire),
  ]
  const named = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 4_000 },
    script: [...script, ...finish],
  })
  expect(story(named.records, 'wake')).toEqual([{ at: 27_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] }])
  const any = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 4_000 },
    params: { wakeOnAnySignal: true },
    script: [...script, ...finish],
  })
  expect(story(any.records, 'wake')).toEqual([{ at: 18_000, kind: 'wake', reason: 'signal', signals: ['siren.wail'] }])
})

test('A signal that arrived while the wait was being decided ends it at the very instant it begins.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { fireMs: 1_500 },
    script: [
      ...situate,
      reason('ACT'),
      act('kiln', fire),
      observe(),
      reason('WAIT', waitFor(['kiln.done'])),
      ...finish,
    ],
  })
  expect(story(records, 'signal', 'suspend', 'wake')).toEqual([
    { at: 15_500, kind: 'signal', seq: 3, tool: 'kiln', signal: 'kiln.done', payload: {}, op: 'op-1' },
    { at: 16_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: 300_000 },
    { at: 16_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
})

test('At its time-out the log is read once, before anybody is woken.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...situate, reason('ACT', waitFor(['siren.wail'], 5_000)), act('kiln', fire), ...finish],
  })
  expect(story(records, 'suspend', 'resync', 'wake')).toEqual([
    { at: 14_000, kind: 'suspend', signals: ['siren.wail'], when: null, timeoutMs: 5_000 },
    { at: 19_000, kind: 'resync' },
    { at: 19_000, kind: 'wake', reason: 'timeout', signals: [] },
  ])
})

test('A signal whose doorbell was lost is found at the time-out.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    wire: deafWire,
    script: [...situate, reason('ACT', waitFor(['kiln.done'], 30_000)), act('kiln', fire), ...finish],
  })
  expect(story(records, 'signal', 'delivered', 'resync', 'wake', 'consumed')).toEqual([
    { at: 24_000, kind: 'signal', seq: 3, tool: 'kiln', signal: 'kiln.done', payload: {}, op: 'op-1' },
    { at: 44_000, kind: 'resync' },
    { at: 44_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
    { at: 44_000, kind: 'consumed', seqs: [3] },
  ])
})

/** Loses every doorbell. */
function deafWire(): Wire {
  const wire = inMemoryWire()
  const send = wire.server.send.bind(wire.server)
  wire.server.send = (message, options) =>
    'method' in message && !('id' in message) ? Promise.reject(new Error('Lost.')) : send(message, options)
  return wire
}

test('A condition wakes as soon as a property of a focused tool fulfils it.', async () => {
  const when = { tool: 'kiln', property: 'state', op: 'is', value: 'DONE' }
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...situate, reason('ACT', { signals: [], when, timeoutMs: 60_000 }), act('kiln', fire), ...finish],
  })
  expect(story(records, 'suspend', 'wake')).toEqual([
    { at: 14_000, kind: 'suspend', signals: [], when, timeoutMs: 60_000 },
    { at: 24_000, kind: 'wake', reason: 'condition', signals: [] },
  ])
})

test('The longest wait is bounded, and a timer reads the log only where it was asked for.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { maxWaitMs: 8_500, resyncMs: 4_000 },
    script: [...situate, reason('ACT', waitFor(['siren.wail'], 60_000)), act('kiln', fire), ...finish],
  })
  expect(story(records, 'suspend', 'resync', 'wake')).toEqual([
    { at: 14_000, kind: 'suspend', signals: ['siren.wail'], when: null, timeoutMs: 8_500 },
    { at: 18_000, kind: 'resync' },
    { at: 22_000, kind: 'resync' },
    { at: 22_500, kind: 'resync' },
    { at: 22_500, kind: 'wake', reason: 'timeout', signals: [] },
  ])
})

test('A refused operation begins no wait.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...situate,
      reason('ACT', waitFor(['kiln.done'])),
      act('kiln', { action: 'open_door' }),
      ...[observe({ completed: true, achieved: false }), finish.slice(-1)].flat(),
    ],
  })
  expect(story(records, 'suspend', 'claim')).toEqual([
    { at: 16_000, kind: 'claim', claim: 'gave_up', text: 'The pot is fired.' },
  ])
})

test('A wait that nothing would end is corrected with the signals of documents that were read; one possible end is enough.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...situate,
      reason('WAIT', waitFor(['kiln.cold'])),
      reason('SETUP'),
      setup({ unfocus: ['siren'] }),
      reason('WAIT', waitFor(['siren.wail'])),
      reason('WAIT', waitFor(['kiln.cold', 'kiln.done'], 5_000)),
      ...finish,
    ],
  })
  expect(story(records, 'malformed', 'suspend')).toMatchObject([
    { what: 'endless_wait', detail: 'No tool in focus would signal "kiln.cold"; known: kiln.done, siren.wail.' },
    { what: 'endless_wait', detail: 'No tool in focus would signal "siren.wail"; known: kiln.done.' },
    { kind: 'suspend', signals: ['kiln.cold', 'kiln.done'] },
  ])
})

test('A tool in focus whose documents are unread may signal anything, and without any tool in focus nothing comes.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      observe(),
      reason('WAIT', waitFor(['kiln.done'])),
      reason('SETUP'),
      setup({ focus: ['kiln'] }),
      reason('WAIT', waitFor(['kiln.done'], 5_000)),
      ...finish,
    ],
  })
  expect(story(records, 'malformed', 'suspend')).toMatchObject([
    {
      what: 'endless_wait',
      detail: 'No tool in focus would signal "kiln.done"; no document that was read names a signal of a tool in focus.',
    },
    { kind: 'suspend', signals: ['kiln.done'] },
  ])
})
