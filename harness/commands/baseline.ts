import type { CommandModule } from 'yargs'
import { checkBaseline, eachBaseline, setBaseline, showBaseline, updateBaseline } from './baselines.js'
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
          'update <names..>',
          'Run the baselines’ suites anew and replace them',
          (own) =>
            own
              .positional('names', { type: 'string', array: true, demandOption: true, describe: 'Baselines' })
              .example('$0 baseline update default', 'accept what has changed'),
          async ({ names }) => done(await eachBaseline(names, updateBaseline)),
        )
        .command(
          'check [names..]',
          'Run the baselines’ suites anew and compare: the gate',
          (own) =>
            comparingOptions(
              own.positional('names', { type: 'string', array: true, describe: 'Baselines; none: all' }),
              'change',
            )
              .example('$0 baseline check', 'all of them, as `npm run gate` does')
              .example('$0 baseline check default', 'one'),
          async (given) =>
            done(await eachBaseline(given.names ?? [], (name) => checkBaseline(name, given), given.output)),
        )
        .demandCommand(1, 'Name an action: set, show, update or check.')
        .example('$0 baseline check default', 'has any behaviour changed?')
        .example('$0 baseline update default', 'accept what has changed'),
    handler() {},
  }
}
