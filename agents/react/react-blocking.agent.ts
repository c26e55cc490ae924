import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { blockingParams } from './params.js'

export default defineAgent({
  name: 'react-blocking',
  version: '2',
  summary: 'ReAct whose operations return when what they began has ended; meanwhile it sees nothing.',
  surface: 'block',
  usesModel: true,
  params: blockingParams,
  run: react,
})
