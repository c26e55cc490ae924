import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, thoughtParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-push',
  version: '2',
  summary: 'Ceiling: the script, suspended until its signals come.',
  surface: 'push',
  usesModel: false,
  thinks: true,
  params: thoughtParams.extend({
    resyncMs: z
      .number()
      .int()
      .min(1)
      .max(86_400_000)
      .default(300_000)
      .describe('How often the log is read without a doorbell (ms)'),
  }),
  run: (context) => playCeiling(context, { surface: 'push', resyncMs: context.params.resyncMs }),
})
