import { defineAgent } from '../../harness/contract/index.js'
import { playCeiling, thoughtParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-async',
  version: '2',
  summary: 'Ceiling: the script, with looks at the state as fast as it thinks.',
  surface: 'async',
  usesModel: false,
  thinks: true,
  params: thoughtParams,
  run: (context) => playCeiling(context, { surface: 'async' }),
})
