import { defineAgent, z } from 'sora-bench'
import { playTrial } from 'sora-bench/testing'
import { expect, test } from 'vitest'
import metric from './NAME.metric.js'

const sleeper = defineAgent({
  name: 'sleeper',
  version: '1',
  summary: 'Sleeps twice.',
  surface: 'poll',
  usesModel: false,
  params: z.object({}),
  async run(context) {
    const door = await context.open('goal', context.goals.take())
    for (const ms of [1_000, 2_000]) await door.call('sleep', { ms })
    context.claim(door.uuid, 'gave_up', 'Tired.')
  },
})

test('every sleep counts', async () => {
  const { trace } = await playTrial({ agent: sleeper, environment: 'water-hammer' })
  expect(metric.of(trace)).toBe(2)
})
