import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../define/index.js'
import type { Agent, Environment, Metric } from '../define/index.js'

/** The kinds of plug-in, each one file `NAME.<kind>.ts` with a default export, and the folders they live in. */
const homes = {
  agent: { folder: 'agents', noun: 'agent' },
  env: { folder: 'environments', noun: 'environment' },
  metric: { folder: 'harness/metrics', noun: 'metric' },
  reporter: { folder: 'harness/report', noun: 'reporter' },
  suite: { folder: 'harness/suites', noun: 'suite' },
} as const
type Kind = keyof typeof homes

const root = fileURLToPath(new URL('../../', import.meta.url))
/** `.js` in the build, `.ts` where the sources run. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

const found = new Map<Kind, Map<string, string>>()

/** The plug-ins of a kind, found by file name: name → path, in the order of their names. Nothing is loaded. */
export function pluginFiles(kind: Kind): ReadonlyMap<string, string> {
  const known = found.get(kind)
  if (known !== undefined) return known
  const suffix = `.${kind}.${extension}`
  const folder = join(root, homes[kind].folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file): [string, string] => [basename(file, suffix), join(folder, file)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const map = new Map(files)
  found.set(kind, map)
  return map
}

async function load<T extends { name: string }>(kind: Kind, name: string): Promise<T> {
  const files = pluginFiles(kind)
  const file = files.get(name)
  if (file === undefined) {
    throw new UserError(`No ${homes[kind].noun} named "${name}". Known: ${[...files.keys()].join(', ')}.`)
  }
  // The file's own default export, checked by its `define…` function and by the name below.
  const module: { default?: T } = await import(pathToFileURL(file).href)
  if (module.default?.name !== name)
    throw new Error(`${file} must default-export a ${homes[kind].noun} named "${name}".`)
  return module.default
}

export const loadAgent = (name: string): Promise<Agent> => load('agent', name)
export const loadEnvironment = (name: string): Promise<Environment> => load('env', name)
export const loadSuiteModule = (name: string): Promise<{ name: string }> => load('suite', name)
/** The type is the caller's to know: runs know no reports. */
export const loadReporter = <R extends { name: string }>(name: string): Promise<R> => load('reporter', name)

/** All metrics, in the order of their names. */
export async function loadMetrics(): Promise<Metric[]> {
  return Promise.all([...pluginFiles('metric').keys()].map((name) => load<Metric>('metric', name)))
}
