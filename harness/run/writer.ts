import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../contract/index.js'
import type { Trace, TrialIdentity, TrialLine } from '../contract/index.js'
import { writeTrace } from '../trace/file.js'
import { makeFolder } from './disk.js'
import type { RunHeader } from './header.js'
import { lockRun } from './lock.js'
import { readRun, tracePath } from './store.js'

/** Where trial results go as trials end. */
export interface RunWriter {
  readonly folder: string
  /** Names the run for ever: no other has it, and it keeps it when it goes on. */
  readonly run: string
  /** Trials that an earlier process finished. */
  readonly done: ReadonlySet<string>
  /** Appends the line and syncs it, after its trace. Wall time goes to a sidecar: lines are deterministic. */
  append(line: TrialLine, trace: Trace, wallMs: number): void
  /** Puts the lines into the plan's order, where trials ended in another one. */
  arrange(order: readonly TrialIdentity[]): void
  close(): void
}

/** Makes the run's folder; one that cannot be written, or holds a run already, is the user's to know. */
export function createRun(folder: string, header: RunHeader): RunWriter {
  return open(folder, header, () => {
    if (existsSync(join(folder, 'run.json')))
      throw new UserError(`"${folder}" holds a run already. Name another folder with --out, or go on with --resume.`)
    writeFileSync(join(folder, 'run.json'), `${JSON.stringify(header, null, 2)}\n`)
    return new Set()
  })
}

/** Goes on with a run: repairs a torn last line, and with `retryErrors` forgets the trials that infrastructure ended. */
export function resumeRun(folder: string, header: RunHeader, retryErrors: boolean): RunWriter {
  return open(folder, header, () => {
    const path = join(folder, 'trials.jsonl')
    if (!existsSync(path)) return new Set()
    repair(path)
    const { lines, notes } = readRun(folder)
    const [damage] = notes
    if (damage !== undefined) throw new UserError(`${damage} The run cannot be resumed; start another one.`)
    const kept = retryErrors ? lines.filter(({ outcome }) => outcome !== 'infrastructure_error') : lines
    if (kept.length < lines.length) rewrite(path, kept)
    for (const { identity } of lines.filter((line) => !kept.includes(line)))
      rmSync(tracePath(folder, identity), { force: true })
    return new Set(kept.map(({ identity }) => identity.id))
  })
}

function open(folder: string, { run, startedAt, traces }: RunHeader, prepare: () => Set<string>): RunWriter {
  const release = taking(folder)
  const path = join(folder, 'trials.jsonl')
  try {
    const done = prepare()
    let results = openSync(path, 'a')
    const timings = openSync(join(folder, 'timing.jsonl'), 'a')
    return {
      folder,
      run: `${run} ${startedAt}`,
      done,
      append(line, trace, wallMs) {
        try {
          if (traces === 'all' || (traces === 'failures' && line.outcome !== 'solved')) {
            const file = tracePath(folder, line.identity)
            makeFolder(dirname(file))
            writeTrace(file, trace)
          }
          writeSync(results, `${JSON.stringify(line)}\n`)
          fsyncSync(results)
          writeSync(
            timings,
            `${JSON.stringify({ id: line.identity.id, wallMs: Math.round(wallMs * 1_000) / 1_000 })}\n`,
          )
        } catch (error) {
          throw unwritable(folder, error)
        }
      },
      arrange(order) {
        const { lines } = readRun(folder)
        const rank = new Map(order.map(({ id }, index) => [id, index]))
        const at = ({ identity }: TrialLine): number => rank.get(identity.id) ?? order.length
        if (lines.every((line, index) => index === 0 || at(line) > at(lines[index - 1] ?? line))) return
        closeSync(results)
        rewrite(
          path,
          lines.toSorted((a, b) => at(a) - at(b)),
        )
        results = openSync(path, 'a')
      },
      close() {
        closeSync(results)
        closeSync(timings)
        release()
      },
    }
  } catch (error) {
    release()
    throw error instanceof UserError ? error : unwritable(folder, error)
  }
}

function taking(folder: string): () => void {
  try {
    makeFolder(folder)
    return lockRun(folder, new Date())
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(folder, error)
  }
}

function unwritable(folder: string, error: unknown): UserError {
  return new UserError(
    `The output folder "${folder}" cannot be written: ${error instanceof Error ? error.message : String(error)}`,
  )
}

/** Cuts what stands behind the last line end: the line that a killed process was writing. */
function repair(path: string): void {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
}

/** Whole or not at all. */
function rewrite(path: string, lines: readonly TrialLine[]): void {
  const next = `${path}.next`
  writeFileSync(next, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true })
  renameSync(next, path)
}
