import {
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../contract/index.js'

/** Is it an error of the system with one of these codes, such as `ENOENT`? */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)

/** What went wrong, in the words of what was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Null for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The disk is full or broken, which is nobody's mistake. Printed without a stack; exit code 1. */
export class DiskError extends Error {
  override name = 'DiskError'
}

/** What to throw where a write failed. `way`: what to do when there is room again. */
export function unwritable(what: string, error: unknown, way = 'try again.'): Error {
  if (error instanceof UserError || error instanceof DiskError) return error
  const sentence = `${what} cannot be written: ${reasonOf(error)}`
  if (!hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO')) return new UserError(sentence)
  return new DiskError(`${sentence}. Make room, then ${way}`)
}

/** Makes a folder and what is missing above it, one by one: Node's own recursion does not end below folders such as /proc. */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  if (existsSync(whole)) return
  makeFolder(dirname(whole))
  try {
    mkdirSync(whole)
  } catch (error) {
    // Somebody else was faster.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Replaces a file by one that holds this. Where that fails, it stays what it was. */
export function writeWhole(path: string, text: string | Buffer): void {
  // A pipe or a device is written to, never replaced.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(path, text)
  const next = `${path}.next`
  try {
    writeFileSync(next, text, { flush: true })
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** Adds a line to an open file. Where that fails, the file ends with the line before. */
export function appendLine(file: number, value: object, { sync }: { sync: boolean }): void {
  const { size } = fstatSync(file)
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  try {
    // A full disk takes a part of a line without complaint, and refuses the rest.
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    if (sync) fsyncSync(file)
  } catch (error) {
    ftruncateSync(file, size)
    throw error
  }
}

/** Cuts what stands behind the last line end: the line that a killed process was writing. */
export function cutTornLine(path: string): void {
  if (!existsSync(path)) return
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
}
