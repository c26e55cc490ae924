import { expect, test } from 'vitest'
import type { Claim, Role, TraceRecord } from '../contract/index.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { createTrace } from '../trace/records.js'
import { assignGoals, checkGoals, openingGoal, wholeGoal } from './goals.js'

const role = (goal: Role['goal']): Role => ({ name: 'clerk', goal })

/** Takes every goal as it comes, claims it at once, and tells when it came. */
async function workOff(told: Role, claimOf: (text: string) => Claim = () => 'achieved') {
  const clock = createVirtualClock()
  const { record, records } = createTrace(() => clock.now())
  const bell = clock.bell()
  const came: [at: number, text: string][] = []
  clock.spawn(told.name, async (self) => {
    const { goals, begin, claimed } = assignGoals(told, { clock, bell, record })
    for (;;) {
      bell.reset()
      for (const goal of goals.take()) {
        came.push([clock.now(), goal.text])
        begin(goal.text, [goal])
        claimed(goal.text, claimOf(goal.text))
      }
      if (!goals.expected()) return
      await self.wait(bell, null)
    }
  })
  const { how } = await clock.run({ untilMs: 60_000 })
  return { came, how, records }
}

const kinds = (records: readonly TraceRecord[]) => records.map(({ kind, at }) => [kind, at])

test('Goals come at the start, at their time, or once another one has been achieved.', async () => {
  const told = role([{ text: 'a' }, { text: 'late', atMs: 5_000 }, { text: 'then', after: 1 }, { text: 'b' }])
  const { came, how } = await workOff(told)
  expect(came).toEqual([
    [0, 'a'],
    [0, 'b'],
    [5_000, 'late'],
    [5_000, 'then'],
  ])
  expect(how).toBe('ended')
})

test('A goal that waits for one that was given up never comes, nor does what waits for that.', async () => {
  const told = role([{ text: 'a' }, { text: 'then', after: 0 }, { text: 'at last', after: 1 }])
  const { came, how } = await workOff(told, () => 'gave_up')
  expect([came, how]).toEqual([[[0, 'a']], 'ended'])
})

test('The trace tells of goals only where a role has several.', async () => {
  expect((await workOff(role('a'))).records).toEqual([])
  expect(kinds((await workOff(role([{ text: 'a' }, { text: 'b', atMs: 9 }]))).records)).toEqual([
    ['goal', 0],
    ['pursue', 0],
    ['goal', 9],
    ['pursue', 9],
  ])
})

test('The opening text holds what is there from the beginning, numbered where there are several.', () => {
  const told = role([{ text: 'Do a.' }, { text: 'Do b.', atMs: 5 }, { text: 'Do\nc.' }])
  expect(openingGoal(told)).toBe('1. Do a.\n2. Do c.')
  expect(wholeGoal(told)).toBe('1. Do a.\n2. Do b.\n3. Do c.')
  expect(openingGoal(role('Do a.\nAnd b.'))).toBe('Do a.\nAnd b.')
})

test.each([
  [[], 'The role clerk has no goal.'],
  [[{ text: 'a', after: 0 }], 'Goal 0 of the role clerk comes after goal 0, which does not stand before it.'],
  [
    [{ text: 'a' }, { text: 'b', after: 0, atMs: 1 }],
    'Goal 1 of the role clerk has both "atMs" and "after": keep one of them.',
  ],
  [[{ text: 'a', atMs: Number.NaN }], 'Goal 0 of the role clerk arrives at NaN ms: "atMs" is a time from 0 on.'],
  [[{ text: 'a', atMs: -1 }], 'Goal 0 of the role clerk arrives at -1 ms: "atMs" is a time from 0 on.'],
])('Goals that could never arrive are refused: %j', (goal, message) => {
  expect(() => checkGoals(role(goal))).toThrow(message)
})
