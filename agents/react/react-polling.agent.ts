import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { pollingParams } from './params.js'

export default defineAgent({
  name: 'react-polling',
  version: '2',
  summary: 'ReAct that reads the state and sleeps whenever, and for as long as, the model chooses.',
  surface: 'poll',
  usesModel: true,
  params: pollingParams,
  run: react,
})
