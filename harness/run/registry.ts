import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../contract/index.js'
import type { Agent, Environment, Metric, Reporter, Suite, Use } from '../contract/index.js'
import { createTeam, isTeam, seatsIn, teamName } from '../trial/team.js'
import { KINDS, kinds, loadPlugIn, plugInName } from './plug-in.js'
import type { Kind, PlugIns } from './plug-in.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** `.js` in the build, `.ts` where the sources run. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

const found = new Map<Kind, Map<string, string>>()

/** The plug-ins of the house of a kind, found by file name: name → path, in the order of their names. Nothing is loaded. */
export function pluginFiles(kind: Kind): ReadonlyMap<string, string> {
  const known = found.get(kind)
  if (known !== undefined) return known
  const suffix = `.${kind}.${extension}`
  const folder = join(root, kinds[kind].house)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file): [string, string] => [basename(file, suffix), join(folder, file)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const map = new Map(files)
  found.set(kind, map)
  return map
}

/** The files of a kind in the working directory, or in the folder there that is called as its plural. Nothing is loaded. */
export function filesHere(kind: Kind): Map<string, string> {
  const files = ['.', kinds[kind].plural].flatMap((place) => {
    const folder = resolve(place)
    const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
    return names.flatMap((file): [string, string][] => {
      const name = plugInName(kind, file)
      return name === null || pluginFiles(kind).has(name) ? [] : [[name, join(folder, file)]]
    })
  })
  // What stands nearer goes before.
  return new Map(files.toReversed())
}

/** All that a command can name: what the house has, and files from outside (docs/environments.md). */
export type Catalogue = ReturnType<typeof createCatalogue>

/** `earlier`: the files that an earlier run took from outside. A catalogue loads each definition once. */
export function createCatalogue(earlier: readonly string[] = []) {
  const outside: Record<Kind, Map<string, string>> = mapPerKind()
  const loaded: { [K in Kind]: Map<string, Promise<PlugIns[K]>> } = mapPerKind()
  for (const file of earlier) add(KINDS.find((kind) => plugInName(kind, file) !== null) ?? 'agent', file)

  function add(kind: Kind, file: string): string {
    const name = plugInName(kind, file)
    if (name === null) {
      throw new UserError(
        `"${file}" is no ${kinds[kind].noun} file: it must be called NAME.${kind}.ts (or .js), NAME in lower-case letters, digits and dashes.`,
      )
    }
    const other = pluginFiles(kind).has(name) ? 'an own one of sora-bench' : outside[kind].get(name)
    if (other !== undefined && other !== file) {
      throw new UserError(`"${file}" bears the name "${name}", which is taken by ${other}. Rename it.`)
    }
    outside[kind].set(name, file)
    return name
  }

  const has = (kind: Kind, name: string): boolean => pluginFiles(kind).has(name) || outside[kind].has(name)

  /** The name that a name or the path of a file stands for. Files are looked for in the folders, in turn. Nothing is loaded. */
  function nameOf(kind: Kind, text: string, folders: readonly string[] = ['.']): string {
    if (kind === 'agent' && isTeam(text)) {
      return teamName(seatsIn(text).map(([role, agent]) => [role, nameOf(kind, agent, folders)]))
    }
    if (isPath(text)) {
      const candidates = folders.map((folder) => resolve(folder, text))
      const file = candidates.find((candidate) => existsSync(candidate))
      if (file === undefined)
        throw new UserError(`There is no ${kinds[kind].noun} file ${unique(candidates).join(' or ')}.`)
      return add(kind, file)
    }
    if (has(kind, text)) return text
    const file = folders.flatMap((folder) => candidatesFor(kind, text, folder)).find((path) => existsSync(path))
    return file === undefined ? text : add(kind, file)
  }

  async function definition<K extends Kind>(kind: K, name: string): Promise<PlugIns[K]> {
    const own = outside[kind].get(name)
    const file = own ?? pluginFiles(kind).get(name)
    if (file === undefined)
      throw new UserError(
        `No ${kinds[kind].noun} named "${name}". Known: ${[...pluginFiles(kind).keys(), ...outside[kind].keys()].join(', ')}.`,
      )
    const known = loaded[kind].get(name) ?? loadPlugIn(kind, file, own === undefined)
    loaded[kind].set(name, known)
    return known
  }

  async function agentOf(name: string): Promise<Agent> {
    if (!isTeam(name)) return definition('agent', name)
    const seats = seatsIn(name)
    return createTeam(await Promise.all(seats.map(async ([role, own]) => ({ role, agent: await agentOf(own) }))))
  }

  /** All of the house and those that have been named, in the order of their names. */
  async function metrics(): Promise<Metric[]> {
    const all = new Map<string, { metric: Metric; from: string }>()
    for (const name of [...pluginFiles('metric').keys(), ...outside.metric.keys()]) {
      const from = outside.metric.get(name) ?? 'sora-bench'
      for (const metric of await definition('metric', name)) {
        const other = all.get(metric.name)
        if (other !== undefined)
          throw new UserError(`"${from}" has a metric "${metric.name}", and so has ${other.from}. Rename it.`)
        all.set(metric.name, { metric, from })
      }
    }
    return [...all.values()].map(({ metric }) => metric).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    nameOf,
    /** The suite with names in place of paths. */
    named(suite: Suite, folders?: readonly string[]): Suite {
      const rename = (kind: Kind) => (use: Use) =>
        typeof use === 'string' ? nameOf(kind, use, folders) : { ...use, use: nameOf(kind, use.use, folders) }
      return {
        ...suite,
        agents: suite.agents.map(rename('agent')),
        environments: suite.environments.map(rename('env')),
        metrics: suite.metrics.map((file) => nameOf('metric', file, folders)),
      }
    },
    has: (kind: Kind, name: string): boolean =>
      kind === 'agent' && isTeam(name) ? seatsIn(name).every(([, agent]) => has(kind, agent)) : has(kind, name),
    agent: agentOf,
    environment: (name: string): Promise<Environment> => definition('env', name),
    reporter: (name: string): Promise<Reporter> => definition('reporter', name),
    metrics,
    /** Those of one file. */
    metricsIn: (name: string): Promise<Metric[]> => definition('metric', name),
    /** The absolute paths of what a suite takes from outside, for `run.json`. */
    filesOf(suite: Suite): string[] {
      const files = (kind: Kind, names: string[]) => names.flatMap((name) => outside[kind].get(name) ?? [])
      return unique([
        ...files('agent', suite.agents.map(nameIn).flatMap(singles)),
        ...files('env', suite.environments.map(nameIn)),
        ...files('metric', suite.metrics),
      ]).toSorted()
    },
  }
}

const mapPerKind = () => ({
  agent: new Map<string, never>(),
  env: new Map<string, never>(),
  suite: new Map<string, never>(),
  metric: new Map<string, never>(),
  reporter: new Map<string, never>(),
})

const house = createCatalogue()
export const { agent: loadAgent, environment: loadEnvironment, metrics: loadMetrics } = house

/** The metrics of the house and of these files, as far as they are there; the first of two that bear one name. */
export async function metricsWith(files: readonly string[]): Promise<{ metrics: Metric[]; gone: string[] }> {
  const own = new Map(files.toReversed().flatMap((file): [string, string][] => nameAndFile('metric', file)))
  const there = [...own.values()].filter((file) => existsSync(file))
  return {
    metrics: await createCatalogue(there).metrics(),
    gone: [...own.values()].filter((file) => !there.includes(file)),
  }
}

function nameAndFile(kind: Kind, file: string): [string, string][] {
  const name = plugInName(kind, file)
  return name === null ? [] : [[name, file]]
}

/** Is it the path of a file rather than a name? */
export const isPath = (text: string): boolean => /[/\\]|\.(?:[cm]?[jt]s|ya?ml|json)$/.test(text)

/** A name alone means a file of that name here, in the folder of its kind, or in a folder of its own in either. */
function candidatesFor(kind: Kind, name: string, folder: string): string[] {
  if (basename(name) !== name) return []
  const { plural, endings } = kinds[kind]
  const folders = ['', name, plural, join(plural, name)]
  return folders.flatMap((inner) => endings.map((ending) => resolve(folder, inner, `${name}.${kind}.${ending}`)))
}

const singles = (name: string): string[] => (isTeam(name) ? seatsIn(name).map(([, agent]) => agent) : [name])

/** Whom a suite means: the name without its parameters. */
export const nameIn = (use: Use): string => (typeof use === 'string' ? use : use.use)
const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
