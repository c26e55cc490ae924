import { writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { Argv } from 'yargs'
import { UserError } from '../define/index.js'
import { pluginFiles } from '../run/discover.js'
import { makeFolder } from '../run/folder.js'
import { matchTrial } from './find-trace.js'

/** Reports that are wanted beside those in the run's folder, and the trials that pages show on a timeline. */
export interface OutputOptions {
  output?: string[] | undefined
  timeline?: string[] | undefined
}

export function outputOptions<T>(y: Argv<T>): Argv<T & OutputOptions> {
  const known = [...pluginFiles('reporter').keys()].map((name) => `.${name}`).join(', ')
  return y
    .option('output', {
      alias: 'o',
      type: 'string',
      array: true,
      nargs: 1,
      describe: `Also write a report to this file, by its extension: ${known}; may be repeated`,
    })
    .option('timeline', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'A trial that pages show on a timeline (default: a telling one per case); may be repeated',
    })
}

/** Before anything runs: has every wanted file a reporter? */
export function checkOutputs({ output = [] }: OutputOptions): void {
  for (const path of output) reporterOf(path)
}

/** Before anything runs: does every wanted timeline belong to a trial of the plan? */
export function checkTimelines({ timeline = [] }: OutputOptions, ids: readonly string[]): void {
  for (const trial of timeline) matchTrial(trial, ids, 'this plan')
}

/** The name of the reporter of a file. */
export function reporterOf(path: string): string {
  const name = extname(path).slice(1)
  const known = pluginFiles('reporter')
  if (known.has(name)) return name
  const extensions = [...known.keys()].map((extension) => `.${extension}`).join(', ')
  throw new UserError(`No report can be written to "${path}": its extension must be one of ${extensions}.`)
}

export function writeReport(path: string, text: string): void {
  try {
    makeFolder(dirname(path))
    writeFileSync(path, text)
  } catch (error) {
    throw new UserError(
      `The report "${path}" cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
