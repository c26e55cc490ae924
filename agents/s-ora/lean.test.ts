import { expect, test } from 'vitest'
import type { Json } from '../../harness/contract/index.js'
import { deliverySchema } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { reflect } from './fixtures/script.js'
import lean from './s-ora-lean.agent.js'

const decide = (tool: string, args: Json = {}): Answer => ({ phase: 'decision', calls: [[tool, args]] })
const read = (document: string): Answer => decide('manual_retrieval', { document })
const achieved: Answer = { phase: 'decision', says: 'It is open.\nOUTCOME: achieved' }
const fire = { action: 'fire' }
const open = decide('kiln', { action: 'open_door' })
const done = { signals: ['kiln.done'] }

test('A cycle is one call; what is read is mounted and observed by rule, and a wait goes with its operation.', async () => {
  const { records, prompts, reached } = await playAgent({
    agent: lean,
    environment: kiln,
    script: [decide('system_discovery'), read('kiln_manual'), decide('kiln', { ...fire, wait: done }), open, achieved],
  })
  expect(reached).toBe(true)
  expect(story(records, 'mount', 'focus', 'suspend', 'wake', 'operation', 'claim')).toMatchObject([
    { at: 2_000, kind: 'mount', documents: ['kiln_manual'] },
    { at: 2_000, kind: 'focus', tool: 'kiln' },
    { at: 3_000, kind: 'operation', args: {} },
    { at: 3_000, kind: 'suspend', signals: ['kiln.done'] },
    { at: 13_000, kind: 'wake', reason: 'signal' },
    { at: 14_000, kind: 'operation', action: 'open_door' },
    { at: 15_000, kind: 'claim', claim: 'achieved' },
  ])
  const shown = prompts[3]?.messages[1]?.content ?? ''
  expect(shown).toContain('"property":"state","value":"DONE"')
  expect(shown).toContain('<document id="kiln_manual">')
  expect(shown).toContain('"signal":"kiln.done"')
  expect(shown).toContain('siren_manual')
})

test('What is mounted up front is observed by the same rule.', async () => {
  const { records, reached } = await playAgent({
    agent: lean,
    params: { documents: 'upFront' },
    environment: kiln,
    script: [decide('kiln', { ...fire, wait: done }), open, achieved],
  })
  expect(reached).toBe(true)
  expect(story(records, 'focus', 'wake')).toMatchObject([
    { at: 0, kind: 'focus', tool: 'kiln' },
    { at: 0, kind: 'focus', tool: 'siren' },
    { at: 11_000, kind: 'wake', reason: 'signal' },
  ])
})

test('It suspends by a call, too, and a wait that nothing could end is corrected.', async () => {
  const { records } = await playAgent({
    agent: lean,
    environment: kiln,
    script: [
      decide('system_discovery'),
      read('kiln_manual'),
      decide('kiln', fire),
      decide('wait', { signals: ['kiln.cold'] }),
      decide('wait', {}),
      decide('wait', { ...done, when: { tool: 'kiln', property: 'state', op: 'is', value: 'DONE' } }),
      open,
      achieved,
    ],
  })
  expect(story(records, 'malformed')).toMatchObject([{ what: 'endless_wait' }, { what: 'no_condition' }])
  expect(story(records, 'wake')).toMatchObject([{ at: 13_000, reason: 'signal', signals: ['kiln.done'] }])
})

test('No operation without a document that covers its tool, and none whose precondition has changed meanwhile.', async () => {
  const { records } = await playAgent({
    agent: lean,
    environment: kiln,
    worldParams: { fireMs: 1_500 },
    delivery: deliverySchema.parse({ doorbellDrop: 1 }),
    script: [
      decide('system_discovery'),
      decide('kiln', fire),
      read('kiln_manual'),
      decide('kiln', fire),
      open,
      open,
      open,
      achieved,
    ],
  })
  expect(story(records, 'malformed')).toMatchObject([{ at: 2_000, what: 'no_manual' }])
  // Opened while it was seen firing: harm at 5 s. At 6 s it has ended since the question, and no doorbell told.
  expect(story(records, 'guard')).toMatchObject([{ at: 6_000, value: { diverted: 'action' }, beliefs: ['state'] }])
  expect(story(records, 'operation')).toMatchObject([{ at: 4_000 }, { at: 5_000 }, { at: 7_000 }])
})

test('Of too many documents that of the tool which was operated longest ago goes, and its focus with it.', async () => {
  const { records } = await playAgent({
    agent: lean,
    environment: kiln,
    params: { mountedDocuments: 1 },
    script: [decide('system_discovery'), read('kiln_manual'), read('siren_manual'), achieved],
  })
  expect(story(records, 'mount', 'unmount', 'focus', 'unfocus')).toMatchObject([
    { kind: 'mount', documents: ['kiln_manual'] },
    { kind: 'focus', tool: 'kiln' },
    { kind: 'mount', documents: ['siren_manual'] },
    { kind: 'unmount', documents: ['kiln_manual'] },
    { kind: 'unfocus', tool: 'kiln' },
    { kind: 'focus', tool: 'siren' },
  ])
})

test('It reflects where its memory outlasts the trial, and begins the next one with what was read mounted.', async () => {
  const script = [decide('system_discovery'), read('kiln_manual'), achieved, reflect]
  const first = await playAgent({ agent: lean, environment: kiln, params: { memory: 'run' }, script })
  const second = await playAgent({
    agent: lean,
    environment: kiln,
    params: { memory: 'run' },
    remembered: first.kept,
    script: [decide('kiln', { ...fire, wait: done }), open, achieved, reflect],
  })
  expect(second.reached).toBe(true)
  expect(story(second.records, 'mount', 'focus')).toMatchObject([{ at: 0 }, { at: 0 }])
})
