import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'

export default defineAgent({
  name: 'oracle',
  version: '1',
  summary: "Control: the environment's own script, which waits on signals and thinks for no time.",
  surface: 'act',
  usesModel: false,
  params: z.strictObject({}),
  async run(context) {
    const door = await context.open('goal')
    await context.script({ waitFor: 'signal' })
    context.claim(door.uuid, 'achieved', 'The script has come to its end.')
  },
})
