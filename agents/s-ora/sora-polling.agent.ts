import { defineAgent } from '../../harness/contract/index.js'
import { noteStyles } from './notes.js'
import { cellParams, unpushedParams } from './params.js'
import { printPrompts } from './prompts.js'
import { pursueUnpushed } from './runtime.js'

export default defineAgent({
  name: 'sora-polling',
  version: '1',
  summary: 'The phases of S-ORA with the verbs of polling ReAct: it reads the state and sleeps by calls of ACTION.',
  surface: 'poll',
  usesModel: true,
  params: unpushedParams,
  notes: noteStyles,
  prompts: (params) => printPrompts(cellParams.parse(params), 'poll'),
  run: (context) => pursueUnpushed(context, 'poll'),
})
