import { defineAgent } from '../../harness/define/index.js'
import { react, reactParams } from './loop.js'

export default defineAgent({
  name: 'react-polling',
  version: '1',
  summary: 'ReAct that reads the state and sleeps whenever, and for as long as, the model chooses.',
  surface: 'poll',
  usesModel: true,
  params: reactParams,
  run: react,
})
