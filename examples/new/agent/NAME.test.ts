import { playTrial } from 'sora-bench/testing'
import { expect, test } from 'vitest'
import agent from './NAME.agent.js'

test('it solves the water hammer with a careful reader, and says so', async () => {
  const { outcome, claims, errors } = await playTrial({ agent, environment: 'water-hammer' })
  expect([outcome, claims, errors]).toEqual(['solved', ['achieved'], []])
})

test('the same seed gives the same trial', async () => {
  const play = () => playTrial({ agent, environment: 'water-hammer', model: 'sim:typical', seed: 7 })
  expect(await play()).toEqual(await play())
})

test('its budget ends it', async () => {
  const { outcome } = await playTrial({ agent, environment: 'water-hammer', limits: { modelCalls: 3 } })
  expect(outcome).toBe('out_of_budget')
})
