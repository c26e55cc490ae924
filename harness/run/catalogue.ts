import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UserError } from '../define/index.js'
import type { Agent, Environment, Suite, Use } from '../define/index.js'
import { loadAgent, loadEnvironment, pluginFiles } from './discover.js'
import { loadPlugIn, noun, plugInName } from './plug-in.js'
import type { PlugInKind, PlugIns } from './plug-in.js'
import { createTeam, isTeam, seatsIn, teamName } from './team.js'

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
  const homesOf = ['', name, plugInFolders[kind], join(homes[kind], name)]
  return homesOf.flatMap((home) => ENDINGS.map((ending) => resolve(folder, home, `${name}.${kind}.${ending}`)))
}

const singles = (name: string): string[] => (isTeam(name) ? seatsIn(name).map(([, agent]) => agent) : [name])

/** Whom a suite means: the name without its parameters. */
export const nameIn = (use: Use): string => (typeof use === 'string' ? use : use.use)
const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
