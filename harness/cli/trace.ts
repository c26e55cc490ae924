import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Argv } from 'yargs'
import { UserError, modelsIn } from '../contract/index.js'
import type { ModelEntry } from '../contract/index.js'
import { onStdout } from '../report/console.js'
import { createCatalogue } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { findRun, readRun, tracePath } from '../run/store.js'
import type { RunHeader } from '../run/store.js'
import { interactionsOf } from '../trace/algebra/interaction.js'
import type { Interaction } from '../trace/algebra/interaction.js'
import { interactionJson, printInteraction, reconstruction } from '../trace/algebra/print.js'
import { readTrace } from '../trace/file.js'
import type { ReadTrace } from '../trace/file.js'
import { narrate } from '../trace/story.js'
import { defineCommand, exit, flag, needed, runOption } from './command.js'

/** What names a trial on the command line. */
interface TrialOptions {
  trial: string
  run: string | undefined
}

const trialOptions = (y: Argv): Argv<TrialOptions> =>
  y.positional('trial', needed('A trial’s id, or the path of a trace file')).option('run', runOption)

/** Reads the trace of the trial that is meant; damage is told on standard error. */
export async function openTrace({ trial, run }: TrialOptions): Promise<ReadTrace['trace']> {
  const { trace, note } = await readTrace(findTrace(trial, run))
  if (note !== null) process.stderr.write(`${note}\n`)
  return trace
}

/** The agents and environments of the run that a trial belongs to: its plug-ins among them. */
export const catalogueOf = (options: TrialOptions): Catalogue => createCatalogue(headerFor(options)?.plugins)

/** The models of that run by what its trials call them. */
export function modelsFor(options: TrialOptions): ReadonlyMap<string, ModelEntry> {
  const header = headerFor(options)
  return header === null ? new Map() : modelsIn(header.suite)
}

function headerFor({ trial, run }: TrialOptions): RunHeader | null {
  const folder = isTraceFile(trial) ? runAbove(resolve(trial)) : findRun(run)
  return folder === null ? null : readRun(folder).header
}

/** A trace file that was copied elsewhere belongs to no run. */
function runAbove(path: string): string | null {
  const folder = dirname(path)
  if (existsSync(join(folder, 'run.json'))) return folder
  return folder === path ? null : runAbove(folder)
}

const isTraceFile = (trial: string): boolean => trial.endsWith('.jsonl.gz') && existsSync(trial)

/** By a trial's id, by an end of it that is unique in the run, or by the path of the file. */
function findTrace(trial: string, run: string | undefined): string {
  if (isTraceFile(trial)) return trial
  const folder = findRun(run)
  const ids = readRun(folder).lines.map(({ identity }) => identity.id)
  const id = matchTrial(trial, ids, folder)
  const path = tracePath(folder, { id })
  if (!existsSync(path)) throw new UserError(`${folder} kept no trace of ${id}. Run again with --traces all.`)
  return path
}

/** The id that is meant: in full, or an end of it that is unique in `place`. */
export function matchTrial(trial: string, ids: readonly string[], place: string): string {
  const matches = ids.includes(trial) ? [trial] : ids.filter((id) => id.endsWith(`/${trial}`))
  const [id, ...others] = matches
  if (id === undefined) {
    throw new UserError(
      `No trial "${trial}" in ${place}. Its ids look like ${ids.slice(0, 3).join(', ') || '(none yet)'}.`,
    )
  }
  if (others.length > 0)
    throw new UserError(
      `"${trial}" names ${matches.length} trials of ${place}: ${matches.slice(0, 5).join(', ')}. Name one in full.`,
    )
  return id
}

/** A trial told as a story. */
export const traceCommand = defineCommand({
  command: 'trace <trial>',
  describe: 'Tell what happened in a trial: time, phase, call, signal, wait, verdict',
  builder: (y) =>
    trialOptions(y)
      .option('full', flag('Unfold long texts'))
      .option('json', flag('Print the records as JSON Lines'))
      .example('$0 trace water-hammer/react-sync/sim:typical/0', 'of the latest run')
      .example('$0 trace react-sync/sim:typical/0', 'a part of the id, where it is unique')
      .example('$0 trace water-hammer/s-ora/sim:typical/3 --run results/mine --full', 'with whole prompts'),
  async run({ full, json, ...named }) {
    const trace = await openTrace(named)
    const lines = json ? trace.map((record) => JSON.stringify(record)) : narrate(trace, { full, colour: onStdout })
    process.stdout.write(`${lines.join('\n')}\n`)
  },
})

/** A trial in the terms of the interaction algebra. */
export const interactionCommand = defineCommand({
  command: 'interaction <trial>',
  describe: 'Print a trial as the interaction algebra writes it: h, S, Σ, J, σ, θ, ρ, q̂, r̂ per activity',
  builder: (y) =>
    trialOptions(y)
      .option('full', flag('Unfold long texts'))
      .option('json', flag('Print the activities as JSON'))
      .option(
        'reconstruct',
        flag('Rebuild h, σ, θ and ρ from the artifacts, and say whether they agree; 1 where they do not'),
      )
      .example('$0 interaction water-hammer/s-ora/sim:typical/0', 'of the latest run')
      .example('$0 interaction s-ora/sim:typical/0 --json', 'as data')
      .example('$0 interaction s-ora/sim:typical/0 --reconstruct', 'are the artifacts all there is to know?'),
  async run({ full, json, reconstruct, ...named }) {
    const interactions = interactionsOf(await openTrace(named))
    if (interactions.length === 0)
      throw new UserError(`The trial "${named.trial}" has no activity: no agent did anything.`)
    if (reconstruct) return prove(interactions, json)
    const text = interactions.map((interaction) => printInteraction(interaction, { full }).join('\n')).join('\n\n')
    process.stdout.write(`${json ? JSON.stringify(interactions.map(interactionJson), null, 2) : text}\n`)
    return exit.fine
  },
})

function prove(interactions: readonly Interaction[], json: boolean): number {
  const proofs = interactions.map((interaction) => reconstruction(interaction))
  const text = proofs.map(({ sentence }) => sentence).join('\n')
  process.stdout.write(`${json ? JSON.stringify(proofs, null, 2) : text}\n`)
  return proofs.every(({ agrees }) => agrees) ? exit.fine : exit.failed
}
