import { defineAgent } from '../../harness/contract/index.js'
import { embeddingsOf, lifetimeOf } from './memory.js'
import { noteStyles } from './notes.js'
import { referenceParams } from './params.js'
import { printPrompts } from './prompts.js'
import { pursue } from './runtime.js'

export default defineAgent({
  name: 's-ora-reference',
  version: '5',
  summary: 'S-ORA by the rules of the thesis’ prototype, for measuring what each repair is worth.',
  surface: 'push',
  usesModel: true,
  params: referenceParams,
  lifetime: lifetimeOf,
  embeddings: embeddingsOf,
  notes: noteStyles,
  prompts: printPrompts,
  run: pursue,
})
