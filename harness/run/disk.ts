import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Is it an error of the system with this code, such as `ENOENT`? */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

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
