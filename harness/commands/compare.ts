import type { CommandModule } from 'yargs'
import { checkComparing, compareSides, comparingOptions } from './comparing.js'
import type { ComparingOptions } from './comparing.js'
import { loadSide } from './sides.js'

interface CompareArguments extends ComparingOptions {
  base: string
  candidate: string
}

/** Two runs or baselines, paired by scenario. `done` receives the exit code. */
export function compareCommand(done: (code: number) => void): CommandModule<object, CompareArguments> {
  return {
    command: 'compare <base> <candidate>',
    describe: 'Compare two runs or baselines: a verdict per metric, and every change of behaviour',
    builder: (y) =>
      comparingOptions(
        y
          .positional('base', {
            type: 'string',
            demandOption: true,
            describe: 'A run’s folder or name, or a baseline’s',
          })
          .positional('candidate', { type: 'string', demandOption: true, describe: 'The same' }),
        'worse',
      )
        .example('$0 compare results/before results/after', 'is anything worse?')
        .example('$0 compare default results/mine -o pr.md', 'against a baseline, for a pull request')
        .example('$0 compare before after --fail-on change', 'may nothing change at all?')
        .example('$0 compare before after --metrics solved,polls', 'another confirmatory family')
        .example('$0 compare before after --allow params', 'although the worlds differ'),
    async handler(given) {
      checkComparing(given)
      const { code } = await compareSides([loadSide(given.base), loadSide(given.candidate)], given)
      done(code)
    },
  }
}
