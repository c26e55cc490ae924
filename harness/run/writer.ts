import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../contract/index.js'
import type { Trace, TrialIdentity, TrialLine } from '../contract/index.js'
import { writeTrace } from '../trace/file.js'
import { appendLine, cutTornLine, makeFolder, unwritable, writeWhole } from './disk.js'
import type { RunHeader } from './header.js'
import type { Preflight } from './preflight.js'
import { lockRun } from './lock.js'
import { readRun, tracePath } from './store.js'

/** Where trial results go as trials end. */
export type RunWriter = ReturnType<typeof open>

/** A header with what is known of the endpoints by now. */
export const withFound = (header: RunHeader, preflight: Preflight[]): RunHeader =>
  preflight.length === 0 ? header : { ...header, preflight }

/** Makes the run's folder; one that cannot be written, or holds a run already, is the user's to know. */
export function createRun(folder: string, header: RunHeader): RunWriter {
  return open(folder, header, () => {
    if (existsSync(join(folder, 'run.json')))
      throw new UserError(`"${folder}" holds a run already. Name another folder with --out, or go on with --resume.`)
    writeWhole(join(folder, 'run.json'), `${JSON.stringify(header, null, 2)}\n`)
    return new Set()
  })
}

/** Goes on with a run: repairs a torn last line, and with `retryErrors` forgets the trials that infrastructure ended. */
export function resumeRun(folder: string, header: RunHeader, retryErrors: boolean): RunWriter {
  return open(folder, header, () => {
    const path = join(folder, 'trials.jsonl')
    if (!existsSync(path)) return new Set()
    cutTornLine(path)
    const { lines, notes } = readRun(folder)
    const [damage] = notes
    if (damage !== undefined) throw new UserError(`${damage} The run cannot be resumed; start another one.`)
    const kept = retryErrors ? lines.filter(({ outcome }) => outcome !== 'infrastructure_error') : lines
    if (kept.length < lines.length) writeLines(path, kept)
    for (const { identity } of lines.filter((line) => !kept.includes(line)))
      rmSync(tracePath(folder, identity), { force: true })
    return new Set(kept.map(({ identity }) => identity.id))
  })
}

function open(folder: string, header: RunHeader, prepare: () => ReadonlySet<string>) {
  const { run, startedAt, traces } = header
  const path = join(folder, 'trials.jsonl')
  const output = `The output folder "${folder}"`
  const goOn = `go on with: npx sora-bench run --resume ${folder}`
  let release = (): void => {}
  try {
    makeFolder(folder)
    release = lockRun(folder, new Date())
    const done = prepare()
    let results = openSync(path, 'a')
    const timings = openSync(join(folder, 'timing.jsonl'), 'a')
    return {
      folder,
      /** Names the run for ever: no other has it, and it keeps it when it goes on. */
      run: `${run} ${startedAt}`,
      /** Trials that an earlier process finished. */
      done,
      /** Appends the line and syncs it, after its trace. Wall time goes to a sidecar: lines are deterministic. */
      append(line: TrialLine, trace: Trace, wallMs: number): void {
        const isKept = traces === 'all' || (traces === 'failures' && line.outcome !== 'solved')
        const file = tracePath(folder, line.identity)
        try {
          if (isKept) {
            makeFolder(dirname(file))
            writeTrace(file, trace)
          }
          const timing = { id: line.identity.id, wallMs: Math.round(wallMs * 1_000) / 1_000 }
          appendLine(timings, timing, { sync: false })
          appendLine(results, line, { sync: true })
        } catch (error) {
          if (existsSync(file)) rmSync(file)
          throw unwritable(output, error, goOn)
        }
      },
      /** Puts the lines into the plan's order, where trials ended in another one. */
      arrange(order: readonly TrialIdentity[]): void {
        const { lines } = readRun(folder)
        const rank = new Map(order.map(({ id }, index) => [id, index]))
        const at = ({ identity }: TrialLine): number => rank.get(identity.id) ?? order.length
        if (lines.every((line, index) => index === 0 || at(line) > at(lines[index - 1] ?? line))) return
        try {
          const arranged = lines.toSorted((a, b) => at(a) - at(b))
          writeLines(path, arranged)
        } catch (error) {
          throw unwritable(output, error, goOn)
        }
        closeSync(results)
        results = openSync(path, 'a')
      },
      /** Keeps what was learnt of endpoints since the run began. */
      learnt(preflight: Preflight[]): void {
        const known = withFound(header, preflight)
        if (JSON.stringify(known) !== JSON.stringify(header))
          writeWhole(join(folder, 'run.json'), `${JSON.stringify(known, null, 2)}\n`)
      },
      close(): void {
        closeSync(results)
        closeSync(timings)
        release()
      },
    }
  } catch (error) {
    release()
    throw unwritable(output, error)
  }
}

function writeLines(path: string, lines: readonly TrialLine[]): void {
  writeWhole(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
