import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'

export default defineAgent({
  name: 'fixed-sleep',
  version: '1',
  summary: "Control: the environment's own script, with every wait replaced by a blind sleep.",
  surface: 'act',
  usesModel: false,
  params: z.strictObject({
    sleepMs: z.number().int().min(1).max(86_400_000).default(15_000).describe('How long each wait sleeps (ms)'),
  }),
  async run(context) {
    const door = await context.open('goal')
    await context.script({ waitFor: { sleepMs: context.params.sleepMs } })
    context.claim(door.uuid, 'achieved', 'The script has come to its end.')
  },
})
