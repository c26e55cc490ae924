import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a folder and what is missing above it, one by one: Node's own recursion does not end below folders such as /proc. */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  if (existsSync(whole)) return
  makeFolder(dirname(whole))
  try {
    mkdirSync(whole)
  } catch (error) {
    // Somebody else was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
