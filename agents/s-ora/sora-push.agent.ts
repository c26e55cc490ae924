import { defineAgent } from '../../harness/contract/index.js'
import { embeddingsOf, lifetimeOf } from './memory.js'
import { noteStyles } from './notes.js'
import { cellParams } from './params.js'
import { printPrompts } from './prompts.js'
import { pursue } from './runtime.js'

export default defineAgent({
  name: 'sora-push',
  version: '1',
  summary:
    'The phases of S-ORA with the verbs of pushed ReAct: focus and waits are calls of ACTION; the foot of the ladder to S-ORA.',
  surface: 'push',
  usesModel: true,
  params: cellParams,
  lifetime: lifetimeOf,
  embeddings: embeddingsOf,
  notes: noteStyles,
  prompts: printPrompts,
  run: pursue,
})
