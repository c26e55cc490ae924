import { readFileSync, writeFileSync } from 'node:fs'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { TRACE_VERSION, UserError } from '../contract/index.js'
import type { JsonObject, Trace, TraceRecord } from '../contract/index.js'
import { upgrade as from1 } from './upgrades/1.js'

/** By the version that they read, from 1 on: what each makes is read by the next. */
const upgrades = [from1]

/** 286 KB of an S-ORA trial become 18 KB in 1.3 ms; level 1 would take 0.7 ms and give 32 KB. */
const LEVEL = 6
const OS_BYTE = 9
const OS_UNKNOWN = 255
/** No honest trace comes near it; a small file may unpack to any size. */
const MAX_BYTES = 1_000_000_000

/** What could be read, and what is wrong with the rest. */
export interface ReadTrace {
  trace: Trace
  note: string | null
}

/** Gzipped JSON Lines. Equal traces give equal bytes: node leaves the header's time at 0, only the system's mark differs. */
export function encodeTrace(trace: Trace): Buffer {
  const bytes = gzipSync(trace.map((record) => `${JSON.stringify(record)}\n`).join(''), { level: LEVEL })
  bytes[OS_BYTE] = OS_UNKNOWN
  return bytes
}

export function writeTrace(path: string, trace: Trace): void {
  writeFileSync(path, encodeTrace(trace))
}

export async function readTrace(path: string): Promise<ReadTrace> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new UserError(`The trace "${path}" cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return decodeTrace(bytes, path)
}

/** A torn or corrupt file gives what stands before the damage. `name` is for messages. */
export async function decodeTrace(bytes: Buffer, name: string): Promise<ReadTrace> {
  const { text, whole } = await unpack(bytes)
  const trace: TraceRecord[] = []
  let upgrade: ((record: JsonObject) => JsonObject) | null = null
  let note = whole ? null : `"${name}" is torn or corrupt; what could be read of it is shown.`
  for (const line of text.split('\n')) {
    if (line === '') continue
    const read = parseLine(line)
    upgrade ??= read === null ? null : upgradeOf(read, name)
    const record: unknown = read === null ? null : upgrade?.(read)
    if (!isRecord(record, trace.length)) {
      note = `"${name}" is damaged after record ${trace.length - 1}; what stands before is shown.`
      break
    }
    trace.push(record)
  }
  if (trace.length === 0) throw new UserError(`"${name}" is no trace: nothing of it could be read.`)
  return { trace, note }
}

/** How to read what comes behind a first record: by the upgrades since its version. */
function upgradeOf({ kind, version }: JsonObject, name: string): (record: JsonObject) => JsonObject {
  if (kind !== 'trial') {
    throw new UserError(`"${name}" is no trace: it begins with ${JSON.stringify(kind)} instead of "trial".`)
  }
  if (typeof version !== 'number' || !(version >= 1 && version <= TRACE_VERSION)) {
    throw new UserError(
      `"${name}" is a trace of version ${JSON.stringify(version)}, and this program reads up to ${TRACE_VERSION}. Update sora-bench.`,
    )
  }
  const since = upgrades.slice(version - 1)
  return (record) => since.reduce<JsonObject>((older, upgrade) => upgrade(older), record)
}

/** Null for a line that is cut. */
function parseLine(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Only this module writes traces, so damage shows in the number, the time or the kind; the rest is trusted. */
function isRecord(value: unknown, n: number): value is TraceRecord {
  return isObject(value) && value['n'] === n && typeof value['at'] === 'number' && typeof value['kind'] === 'string'
}

async function unpack(bytes: Buffer): Promise<{ text: string; whole: boolean }> {
  try {
    return { text: gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString('utf8'), whole: true }
  } catch {
    return { text: (await salvage(bytes)).toString('utf8'), whole: false }
  }
}

/** Feeds the bytes in small pieces, because a piece that fails takes its whole output with it. */
function salvage(bytes: Buffer): Promise<Buffer> {
  const gunzip = createGunzip({ maxOutputLength: MAX_BYTES })
  const read: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const done = () => resolve(Buffer.concat(read))
    gunzip.on('data', (chunk: Buffer) => {
      read.push(chunk)
      length += chunk.length
      if (length > MAX_BYTES) gunzip.destroy()
    })
    gunzip.on('error', done)
    gunzip.on('close', done)
    gunzip.on('end', done)
    for (let start = 0; start < bytes.length; start += 64) gunzip.write(bytes.subarray(start, start + 64))
    gunzip.end()
  })
}
