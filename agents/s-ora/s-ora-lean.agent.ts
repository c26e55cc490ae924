import { defineAgent } from '../../harness/contract/index.js'
import { embeddingsOf, lifetimeOf } from './memory.js'
import { noteStyles } from './notes.js'
import { leanParams } from './params.js'
import { printPrompts } from './prompts.js'
import { pursue } from './runtime.js'

export default defineAgent({
  name: 's-ora-lean',
  version: '1',
  summary: 'S-ORA with the fewest calls that it allows: one a cycle; documents and focus follow by rule.',
  surface: 'push',
  usesModel: true,
  params: leanParams,
  lifetime: lifetimeOf,
  embeddings: embeddingsOf,
  notes: noteStyles,
  prompts: printPrompts,
  run: pursue,
})
