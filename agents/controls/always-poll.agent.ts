import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'

export default defineAgent({
  name: 'always-poll',
  version: '2',
  summary: "Control: the environment's own script, with every wait replaced by looking at the state again and again.",
  surface: 'poll',
  usesModel: false,
  params: z.strictObject({
    pollMs: z.number().int().min(1).max(86_400_000).default(1_000).describe('Sleep between two looks (ms)'),
  }),
  async run(context) {
    const door = await context.open('goal')
    await context.script({ waitFor: { surface: 'poll', pollMs: context.params.pollMs } })
    context.claim(door.uuid, 'achieved', 'The script has come to its end.')
  },
})
