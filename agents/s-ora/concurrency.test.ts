import { expect, test } from 'vitest'
import { defineEnvironment } from '../../harness/define/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, reflect, situate, waitFor } from './fixtures/script.js'
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
