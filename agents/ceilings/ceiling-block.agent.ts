import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, stallingParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-block',
  version: '2',
  summary: 'Ceiling: the script with operations that return when what they began has ended.',
  surface: 'block',
  usesModel: false,
  thinks: true,
  params: stallingParams,
  run: (context) => playCeiling(context, { surface: 'block', stallCalls: context.params.stallCalls }),
})
