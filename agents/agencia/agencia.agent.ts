import { defineAgent } from '../../harness/define/index.js'
import { converse } from './conversation.js'
import { params } from './params.js'

export default defineAgent({
  name: 'agencia',
  version: '1',
  summary: 'Agencia: a registry of agents behind the tools, whose authors’ templates recruit others or ask the user.',
  surface: 'act',
  usesModel: true,
  params,
  run: converse,
})
