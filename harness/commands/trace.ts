import { onStdout } from '../report/colour.js'
import type { CommandModule } from 'yargs'
import { narrate } from '../trace/narrative.js'
import { openTrace, trialOptions } from './find-trace.js'
import type { TrialOptions } from './find-trace.js'

interface TraceOptions extends TrialOptions {
  full: boolean
  json: boolean
}

/** A trial told as a story. */
export const traceCommand: CommandModule<object, TraceOptions> = {
  command: 'trace <trial>',
  describe: 'Tell what happened in a trial: time, phase, call, signal, wait, verdict',
  builder: (y) =>
    trialOptions(y)
      .option('full', { type: 'boolean', default: false, describe: 'Unfold long texts' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the records as JSON Lines' })
      .example('$0 trace water-hammer/react-sync/sim:typical/0', 'of the latest run')
      .example('$0 trace react-sync/sim:typical/0', 'a part of the id, where it is unique')
      .example('$0 trace water-hammer/s-ora/sim:typical/3 --run results/mine --full', 'with whole prompts'),
  async handler({ full, json, ...named }) {
    const trace = await openTrace(named)
    const lines = json ? trace.map((record) => JSON.stringify(record)) : narrate(trace, { full, colour: onStdout })
    process.stdout.write(`${lines.join('\n')}\n`)
  },
}
