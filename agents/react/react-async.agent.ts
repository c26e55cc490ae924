import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { reactParams } from './params.js'

export default defineAgent({
  name: 'react-async',
  version: '2',
  summary:
    'ReAct that is told between its turns what its operations have ended with; it reads the state, and cannot wait.',
  surface: 'async',
  usesModel: true,
  params: reactParams,
  run: react,
})
