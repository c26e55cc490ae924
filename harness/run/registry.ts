import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../contract/index.js'
import type { Agent, Environment, Metric, Suite, Use } from '../contract/index.js'
import { createTeam, isTeam, seatsIn, teamName } from '../trial/team.js'
import { loadPlugIn, noun, plugInName } from './plug-in.js'
import type { PlugInKind, PlugIns } from './plug-in.js'

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

/** All metrics, in the order of their names. A file holds the metrics of one noun. */
export async function loadMetrics(): Promise<Metric[]> {
  const lists = [...pluginFiles('metric').values()].map(async (file) => {
    const module: { default: Metric[] } = await import(pathToFileURL(file).href)
    return module.default
  })
  return (await Promise.all(lists)).flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The agents and environments that a command can name: those of the house, and files from outside (docs/environments.md). */
export interface Catalogue {
  /** The name that a name or the path of a file stands for. Files are looked for in the folders, in turn. Nothing is loaded. */
  nameOf(kind: PlugInKind, text: string, folders?: readonly string[]): string
  /** The suite with names in place of paths. */
  named(suite: Suite, folders?: readonly string[]): Suite
  has(kind: PlugInKind, name: string): boolean
  agent(name: string): Promise<Agent>
  environment(name: string): Promise<Environment>
  /** The absolute paths of what a suite takes from outside, for `run.json`. */
  filesOf(suite: Suite): string[]
}

const plugInFolders: Record<PlugInKind, string> = { agent: 'agents', env: 'environments' }
const ENDINGS = ['ts', 'mts', 'js', 'mjs']

/** `earlier`: the files that an earlier run took from outside. */
export function createCatalogue(earlier: readonly string[] = []): Catalogue {
  const outside: Record<PlugInKind, Map<string, string>> = { agent: new Map(), env: new Map() }
  const agents = new Map<string, Promise<Agent>>()
  const environments = new Map<string, Promise<Environment>>()
  for (const file of earlier) add(plugInName('env', file) === null ? 'agent' : 'env', file)

  function add(kind: PlugInKind, file: string): string {
    const name = plugInName(kind, file)
    if (name === null) {
      throw new UserError(
        `"${file}" is no ${noun[kind]} file: it must be called NAME.${kind}.ts (or .js), NAME in lower-case letters, digits and dashes.`,
      )
    }
    const other = pluginFiles(kind).has(name) ? 'an own one of sora-bench' : outside[kind].get(name)
    if (other !== undefined && other !== file) {
      throw new UserError(`"${file}" bears the name "${name}", which is taken by ${other}. Rename it.`)
    }
    outside[kind].set(name, file)
    return name
  }

  const has = (kind: PlugInKind, name: string): boolean => pluginFiles(kind).has(name) || outside[kind].has(name)

  function nameOf(kind: PlugInKind, text: string, folders: readonly string[] = ['.']): string {
    if (kind === 'agent' && isTeam(text)) {
      return teamName(seatsIn(text).map(([role, agent]) => [role, nameOf(kind, agent, folders)]))
    }
    if (isPath(text)) {
      const candidates = folders.map((folder) => resolve(folder, text))
      const file = candidates.find((candidate) => existsSync(candidate))
      if (file === undefined) throw new UserError(`There is no ${noun[kind]} file ${unique(candidates).join(' or ')}.`)
      return add(kind, file)
    }
    if (has(kind, text)) return text
    const file = folders.flatMap((folder) => placesOf(kind, text, folder)).find((place) => existsSync(place))
    return file === undefined ? text : add(kind, file)
  }

  /** Each file once: what is loaded twice would be two agents. */
  function once<K extends PlugInKind>(
    kind: K,
    name: string,
    loaded: Map<string, Promise<PlugIns[K]>>,
    inHouse: (name: string) => Promise<PlugIns[K]>,
  ): Promise<PlugIns[K]> {
    const file = outside[kind].get(name)
    if (file === undefined) return inHouse(name)
    const known = loaded.get(name) ?? loadPlugIn(kind, file)
    loaded.set(name, known)
    return known
  }

  async function agentOf(name: string): Promise<Agent> {
    if (!isTeam(name)) return once('agent', name, agents, loadAgent)
    const seats = seatsIn(name)
    return createTeam(await Promise.all(seats.map(async ([role, own]) => ({ role, agent: await agentOf(own) }))))
  }

  return {
    nameOf,
    named(suite, folders) {
      const rename = (kind: PlugInKind) => (use: Use) =>
        typeof use === 'string' ? nameOf(kind, use, folders) : { ...use, use: nameOf(kind, use.use, folders) }
      return {
        ...suite,
        agents: suite.agents.map(rename('agent')),
        environments: suite.environments.map(rename('env')),
      }
    },
    has: (kind, name) =>
      kind === 'agent' && isTeam(name) ? seatsIn(name).every(([, agent]) => has(kind, agent)) : has(kind, name),
    agent: agentOf,
    environment: (name) => once('env', name, environments, loadEnvironment),
    filesOf({ agents: ours, environments: theirs }) {
      const files = (kind: PlugInKind, uses: Use[]) =>
        uses.flatMap((use) => singles(nameIn(use)).flatMap((name) => outside[kind].get(name) ?? []))
      return unique([...files('agent', ours), ...files('env', theirs)]).toSorted()
    },
  }
}

/** Is it the path of a file rather than a name? */
export const isPath = (text: string): boolean => /[/\\]|\.[cm]?[jt]s$/.test(text)

/** A name alone means a file of that name here, in the home of its kind, or in a folder of its own in either. */
function placesOf(kind: PlugInKind, name: string, folder: string): string[] {
  if (basename(name) !== name) return []
  const homesOf = ['', name, plugInFolders[kind], join(plugInFolders[kind], name)]
  return homesOf.flatMap((home) => ENDINGS.map((ending) => resolve(folder, home, `${name}.${kind}.${ending}`)))
}

const singles = (name: string): string[] => (isTeam(name) ? seatsIn(name).map(([, agent]) => agent) : [name])

/** Whom a suite means: the name without its parameters. */
export const nameIn = (use: Use): string => (typeof use === 'string' ? use : use.use)
const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
