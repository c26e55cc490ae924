import { defineAgent } from '../../harness/contract/index.js'
import { embeddingsOf, lifetimeOf } from './memory.js'
import { noteStyles } from './notes.js'
import { params } from './params.js'
import { printPrompts } from './prompts.js'
import { pursue } from './runtime.js'

export default defineAgent({
  name: 's-ora',
  version: '5',
  summary: 'Situate, observe, reason, act: perceives by focus, suspends while the world works, is woken by signals.',
  surface: 'push',
  usesModel: true,
  params,
  lifetime: lifetimeOf,
  embeddings: embeddingsOf,
  notes: noteStyles,
  prompts: printPrompts,
  run: pursue,
})
