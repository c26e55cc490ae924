import { defineAgent } from '../../harness/contract/index.js'
import { noteStyles } from './notes.js'
import { params } from './params.js'
import { pursue } from './pursuit.js'

export default defineAgent({
  name: 'agencia',
  version: '4',
  summary: 'Agencia: a registry of agents behind the tools, whose authors’ templates recruit others or ask the user.',
  surface: 'act',
  usesModel: true,
  params,
  notes: noteStyles,
  asksPerson: ({ user }) => user === 'terminal',
  run: pursue,
})
