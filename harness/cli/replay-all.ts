import { existsSync } from 'node:fs'
import { UserError } from '../contract/index.js'
import type { TrialIdentity } from '../contract/index.js'
import { createCatalogue } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { identityOf, replayTrial } from '../run/replay.js'
import type { Definition, Divergence } from '../run/replay.js'
import { findRun, readRun, tracePath } from '../run/store.js'
import { readTrace } from '../trace/file.js'
import { clean } from '../trace/text.js'
import { exit, onInterrupt } from './terminal.js'

/** What is printed of those that differ; the count is of all. */
const SHOWN = 20

export async function definitionOf({ agent, scenario }: TrialIdentity, catalogue: Catalogue): Promise<Definition> {
  const environment = catalogue.nameOf('env', scenario.environment)
  return {
    agent: await catalogue.agent(catalogue.nameOf('agent', agent)),
    environment: await catalogue.environment(environment),
  }
}

/** One sentence and two lines. */
export function divergenceLines(trial: string, { sentence, recorded, now }: Divergence): string[] {
  return [`${clean(trial)} differs. ${sentence}`, `  recorded  ${recorded}`, `  now       ${now}`]
}

/** Plays every trial of a run again, and counts. */
export async function replayAll(run: string | undefined, { json }: { json: boolean }): Promise<number> {
  const folder = findRun(run)
  const { header, lines, notes } = readRun(folder)
  const catalogue = createCatalogue(header.plugins)
  for (const note of notes) process.stderr.write(`${note}\n`)
  const traced = lines.filter(({ identity }) => existsSync(tracePath(folder, identity)))
  if (traced.length === 0) throw new UserError(`${folder} kept no traces. Run again with --traces all.`)
  const differing: { trial: string; text: string[] }[] = []
  const abort = onInterrupt()
  const progress = progressLine(traced.length)
  let done = 0
  for (const { identity } of traced) {
    if (abort.signal.aborted) break
    const text = await problemOf(tracePath(folder, identity), identity.id, catalogue)
    if (text !== null) differing.push({ trial: identity.id, text })
    done += 1
    progress(done, done - differing.length)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  abort.release()
  const result = { run: folder, trials: lines.length, untraced: lines.length - traced.length, played: done }
  const identical = done - differing.length
  if (json) process.stdout.write(`${JSON.stringify({ ...result, identical, differing }, null, 2)}\n`)
  else process.stdout.write(`${summary(result, identical, differing).join('\n')}\n`)
  if (abort.signal.aborted) return exit.interrupted
  return differing.length === 0 ? exit.fine : exit.regression
}

function summary(
  { run, untraced, played }: { run: string; untraced: number; played: number },
  identical: number,
  differing: readonly { trial: string; text: string[] }[],
): string[] {
  const shown = differing
    .slice(0, SHOWN)
    .flatMap(({ trial, text }) => [...text, `  again:    npx sora-bench replay "${clean(trial)}" --run ${run}`])
  const more = differing.length > SHOWN ? [`… and ${differing.length - SHOWN} more (all with --json).`] : []
  const without = untraced === 0 ? '' : `; ${untraced} more kept no trace`
  return [...shown, ...more, `${identical} of ${played} trials identical${without}`]
}

/** Null where the trial is identical. What cannot be read or played is no proof either. */
async function problemOf(path: string, trial: string, catalogue: Catalogue): Promise<string[] | null> {
  try {
    const { trace, note } = await readTrace(path)
    const { divergence, versions } = await replayTrial(trace, await definitionOf(identityOf(trace), catalogue))
    if (divergence === null) return null
    return [
      ...divergenceLines(trial, divergence),
      ...[note, versions].flatMap((text) => (text === null ? [] : [`  ${text}`])),
    ]
  } catch (error) {
    if (error instanceof UserError) return [`${clean(trial)} could not be played. ${error.message}`]
    throw error
  }
}

/** On a terminal one line that moves, elsewhere a line per tenth. */
function progressLine(total: number): (done: number, identical: number) => void {
  const { isTTY } = process.stderr
  let tenth = 0
  return (done, identical) => {
    const text = `${done}/${total} trials played · ${identical} identical`
    if (isTTY) process.stderr.write(`\r${text}${done === total ? '\n' : ''}`)
    else if (Math.floor((10 * done) / total) > tenth) process.stderr.write(`${text}\n`)
    tenth = Math.floor((10 * done) / total)
  }
}
