import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'

export default defineAgent({
  name: 'do-nothing',
  version: '1',
  summary: 'Control: ends at once. What it solves, anybody solves.',
  surface: 'act',
  usesModel: false,
  params: z.strictObject({}),
  async run(context) {
    const door = await context.open('goal')
    context.claim(door.uuid, 'gave_up', 'It does nothing.')
  },
})
