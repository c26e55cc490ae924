import { defineAgent } from '../../harness/contract/index.js'
import { noteStyles } from './notes.js'
import { cellParams, unpushedParams } from './params.js'
import { printPrompts } from './prompts.js'
import { pursueUnpushed } from './runtime.js'

export default defineAgent({
  name: 'sora-await',
  version: '1',
  summary:
    'The phases of S-ORA with the verbs of awaiting ReAct: it waits by a call of ACTION that returns when the signal has come.',
  surface: 'await',
  usesModel: true,
  params: unpushedParams,
  notes: noteStyles,
  prompts: (params) => printPrompts(cellParams.parse(params), 'await'),
  run: (context) => pursueUnpushed(context, 'await'),
})
