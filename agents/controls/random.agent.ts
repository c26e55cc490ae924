import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'
import { randomArguments } from './random-arguments.js'

export default defineAgent({
  name: 'random',
  version: '1',
  summary: 'Control: random operations with random arguments, paced like a model that thinks.',
  surface: 'act',
  usesModel: false,
  params: z.strictObject({
    actions: z.number().int().min(0).max(10_000).default(60).describe('Operations before it ends'),
    pauseMs: z.number().int().min(0).max(86_400_000).default(1_500).describe('Pause before each operation (ms)'),
  }),
  async run(context) {
    const door = await context.open('goal')
    const operations = door.tools().flatMap((tool) => tool.actions.map(({ name: action }) => ({ tool, action })))
    for (let index = 0; index < context.params.actions && operations.length > 0; index++) {
      await context.pause(context.params.pauseMs)
      const stream = context.random.stream('action', index)
      const { tool, action } = stream.pick(operations)
      await door.call(tool.name, { ...randomArguments(tool.parameters, stream), action })
    }
    context.claim(door.uuid, 'gave_up', `${context.params.actions} random operations are through.`)
  },
})
