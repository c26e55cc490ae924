import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import type { TrialIdentity, TrialLine } from '../contract/index.js'
import { addressOf, answerOf, emptyTape, hashOf, openDeck } from '../model/tape.js'
import type { Deck, Tape, Taped } from '../model/tape.js'
import { makeFolder, parseJson, reasonOf, unwritable, writeWhole } from './disk.js'
import type { RunHeader } from './header.js'
import { readRun, trialPath } from './store.js'
import { createRun, resumeRun } from './writer.js'

/** Raised when the files of calls change their shape. */
const RECORDING_VERSION = 1
/** No honest trial comes near it; a small file may unpack to any size. */
const MAX_BYTES = 1_000_000_000

const tapePath = (folder: string, identity: Pick<TrialIdentity, 'id'>): string => trialPath(folder, 'calls', identity)

/** A folder that `--record` has left: a run's `run.json` and `trials.jsonl`, and the calls of each trial. */
export const isRecording = (folder: string): boolean =>
  existsSync(join(folder, 'run.json')) && existsSync(join(folder, 'calls'))

/** What a run says to its recording, trial by trial. */
export interface Recording {
  /** Does it alone answer? Then what trials remember comes from it as well, and no memory outside of the run is touched. */
  isOffline: boolean
  deck(identity: TrialIdentity): Deck
  /** Stores what the trial asked, where that is to be stored. */
  store(line: TrialLine, deck: Deck, wallMs: number): void
  arrange(order: readonly TrialIdentity[]): void
  close(): void
}

/** Does the folder hold this very run already? Throws `UserError` where it holds another. */
export function isRecorded(folder: string, header: RunHeader): boolean {
  if (!existsSync(join(folder, 'run.json'))) return false
  const { run, startedAt } = readRun(folder).header
  if (run === header.run && startedAt === header.startedAt) return true
  throw new UserError(
    `"${folder}" holds another run already. Name a new folder; two of them are joined by: npx sora-bench record merge`,
  )
}

/** Records a run into a folder; the same run goes on there. Throws `UserError` where the folder holds another. */
export function recordInto(folder: string, header: RunHeader, retryErrors: boolean): Recording {
  const own = { ...header, traces: 'none' as const }
  const writer = isRecorded(folder, header) ? resumeRun(folder, own, retryErrors) : createRun(folder, own)
  makeFolder(join(folder, 'calls'))
  return {
    isOffline: false,
    deck: () => openDeck(emptyTape(), { live: true }),
    store(line, { tape }, wallMs) {
      if (writer.done.has(line.identity.id)) return
      writeTape(folder, line.identity, tape)
      writer.append(line, [], wallMs)
    },
    arrange: (order) => writer.arrange(order),
    close: () => writer.close(),
  }
}

/** Plays a recording; with `live` what it lacks is asked of the models and added. */
export function playFrom(folder: string, { live }: { live: boolean }): Recording {
  const { header, lines } = readRecording(folder)
  const writer = live ? resumeRun(folder, header, false) : null
  /** A trial by its name; else the same agent, model and scenario, which a sweep has named otherwise. */
  const sourceOf = (identity: TrialIdentity): TrialIdentity | undefined => {
    const { agent, model, replica, scenario } = identity
    const alike = lines.find(
      ({ identity: other }) =>
        other.agent === agent &&
        other.model === model &&
        other.replica === replica &&
        other.scenario.environment === scenario.environment &&
        other.scenario.seed === scenario.seed,
    )
    return existsSync(tapePath(folder, identity)) ? identity : alike?.identity
  }
  return {
    isOffline: !live,
    deck(identity) {
      const source = sourceOf(identity)
      return openDeck(source === undefined ? emptyTape() : readTape(folder, source), { live })
    },
    store(line, deck, wallMs) {
      if (writer === null || deck.added() === 0) return
      writeTape(folder, line.identity, deck.tape)
      if (!writer.done.has(line.identity.id)) writer.append(line, [], wallMs)
    },
    arrange() {},
    close: () => writer?.close(),
  }
}

/** Joins recordings into one folder, which may be new. Throws `UserError`, before anything is written, for a trial that two of them hold differently. */
export function mergeRecordings(into: string, from: readonly string[]): { trials: number; added: number } {
  const isNew = !existsSync(join(into, 'run.json'))
  const sources = (isNew ? from : [into, ...from]).map((folder) => ({ folder, ...readRecording(folder) }))
  const [first] = sources
  if (first === undefined) throw new UserError('Name a recording to merge.')
  const all = new Map<string, { folder: string; line: TrialLine }>()
  for (const { folder, header, lines } of sources) {
    if (header.clock !== first.header.clock)
      throw new UserError(
        `"${folder}" ran on the ${header.clock} clock, and "${first.folder}" on ${first.header.clock}.`,
      )
    for (const line of lines) {
      const { id } = line.identity
      const other = all.get(id)
      if (other === undefined) all.set(id, { folder, line })
      else if (!isSame(line, other.line) || !isSame(saidIn(folder, line), saidIn(other.folder, line)))
        throw new UserError(
          `"${other.folder}" and "${folder}" hold "${id}" differently; see: npx sora-bench record diff ${other.folder} ${folder}`,
        )
    }
  }
  const union = (key: 'models' | 'plugins') => [...new Set(sources.flatMap(({ header }) => header[key]))]
  const header = { ...first.header, models: union('models'), plugins: union('plugins'), trials: all.size }
  const own: RunHeader = { ...header, versions: Object.assign({}, ...sources.map((source) => source.header.versions)) }
  const writer = isNew ? createRun(into, { ...own, traces: 'none' }) : resumeRun(into, own, false)
  try {
    for (const { folder, line } of all.values()) {
      if (writer.done.has(line.identity.id)) continue
      const path = tapePath(into, line.identity)
      makeFolder(dirname(path))
      copyFileSync(tapePath(folder, line.identity), path)
      writer.append(line, [], 0)
    }
    if (!isNew) writeWhole(join(into, 'run.json'), `${JSON.stringify(own, null, 2)}\n`)
  } finally {
    writer.close()
  }
  return { trials: all.size, added: all.size - writer.done.size }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What models were asked and said. */
const saidIn = (folder: string, { identity }: TrialLine) =>
  readTape(folder, identity).calls.map((call) => [addressOf(call), answerOf(call)])

/** Throws `UserError` for a folder that holds none. */
export function readRecording(folder: string): Pick<ReturnType<typeof readRun>, 'header' | 'lines'> {
  if (isRecording(folder)) return readRun(folder)
  throw new UserError(`"${folder}" holds no recording. Make one with: npx sora-bench run --record ${folder}`)
}

/** Gzipped JSON Lines, each text once and before the first call that says it. */
function encodeTape(trial: string, { calls, texts, given }: Tape): Buffer {
  const lines: object[] = [{ kind: 'trial', version: RECORDING_VERSION, trial, given }]
  const told = new Set<string>()
  for (const call of calls) {
    // Nobody waited for its answer.
    if (call.said === undefined && call.failed === undefined) continue
    for (const hash of hashesIn(call)) {
      if (told.has(hash)) continue
      told.add(hash)
      lines.push({ kind: 'text', hash, text: texts.get(hash) ?? '' })
    }
    lines.push(call)
  }
  return gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 9 })
}

const hashesIn = (call: Taped): string[] =>
  call.kind === 'embedding'
    ? call.texts
    : [...call.messages.map(({ hash }) => hash), ...[call.tools, call.schema].filter((hash) => hash !== null)]

function writeTape(folder: string, identity: Pick<TrialIdentity, 'id'>, tape: Tape): void {
  const path = tapePath(folder, identity)
  try {
    makeFolder(dirname(path))
    writeWhole(path, encodeTape(identity.id, tape))
  } catch (error) {
    throw unwritable(`The recording "${folder}"`, error)
  }
}

const headSchema = z.object({
  kind: z.literal('trial'),
  version: z.number(),
  given: z.record(z.string(), z.json()).nullish(),
})
const lineSchema = z.union([
  z.object({ kind: z.literal('text'), hash: z.string(), text: z.string() }),
  z.custom<Taped>((value) => typeof value === 'object' && value !== null && 'kind' in value && 'model' in value),
])

/** What a trial asked. Throws `UserError` for a file that is damaged or newer than this program. */
export function readTape(folder: string, identity: Pick<TrialIdentity, 'id'>): Tape {
  const path = tapePath(folder, identity)
  const [head, ...lines] = unpack(path).trimEnd().split('\n').map(parseJson)
  const { version, given = null } = headSchema.safeParse(head).data ?? {}
  if (version === undefined) throw new UserError(`"${path}" is no recording of calls.`)
  if (version > RECORDING_VERSION)
    throw new UserError(
      `"${path}" was written by a newer version (format ${version}, this one reads ${RECORDING_VERSION}). Update sora-bench.`,
    )
  const tape = { ...emptyTape(), given }
  for (const [index, data] of lines.entries()) {
    const { data: line } = lineSchema.safeParse(data)
    if (line === undefined || (line.kind === 'text' && hashOf(line.text) !== line.hash))
      throw new UserError(`"${path}" is damaged in line ${index + 2}.`)
    if (line.kind === 'text') tape.texts.set(line.hash, line.text)
    else tape.calls.push(line)
  }
  return tape
}

function unpack(path: string): string {
  try {
    return gunzipSync(readFileSync(path), { maxOutputLength: MAX_BYTES }).toString('utf8')
  } catch (error) {
    throw new UserError(`"${path}" cannot be read: ${reasonOf(error)}`)
  }
}
