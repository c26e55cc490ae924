import type { CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import type { Trace } from '../contract/index.js'
import type { Catalogue } from '../run/registry.js'
import { identityOf, replayTrial } from '../run/replay.js'
import { clean } from '../trace/text.js'
import { definitionOf, divergenceLines, replayAll } from './replay-all.js'
import { exit } from './terminal.js'
import { catalogueOf, openTrace } from './trace.js'
import { tellWhatIf } from './what-if.js'
import type { WhatIfOptions } from './what-if.js'

interface ReplayOptions extends WhatIfOptions {
  trial: string | undefined
  run: string | undefined
  all: boolean
}

/** A trial again from its record: the proof that it comes back, or another future of it. `done` receives the exit code. */
export function replayCommand(done: (code: number) => void): CommandModule<object, ReplayOptions> {
  return {
    command: 'replay [trial]',
    describe:
      'Play a trial again from its record, and prove it identical; or change something, and see what becomes of it',
    builder: (y) =>
      y
        .positional('trial', { type: 'string', describe: 'A trial’s id, or the path of a trace file' })
        .option('run', { type: 'string', describe: 'The run’s folder or name (default: the latest)' })
        .option('all', { type: 'boolean', default: false, describe: 'Every trial of the run' })
        .option('from', {
          type: 'string',
          describe:
            'What if: what was asked before this record (120) or virtual time (12.5s) is answered by the record, the rest by the live model. Without it all is live',
        })
        .option('param', {
          type: 'string',
          array: true,
          nargs: 1,
          describe:
            'What if: name=value or owner.name=value; may be repeated. It acts from the start of the world; a past that it changes before --from is refused',
        })
        .option('agent', {
          type: 'string',
          describe: 'What if: another agent, from the start (it cannot go on with the memory of the recorded one)',
        })
        .option('model', { type: 'string', describe: 'What if: another model' })
        .option('full', { type: 'boolean', default: false, describe: 'What if: unfold long texts' })
        .option('json', { type: 'boolean', default: false, describe: 'Print the result as JSON' })
        .option('yes', { type: 'boolean', default: false, describe: 'Do not ask before calls to a real model' })
        .example('$0 replay water-hammer/s-ora/sim:typical/0', 'is it reproduced, record by record?')
        .example('$0 replay --all --run results/mine', 'the whole run')
        .example('$0 replay react-sync/sim:typical/0 --param rampMs=1000', 'the same, had the ramp been shorter')
        .example('$0 replay react-sync/sim:typical/0 --agent s-ora', 'another architecture in the same scenario')
        .example('$0 replay s-ora/sim:typical/0 --from 12.5s --model sim:careful', 'the same past, another reader')
        .epilogue(
          'Exit codes: 0 identical, or a what-if that was played; 2 a mistake in the input, or a past that cannot be kept; 100 not identical.',
        ),
    async handler(given) {
      done(await replay(given))
    },
  }
}

async function replay(given: ReplayOptions): Promise<number> {
  const { trial, run, all, json } = given
  const changes = (['from', 'param', 'agent', 'model'] as const).filter((name) => given[name] !== undefined)
  if (all) {
    const alone = [...(trial === undefined ? [] : [`the trial "${trial}"`]), ...changes.map((name) => `--${name}`)]
    if (alone.length > 0) throw new UserError(`--all proves every trial of a run: leave out ${alone.join(', ')}.`)
    return replayAll(run, { json })
  }
  if (trial === undefined) throw new UserError('Name a trial, or play every trial of a run again with --all.')
  const recorded = await openTrace({ trial, run })
  return changes.length > 0
    ? tellWhatIf(recorded, given, catalogueOf({ trial, run }))
    : prove(recorded, { json, catalogue: catalogueOf({ trial, run }) })
}

async function prove(recorded: Trace, { json, catalogue }: { json: boolean; catalogue: Catalogue }): Promise<number> {
  const definition = await definitionOf(identityOf(recorded), catalogue)
  const { identity, divergence, versions } = await replayTrial(recorded, definition)
  const identical = divergence === null
  if (json) {
    const result = { trial: identity.id, identical, records: recorded.length, divergence, versions }
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  } else {
    const lines = identical
      ? [`${clean(identity.id)} is identical: all ${recorded.length} records are reproduced.`]
      : divergenceLines(identity.id, divergence)
    process.stdout.write(`${[...lines, ...(versions === null ? [] : [versions])].join('\n')}\n`)
  }
  return identical ? exit.fine : exit.regression
}
