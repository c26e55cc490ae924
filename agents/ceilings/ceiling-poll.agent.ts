import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, thoughtParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-poll',
  version: '2',
  summary: 'Ceiling: the script, with looks at the state and sleeps in turn in place of its waits.',
  surface: 'poll',
  usesModel: false,
  thinks: true,
  params: thoughtParams.extend({
    pollMs: z.number().int().min(1).max(86_400_000).default(2_000).describe('Sleep between two looks (ms)'),
  }),
  run: (context) => playCeiling(context, { surface: 'poll', pollMs: context.params.pollMs }),
})
