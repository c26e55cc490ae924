import yargs from 'yargs'
import { InfrastructureError, UserError } from '../contract/index.js'
import { DiskError } from '../run/disk.js'
import { packageInfo } from '../run/header.js'
import { harmless } from '../trace/text.js'
import { baselineCommand } from './baseline.js'
import { exit } from './command.js'
import { compareCommand } from './compare.js'
import { describeCommand } from './describe.js'
import { historyCommand } from './history.js'
import { listCommand } from './list.js'
import { newCommand } from './new.js'
import { preflightCommand } from './preflight.js'
import { recordCommand } from './record.js'
import { replayCommand } from './replay.js'
import { reportCommand } from './report.js'
import { runCommand } from './run.js'
import { serveModelCommand } from './serve-model.js'
import { interactionCommand, traceCommand } from './trace.js'

const commands = [
  runCommand,
  reportCommand,
  traceCommand,
  compareCommand,
  baselineCommand,
  historyCommand,
  replayCommand,
  recordCommand,
  interactionCommand,
  listCommand,
  describeCommand,
  newCommand,
  preflightCommand,
  serveModelCommand,
]

/** Reads the arguments, runs the command, and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = exit.fine
  const parser = yargs()
    .scriptName('sora-bench')
    .usage('$0 <command>\n\nHow much of an agent comes from its architecture, and how much from its model?')
    .demandCommand(1, 'Name a command.')
    .strict()
    .recommendCommands()
    .version(packageInfo().version)
    .help()
    .alias('h', 'help')
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .epilogue(
      'Exit codes: 0 fine, 1 the tool failed, 2 a mistake in the input, 3 infrastructure errors remain, 100 regression or difference, 130 interrupted.',
    )
    .exitProcess(false)
    .fail((message, error) => {
      if (error !== undefined && error.name !== 'YError') throw error
      const sentence = message
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replace(/[^.?!]$/, '$&.')
      throw new UserError(`${sentence} See \`sora-bench --help\`.`)
    })
  for (const add of commands) add(parser, (result) => (code = result))
  try {
    await parser.parseAsync([...argv])
    return code
  } catch (error) {
    if (error instanceof UserError || error instanceof DiskError) {
      process.stderr.write(`${harmless(error.message)}\n`)
      return error instanceof UserError ? exit.mistake : exit.failed
    }
    if (error instanceof InfrastructureError) {
      process.stderr.write(`${harmless(error.message)}\n`)
      return exit.infrastructure
    }
    process.stderr.write(`${harmless(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
    return exit.failed
  }
}
