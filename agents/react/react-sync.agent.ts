import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { reactParams } from './params.js'

export default defineAgent({
  name: 'react-sync',
  version: '2',
  summary: 'Synchronous ReAct: operations and documents, no way to look at the world or to wait.',
  surface: 'act',
  usesModel: true,
  params: reactParams,
  run: react,
})
