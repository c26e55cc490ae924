import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, thoughtParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-await',
  version: '2',
  summary: 'Ceiling: the script, which waits for its signals by calls that return when they have come.',
  surface: 'await',
  usesModel: false,
  thinks: true,
  params: thoughtParams.extend({
    waitMs: z.number().int().min(1).max(86_400_000).default(300_000).describe('Time-out of one wait (ms)'),
  }),
  run: (context) => playCeiling(context, { surface: 'await', timeoutMs: context.params.waitMs }),
})
