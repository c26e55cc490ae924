import { expect, test } from 'vitest'
import { defineEnvironment } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import type { Answer } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { notesOf } from '../../harness/trace/records.js'
import { act, cycle, finish, observe, reason, reflect, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }

test('While one activity waits for the kiln, another acts, and neither takes the other’s time.', async () => {
  const twoGoals = defineEnvironment({
    ...kiln,
    roles: () => [
      {
        name: 'potter',
        goal: [{ text: 'Fire the pot, then open the kiln.' }, { text: 'Arm the siren.', atMs: 13_500 }],
      },
    ],
  })
  const { records } = await playAgent({
    agent: sora,
    environment: twoGoals,
    worldParams: { wails: 0 },
    params: { knowledgeConstraint: false },
    script: [
      ...situate,
      reason('ACT', waitFor(['kiln.done'])),
      act('kiln', fire),
      ...cycle('siren', { action: 'arm' }),
      observe({
        completed: true,
        achieved: true,
      }),
      reflect,
      ...cycle('kiln', { action: 'open_door' }),
      ...finish,
    ],
  })
  const acts = records.flatMap((record): unknown[] => {
    if (record.kind === 'operation') return [[record.at, record.action]]
    return record.kind === 'suspend' || record.kind === 'wake' || record.kind === 'claim'
      ? [[record.at, record.kind]]
      : []
  })
  expect(acts).toEqual([
    [14_000, 'fire'],
    [14_000, 'suspend'],
    [17_000, 'arm'],
    [19_000, 'claim'],
    [24_000, 'wake'],
    [27_000, 'open_door'],
    [29_000, 'claim'],
  ])
})

test('A storm of 1 000 signals in a second costs one diversion, is counted in one line, and the goal is reached.', async () => {
  const { records, prompts, reached, violations } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 1, wails: 1_000 },
    script: [
      ...situate,
      reason('ACT'),
      act('siren', { action: 'arm' }),
      observe(),
      observe(),
      reason('ACT', waitFor(['kiln.done'])),
      act('kiln', fire),
      ...cycle('kiln', { action: 'open_door' }),
      ...finish,
    ],
  })
  expect(records.filter(({ kind }) => kind === 'signal')).toHaveLength(1_001)
  expect(story(records, 'guard')).toHaveLength(1)
  expect(prompts).toHaveLength(situate.length + 11)
  const storm = prompts[situate.length + 3]?.messages[1]?.content ?? ''
  const signals = storm.split('## SIGNALS\n')[1]?.split('\n\n## ')[0]?.split('\n') ?? []
  expect([signals.length, signals[0]]).toEqual([
    51,
    '{"coalesced":{"tool":"siren","signal":"siren.wail","count":950},"at":14950}',
  ])
  expect([reached, violations]).toEqual([true, []])
})

test('Who is not diverted any more goes from its OBSERVATION to its action without the other in between.', async () => {
  const twoGoals = defineEnvironment({
    ...kiln,
    roles: () => [{ name: 'potter', goal: [{ text: 'Arm the siren, then fire the pot.' }, { text: 'Ponder.' }] }],
  })
  const ponder = [observe(), reason('OBSERVE')]
  /** The phases of both as they alternate. */
  const together = (one: Answer[], other: Answer[]): Answer[] =>
    one.flatMap((answer, n) => [answer, other[n] ?? []].flat())
  const { records } = await playAgent({
    agent: sora,
    environment: twoGoals,
    worldParams: { wailMs: 1_500, wails: 1 },
    params: { knowledgeConstraint: false, maxDiversions: 1 },
    script: [
      ...together(
        [
          observe(),
          reason('SETUP'),
          setup({ focus: ['siren'] }),
          reason('ACT'),
          act('siren', { action: 'arm' }),
          observe(),
        ],
        [...ponder, ...ponder, ...ponder],
      ),
      // Here the guard diverts.
      observe(),
      observe(),
      reason('ACT'),
      act('kiln', fire),
      reason('OBSERVE'),
      observe({ completed: true, achieved: true }),
      observe({ completed: true, achieved: true }),
      reflect,
      reflect,
    ],
  })
  const activities = [...new Set(notesOf(records, 'phase').map(({ activity }) => activity))]
  const told = records.flatMap((record): unknown[] => {
    if (record.kind !== 'note') return []
    if (record.name === 'guard') return ['guard']
    const { label } = record.data
    return typeof label === 'string' ? [`${'AB'.charAt(activities.indexOf(record.activity))} ${label}`] : []
  })
  expect(told.slice(told.indexOf('guard'))).toEqual([
    'guard',
    'B observation',
    'A observation',
    'A reasoning',
    'A action',
    'B reasoning',
    'A observation',
    'B observation',
    'A completed',
    'B completed',
  ])
})
