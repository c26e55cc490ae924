import type { CommandModule } from 'yargs'
import { checkBaseline, setBaseline, showBaseline, updateBaseline } from './baselines.js'
import { comparingOptions } from './comparing.js'

/** Committed records of what a suite gave, to hold later runs against. `done` receives the exit code. */
export function baselineCommand(done: (code: number) => void): CommandModule {
  return {
    command: 'baseline <action>',
    describe: 'Keep, show, update and check the committed baselines',
    builder: (y) =>
      y
        .command(
          'set <name> [run]',
          'Keep a run as a baseline',
          (own) =>
            own
              .positional('name', {
                type: 'string',
                demandOption: true,
                describe: 'Lower-case letters, digits, dashes',
              })
              .positional('run', { type: 'string', describe: 'The run’s folder or name (default: the latest)' })
              .example('$0 baseline set default results/mine', 'of a run of the default suite'),
          async ({ name, run }) => setBaseline(name, run),
        )
        .command(
          'show [name]',
          'Show a baseline’s table, or list all',
          (own) =>
            own
              .positional('name', { type: 'string', describe: 'A baseline; none: list all' })
              .example('$0 baseline show default', 'its comparison table'),
          async ({ name }) => showBaseline(name),
        )
        .command(
          'update <name>',
          'Run the baseline’s suite anew and replace it',
          (own) =>
            own
              .positional('name', { type: 'string', demandOption: true, describe: 'A baseline' })
              .example('$0 baseline update default', 'accept what has changed'),
          async ({ name }) => done(await updateBaseline(name)),
        )
        .command(
          'check <name>',
          'Run the baseline’s suite anew and compare: the gate',
          (own) =>
            comparingOptions(
              own.positional('name', { type: 'string', demandOption: true, describe: 'A baseline' }),
              'change',
            ).example('$0 baseline check default', 'what `npm run gate` does'),
          async (given) => done(await checkBaseline(given.name, given)),
        )
        .demandCommand(1, 'Name an action: set, show, update or check.')
        .example('$0 baseline check default', 'has any behaviour changed?')
        .example('$0 baseline update default', 'accept what has changed'),
    handler() {},
  }
}
