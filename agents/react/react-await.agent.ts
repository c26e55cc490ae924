import { defineAgent } from '../../harness/contract/index.js'
import { react } from './loop.js'
import { reactParams } from './params.js'

export default defineAgent({
  name: 'react-await',
  version: '2',
  summary: 'ReAct that may also wait for signals or a condition, by a call that returns when they have come.',
  surface: 'await',
  usesModel: true,
  params: reactParams,
  run: react,
})
