import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, stallingParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-act',
  version: '2',
  summary: 'Ceiling: the script by acknowledgements alone; it waits by calls that do nothing, a stated number of them.',
  surface: 'act',
  usesModel: false,
  thinks: true,
  params: stallingParams,
  run: (context) => playCeiling(context, { surface: 'act', stallCalls: context.params.stallCalls }),
})
