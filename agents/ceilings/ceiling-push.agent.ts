import { defineAgent } from '../../harness/define/index.js'
import { playCeiling, thoughtParams } from './ceiling.js'

export default defineAgent({
  name: 'ceiling-push',
  version: '1',
  summary: 'Ceiling: the script, suspended until its signals come.',
  surface: 'push',
  usesModel: false,
  thinks: true,
  params: thoughtParams,
  run: (context) => playCeiling(context, 'signal'),
})
