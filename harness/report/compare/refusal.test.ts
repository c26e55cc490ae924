import { expect, test } from 'vitest'
import type { TrialLine } from '../../contract/index.js'
import { compare } from './comparison.js'
import { metrics, side, trialsOf } from './fixtures/sides.js'
import { Refused } from './refusal.js'
import type { Allowable } from './refusal.js'

const lines = (
  changes: Partial<TrialLine['identity']> = {},
  scenario: Partial<TrialLine['identity']['scenario']> = {},
) =>
  trialsOf(10, () => ({})).map((line): TrialLine => {
    const identity = { ...line.identity, ...changes }
    return { ...line, identity: { ...identity, scenario: { ...identity.scenario, ...scenario } } }
  })

const base = side('before', lines())
const label = 'kettle/react-polling/sim:typical'

test.each<[string, Allowable, TrialLine[]]>([
  ['the clock policy differs (virtual → wall)', 'clock', lines({ clock: 'wall' })],
  ['the version of the environment differs (1 → 2)', 'environment-version', lines({}, { environmentVersion: '2' })],
  ['the parameters of the environment differ (litres: 1 → 2)', 'params', lines({}, { params: { litres: 2 } })],
  ['the parameters of the agent differ (window: absent → 7)', 'agent-params', lines({ agentParams: { window: 7 } })],
  ['the model differs (sim:typical → sim:careful)', 'model', lines({ model: 'sim:careful' })],
  ['the thinking policy differs (fixed:1000 → zero)', 'thinking', lines({ thinking: 'zero' })],
])('%s: refused with the reason and the way out, and compared with a note when allowed', (reason, aspect, other) => {
  const candidate = side('after', other)
  expect(() => compare(base, candidate, { metrics })).toThrow(
    new Refused(
      `before and after cannot be compared: ${reason} in ${label}. To compare all the same: --allow ${aspect}.`,
    ),
  )
  const allowed = compare(base, candidate, { metrics, allow: new Set([aspect]) })
  expect(allowed.notes).toEqual([`Compared although ${reason} in ${label}.`])
  expect(allowed.groups[0]?.scenarios).toBe(10)
})

test('cases of two grids are held against those that they are most like, and both are named', () => {
  const grid = (cases: { litres: number; lid: boolean }[]) =>
    side(
      'grid',
      cases.flatMap((params) =>
        lines({ id: `kettle[litres=${params.litres},lid=${params.lid}]/a/0`, model: null }, { params }),
      ),
    )
  const old = grid([1, 5, 9].flatMap((litres) => [true, false].map((lid) => ({ litres, lid }))))
  const renewed = grid([8, 2, 5].flatMap((litres) => [false, true].map((lid) => ({ litres, lid }))))
  expect(() => compare(old, renewed, { metrics })).toThrow(
    'the parameters of the environment differ (litres: 9 → 8) in kettle[litres=9,lid=false]/a → kettle[litres=8,lid=false]/a and 1 more; ' +
      'the parameters of the environment differ (litres: 1 → 2) in kettle[litres=1,lid=false]/a → kettle[litres=2,lid=false]/a and 1 more.',
  )
})

test('a metric of another version is refused; one that a side has not measured is named and left out', () => {
  const graded = (version: string) => side('s', lines(), { graders: { solved: version, violations: '1' } })
  expect(() => compare(graded('1'), graded('2'), { metrics })).toThrow(
    /the version of a metric differs: solved 1 → 2\. To compare all the same: --allow metric-version\./,
  )
  const fewer = trialsOf(10, () => ({ metrics: { solved: true } }))
  const { notes, groups } = compare(side('a', lines()), side('b', fewer), { metrics })
  expect(notes).toEqual(['Measured in the base only, and not compared: makespan_ms, model_calls, violations.'])
  expect(groups[0]?.changes?.changed).toBe(0)
})

test('an agent’s version may differ: it is what one compares', () => {
  expect(compare(base, side('after', lines({ agentVersion: '2' })), { metrics }).groups[0]?.agent).toMatchObject({
    baseVersion: '1',
    version: '2',
  })
})

test('sides without a common scenario are refused, and groups of one side are named', () => {
  const seeded = lines().map((line) => ({
    ...line,
    identity: {
      ...line.identity,
      scenario: { ...line.identity.scenario, seed: `other-${line.identity.scenario.index}` },
    },
  }))
  expect(() => compare(base, side('after', seeded), { metrics })).toThrow(
    /^before and after share no scenario \(e\.g\. kettle\S+, seed seed-0; e\.g\. kettle\S+, seed other-0\)\. .*--seed\.$/,
  )
  expect(() => compare(base, side('after', []), { metrics })).toThrow(/share no scenario .*no trial/)
  const more = [...lines(), ...lines({ agent: 'do-nothing', id: 'kettle/do-nothing/0' })]
  expect(compare(base, side('after', more), { metrics })).toMatchObject({
    onlyBase: [],
    onlyCandidate: ['kettle/do-nothing'],
  })
})

test('what is asked for is checked: an unknown metric with the known ones, a confidence of 95', () => {
  expect(() => compare(base, base, { metrics, confirmatory: ['sovled'] })).toThrow(
    'No metric named "sovled". Known: completion_tokens, makespan_ms, model_calls, polls, prompt_tokens, solved, violated, violations, wakeups.',
  )
  expect(() => compare(base, base, { metrics, confidence: 95 })).toThrow('A confidence of 95 is not between 0.5 and 1')
})
