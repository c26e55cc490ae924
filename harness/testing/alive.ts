import { existsSync, readFileSync } from 'node:fs'

/** Does the process of this id run? A zombie that nobody has buried is dead. */
export function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !readFileSync(path, 'utf8').includes(') Z ')
}
