import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import { unpackBaseline } from '../report/compare/baseline.js'
import type { Baseline, BaselineFiles } from '../report/compare/baseline.js'
import type { Side } from '../report/compare/pairs.js'
import { makeFolder, parseJson, reasonOf, unwritable, writeWhole } from '../run/disk.js'
import { findRun } from '../run/store.js'
import { readNotedRun } from './command.js'

/** Committed, unlike the runs beside it. */
export const BASELINES = join('results', 'baselines')

/** A run or a baseline, by folder or by name. */
export function loadSide(name: string): Side {
  const folder = findSide(name)
  return isBaseline(folder) ? sideOfBaseline(name, readBaseline(folder)) : sideOfRun(folder)
}

export function sideOfRun(folder: string): Side {
  const { header, lines } = readNotedRun(folder)
  const { revision, graders, suite, plugins } = header
  return { name: folder, kind: 'run', revision, graders, margins: suite.margins, lines, plugins }
}

export function sideOfBaseline(name: string, { header, lines }: Baseline): Side {
  return { name, kind: 'baseline', revision: null, graders: header.graders, margins: header.suite.margins, lines }
}

function findSide(name: string): string {
  const baseline = join(BASELINES, name)
  for (const folder of [name, join('results', name), baseline]) {
    if (existsSync(join(folder, 'run.json'))) return folder
  }
  try {
    return findRun(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const known = baselineNames()
    throw new UserError(`${error.message} Baselines: ${known.join(', ') || 'none yet'}.`)
  }
}

function isBaseline(folder: string): boolean {
  const data = parseJson(readFileSync(join(folder, 'run.json'), 'utf8'))
  return z.object({ kind: z.literal('baseline') }).safeParse(data).success
}

/** A baseline by name; a folder is taken too. */
export function findBaseline(name: string): string {
  for (const folder of [join(BASELINES, name), name]) {
    if (existsSync(join(folder, 'run.json')) && isBaseline(folder)) return folder
  }
  const known = baselineNames()
  throw new UserError(
    `No baseline "${name}". ${known.length === 0 ? 'Make one with `sora-bench baseline set NAME`.' : `Known: ${known.join(', ')}.`}`,
  )
}

export function readBaseline(folder: string): Baseline {
  const read = (file: string): string => {
    try {
      return readFileSync(join(folder, file), 'utf8')
    } catch (error) {
      throw new UserError(`The baseline "${folder}" cannot be read: ${reasonOf(error)}`)
    }
  }
  return unpackBaseline(folder, { 'run.json': read('run.json'), 'trials.jsonl': read('trials.jsonl') })
}

export function writeBaseline(name: string, files: BaselineFiles): string {
  const folder = join(BASELINES, checkedName(name))
  try {
    makeFolder(folder)
    for (const [file, text] of Object.entries(files)) writeWhole(join(folder, file), text)
  } catch (error) {
    throw unwritable(`The baseline "${folder}"`, error)
  }
  return folder
}

/** It becomes a folder's name. */
function checkedName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(name)) return name
  throw new UserError(`"${name}" cannot name a baseline: use lower-case letters, digits and dashes.`)
}

export function baselineNames(): string[] {
  if (!existsSync(BASELINES)) return []
  return readdirSync(BASELINES)
    .filter((name) => existsSync(join(BASELINES, name, 'run.json')))
    .toSorted()
}
