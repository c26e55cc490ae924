import { existsSync } from 'node:fs'
import { UserError } from '../contract/index.js'
import type { Trace } from '../contract/index.js'
import { playBack } from '../run/playback.js'
import { isRecording } from '../run/recording.js'
import { createCatalogue } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { identityOf, replayTrial } from '../run/replay.js'
import type { Divergence } from '../run/replay.js'
import { findRun, tracePath } from '../run/store.js'
import { readTrace } from '../trace/file.js'
import { clean } from '../trace/text.js'
import { defineCommand, exit, flag, option, readNotedRun, runOption } from './command.js'
import { onInterrupt } from './terminal.js'
import { catalogueOf, modelsFor, openTrace } from './trace.js'
import { definitionOf, tellWhatIf, whatIfOptions } from './what-if.js'

/** A trial again from its record: the proof that it comes back, or another future of it. */
export const replayCommand = defineCommand({
  command: 'replay [trial]',
  describe:
    'Play a trial again from its record, and prove it identical; or change something, and see what becomes of it',
  builder: (y) =>
    y
      .positional('trial', option('A trial’s id, the path of a trace file, or a folder that `run --record` has left'))
      .option('run', runOption)
      .option('all', flag('Every trial of the run'))
      .options(whatIfOptions)
      .example('$0 replay water-hammer/s-ora/sim:typical/0', 'is it reproduced, record by record?')
      .example('$0 replay --all --run results/mine', 'the whole run')
      .example('$0 replay results/recorded', 'every trial of a recording, without asking a model')
      .example('$0 replay react-sync/sim:typical/0 --param rampMs=1000', 'the same, had the ramp been shorter')
      .example('$0 replay react-sync/sim:typical/0 --agent s-ora', 'another architecture in the same scenario')
      .example('$0 replay s-ora/sim:typical/0 --from 12.5s --model sim:careful', 'the same past, another reader')
      .epilogue(
        'Exit codes: 0 identical, or a what-if that was played; 2 a mistake in the input, or a past that cannot be kept; 100 not identical.',
      ),
  async run(given) {
    const { trial, run, all, json } = given
    const changes = (['from', 'param', 'agent', 'model'] as const).filter((name) => given[name] !== undefined)
    if (all) {
      const alone = [...(trial === undefined ? [] : [`the trial "${trial}"`]), ...changes.map((name) => `--${name}`)]
      if (alone.length > 0) throw new UserError(`--all proves every trial of a run: leave out ${alone.join(', ')}.`)
      return replayAll(run, json)
    }
    if (trial === undefined) throw new UserError('Name a trial, or play every trial of a run again with --all.')
    if (isRecording(trial)) {
      const alone = [...(run === undefined ? [] : ['run']), ...changes].map((name) => `--${name}`)
      if (alone.length > 0)
        throw new UserError(
          `A recording is played as it is: leave out ${alone.join(', ')}, or use \`run --replay ${trial}\`.`,
        )
      return replayRecording(trial, json)
    }
    const recorded = await openTrace({ trial, run })
    const catalogue = catalogueOf({ trial, run })
    return changes.length > 0
      ? tellWhatIf(recorded, given, catalogue, modelsFor({ trial, run }))
      : prove(recorded, json, catalogue)
  },
})

async function prove(recorded: Trace, json: boolean, catalogue: Catalogue): Promise<number> {
  const definition = await definitionOf(identityOf(recorded), catalogue)
  const { identity, divergence, versions } = await replayTrial(recorded, definition)
  const identical = divergence === null
  const result = { trial: identity.id, identical, records: recorded.length, divergence, versions }
  const lines = identical
    ? [`${clean(identity.id)} is identical: all ${recorded.length} records are reproduced.`]
    : divergenceLines(identity.id, divergence)
  if (versions !== null) lines.push(versions)
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`)
  return identical ? exit.fine : exit.regression
}

/** What is printed of those that differ; the count is of all. */
const SHOWN = 20

/** One sentence and two lines. */
function divergenceLines(trial: string, difference: Pick<Divergence, 'sentence' | 'recorded' | 'now'>): string[] {
  const { sentence, recorded, now } = difference
  return [`${clean(trial)} differs. ${sentence}`, `  recorded  ${recorded}`, `  now       ${now}`]
}

/** Plays every trial of a run again, and counts. */
async function replayAll(run: string | undefined, json: boolean): Promise<number> {
  const folder = findRun(run)
  const { header, lines } = readNotedRun(folder)
  const catalogue = createCatalogue(header.plugins)
  const traced = lines.filter(({ identity }) => existsSync(tracePath(folder, identity)))
  if (traced.length === 0) throw new UserError(`${folder} kept no traces. Run again with --traces all.`)
  const differing: { trial: string; text: string[] }[] = []
  const abort = onInterrupt()
  const progress = progressLine(traced.length)
  let done = 0
  for (const { identity } of traced) {
    if (abort.signal.aborted) break
    const problem = await problemOf(tracePath(folder, identity), identity.id, catalogue)
    if (problem !== null) differing.push({ trial: identity.id, text: problem })
    done += 1
    progress(done, done - differing.length)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  abort.release()
  const [identical, untraced] = [done - differing.length, lines.length - traced.length]
  const result = { run: folder, trials: lines.length, untraced, played: done, identical, differing }
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : summary(result).join('\n')}\n`)
  if (abort.signal.aborted) return exit.interrupted
  return differing.length === 0 ? exit.fine : exit.regression
}

/** Plays every trial of a recording from its calls, and counts. */
async function replayRecording(folder: string, json: boolean): Promise<number> {
  const abort = onInterrupt()
  const progress = progressLine(readNotedRun(folder).lines.length)
  let [done, identical] = [0, 0]
  const onTrial = (isIdentical: boolean): void => {
    if (isIdentical) identical += 1
    progress((done += 1), identical)
  }
  const result = await playBack(folder, { signal: abort.signal, onTrial }).finally(abort.release)
  const shown = result.differing
    .slice(0, SHOWN)
    .flatMap(({ trial, ...difference }) => divergenceLines(trial, difference))
  const more = result.differing.length > SHOWN ? [moreLine(result.differing.length)] : []
  const told = [...shown, ...more, `${identical} of ${done} trials identical, without asking a model`]
  process.stdout.write(
    `${json ? JSON.stringify({ recording: folder, identical, ...result }, null, 2) : told.join('\n')}\n`,
  )
  if (abort.signal.aborted) return exit.interrupted
  return result.differing.length === 0 ? exit.fine : exit.regression
}

const moreLine = (count: number): string => `… and ${count - SHOWN} more (all with --json).`

interface Replayed {
  run: string
  untraced: number
  played: number
  identical: number
  differing: readonly { trial: string; text: string[] }[]
}

function summary({ run, untraced, played, identical, differing }: Replayed): string[] {
  const shown = differing
    .slice(0, SHOWN)
    .flatMap(({ trial, text: problem }) => [
      ...problem,
      `  again:    npx sora-bench replay "${clean(trial)}" --run ${run}`,
    ])
  const more = differing.length > SHOWN ? [moreLine(differing.length)] : []
  const without = untraced === 0 ? '' : `; ${untraced} more kept no trace`
  return [...shown, ...more, `${identical} of ${played} trials identical${without}`]
}

/** Null where the trial is identical. What cannot be read or played is no proof either. */
async function problemOf(path: string, trial: string, catalogue: Catalogue): Promise<string[] | null> {
  try {
    const { trace, note } = await readTrace(path)
    const { divergence, versions } = await replayTrial(trace, await definitionOf(identityOf(trace), catalogue))
    if (divergence === null) return null
    const remarks = [note, versions].flatMap((remark) => (remark === null ? [] : [`  ${remark}`]))
    return [...divergenceLines(trial, divergence), ...remarks]
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
    const line = `${done}/${total} trials played · ${identical} identical`
    if (isTTY) process.stderr.write(`\r${line}${done === total ? '\n' : ''}`)
    else if (Math.floor((10 * done) / total) > tenth) process.stderr.write(`${line}\n`)
    tenth = Math.floor((10 * done) / total)
  }
}
