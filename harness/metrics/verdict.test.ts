import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import timesMetrics from './times.metric.js'
import verdictMetrics from './verdict.metric.js'
import { named } from '../testing/metrics.js'

const makespanMs = named(timesMetrics, 'makespan_ms')
const claim = named(verdictMetrics, 'claim')
const falseClaim = named(verdictMetrics, 'false_claim')
const margin = named(verdictMetrics, 'margin')
const nearMisses = named(verdictMetrics, 'near_misses')
const outcome = named(verdictMetrics, 'outcome')
const solved = named(verdictMetrics, 'solved')
const violations = named(verdictMetrics, 'violations')

const achieved = { kind: 'claim', claim: 'achieved', text: 'Done.' } as const
const gaveUp = { kind: 'claim', claim: 'gave_up', text: 'No way.' } as const
const near = (violation: string, distance: number, isNear: boolean) =>
  ({ kind: 'margin', violation, distance, unit: 'ms', near: isNear }) as const

test('the verdict decides what is solved and whether a claim was false, and only solved trials have a makespan', () => {
  const metrics = [solved, outcome, claim, falseClaim, makespanMs]
  const of = (trace: ReturnType<typeof story>['trace']) => metrics.map((metric) => metric.of(trace))
  expect(of(story().as('operator').at(9_500).add(achieved).verdict('solved').trace)).toEqual([
    true,
    'solved',
    'achieved',
    false,
    9_500,
  ])
  expect(of(story().as('operator').add(achieved).verdict('violated', ['x']).trace)).toEqual([
    false,
    'violated',
    'achieved',
    true,
    null,
  ])
  expect(of(story().as('operator').add(gaveUp).verdict('unsolved').trace)).toEqual([
    false,
    'unsolved',
    'gave_up',
    false,
    null,
  ])
  expect(of(story().verdict('deadlocked').trace)).toEqual([false, 'deadlocked', null, false, null])
  expect(of(story().trace)).toEqual([null, null, null, null, null])
})

test('the last claim of each activity counts, and two that differ are mixed', () => {
  const tale = story({}, ['odd', 'even']).as('odd').add(gaveUp, achieved).as('even').add(achieved)
  expect(claim.of(tale.trace)).toBe('achieved')
  expect(claim.of(tale.as('even', 'another goal').add(gaveUp).trace)).toBe('mixed')
})

test('violations and margins are counted until the end, not while the world settles', () => {
  const { trace } = story()
    .add(near('hammer', 900, false), near('hammer', 40, true), near('spill', 5, true))
    .add({ kind: 'violation', violation: 'melt', op: null }, { kind: 'violation', violation: 'lock', op: null })
    .verdict('violated', ['melt', 'lock'])
    .add({ kind: 'violation', violation: 'later', op: null }, near('hammer', 1, true))
  expect([violations.of(trace), nearMisses.of(trace), margin.of(trace)]).toEqual([2, 2, { hammer: 40, spill: 5 }])
  expect(margin.of(story().trace)).toEqual({})
})
