import type { ArgumentsCamelCase, Argv } from 'yargs'
import { UserError } from '../contract/index.js'
import { readRun } from '../run/store.js'

/** Exit codes (docs/design.md#comparison). */
export const exit = { fine: 0, failed: 1, mistake: 2, infrastructure: 3, regression: 100, interrupted: 130 } as const

/** Adds a command to a parser; `done` receives the exit code. */
export type Command = (parser: Argv, done: (code: number) => void) => Argv

/** A command whose `run` returns its exit code, or nothing where it is fine. */
export const defineCommand =
  <T>(parts: {
    command: string
    describe: string
    builder: (y: Argv) => Argv<T>
    run: (given: ArgumentsCamelCase<T>) => Promise<number | undefined>
  }): Command =>
  (parser, done) =>
    parser.command(parts.command, parts.describe, parts.builder, async (given) => {
      done((await parts.run(given)) ?? exit.fine)
    })

/** Options by what they take: a text, several texts (the option is repeated), a number, nothing. */
export const option = (describe: string) => ({ type: 'string', describe }) as const
export const repeated = (describe: string) => ({ type: 'string', array: true, nargs: 1, describe }) as const
export const numeric = (describe: string) => ({ type: 'number', describe }) as const
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const

/** A text that a command cannot do without. */
export const needed = (describe: string) => ({ ...option(describe), demandOption: true }) as const

export const runOption = option('The run’s folder or name (default: the latest)')

/** The parts of a comma list. */
export const split = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Throws for the first name that is not known. */
export function checkNames(
  names: readonly string[],
  known: readonly string[],
  complaint: (unknown: string) => string,
): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UserError(`${complaint(unknown)} Known: ${known.join(', ')}.`)
}

/** Reads a run, and says on standard error what is damaged in it. */
export function readNotedRun(folder: string): Omit<ReturnType<typeof readRun>, 'notes'> {
  const { notes, ...run } = readRun(folder)
  for (const note of notes) process.stderr.write(`${note}\n`)
  return run
}
