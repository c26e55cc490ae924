import { expect, test } from 'vitest'
import type { JsonObject } from '../contract/index.js'
import { trialLine } from '../testing/trial-line.js'
import { summarise } from './summary.js'
import { agentLabel } from './table.js'

function labels(...sets: JsonObject[]): string[] {
  const lines = sets.map((agentParams, index) => trialLine({ id: `w/s-ora/${index}`, agent: 's-ora', agentParams }))
  const { groups } = summarise(lines, { metrics: [] })
  return groups.map((group) => agentLabel(group, groups))
}

test('Where one thing at a time is changed, only that is named, and who has changed nothing bears the bare name', () => {
  const full = { guard: true, window: 7 }
  expect(labels(full, { ...full, guard: false }, { ...full, window: 2 })).toEqual([
    's-ora',
    's-ora guard=false',
    's-ora window=2',
  ])
})

test('Of a ladder, where each has one thing more than the one before, the thing is named', () => {
  const foot = { guard: false, window: null, wait: 1 }
  expect(labels(foot, { ...foot, window: 7 }, { ...foot, window: 7, guard: true })).toEqual([
    's-ora',
    's-ora + window=7',
    's-ora + guard=true',
  ])
  // A sweep of one thing is none.
  expect(labels(foot, { ...foot, wait: 2 }, { ...foot, wait: 3 })).toEqual([
    's-ora wait=1',
    's-ora wait=2',
    's-ora wait=3',
  ])
})

test('Of two, and of every combination of a sweep, all that differs is named', () => {
  expect(labels({ guard: true }, { guard: false })).toEqual(['s-ora guard=true', 's-ora guard=false'])
  expect(labels({ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: 2, b: 2 })).toEqual([
    's-ora a=1 b=1',
    's-ora a=1 b=2',
    's-ora a=2 b=1',
    's-ora a=2 b=2',
  ])
})
