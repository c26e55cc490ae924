import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { reactParams } from './params.js'

export default defineAgent({
  name: 'react-push',
  version: '1',
  summary:
    'ReAct that is shown the values and signals of the tools in its focus, and suspends itself until a signal or a condition.',
  surface: 'push',
  usesModel: true,
  params: reactParams,
  run: react,
})
