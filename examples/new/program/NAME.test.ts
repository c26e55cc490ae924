import { playTrial } from 'sora-bench/testing'
import { expect, test } from 'vitest'
import agent from './NAME.agent.js'

test('it reads, looks and gives up', async () => {
  const { outcome, claims, errors, trace } = await playTrial({ agent, environment: 'water-hammer', clock: 'wall' })
  expect([outcome, claims, errors]).toEqual(['unsolved', ['gave_up'], []])
  expect(trace.filter(({ kind }) => ['read', 'poll', 'malformed'].includes(kind)).map(({ kind }) => kind)).toEqual([
    'read',
    'read',
    'poll',
  ])
})
