import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, z } from '../define/index.js'
import type { Agent, Environment, Surface } from '../define/index.js'
import { contentHash } from './content-hash.js'
import { causeOf, importModule } from './module-file.js'

/** What a file outside of the house may define. */
export interface PlugIns {
  agent: Agent
  env: Environment
}
export type PlugInKind = keyof PlugIns
export const noun: Record<PlugInKind, string> = { agent: 'agent', env: 'environment' }

const string = (value: unknown): boolean => typeof value === 'string' && value !== ''
const callable = (value: unknown): boolean => typeof value === 'function'
const schema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value

const surfaces: Readonly<Record<Surface, true>> = {
  act: true,
  block: true,
  poll: true,
  await: true,
  async: true,
  push: true,
}
const aSurface = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(surfaces, value)

/** Arguments end at a zero byte. */
const argument = z.string().regex(/^[^\0]*$/)
const programSchema = z.object({
  command: z.tuple([argument.min(1)], argument),
  folder: z.url({ protocol: /^file$/ }).nullable(),
})
const optionalProgram = (value: unknown): boolean => value === undefined || programSchema.safeParse(value).success

type Parts = Record<string, [check: (value: unknown) => boolean, what: string]>
const common: Parts = {
  name: [string, 'a text'],
  version: [string, 'a text'],
  summary: [string, 'a text'],
  params: [schema, 'a z.object'],
}
const parts: Record<PlugInKind, Parts> = {
  agent: {
    ...common,
    surface: [aSurface, `one of ${Object.keys(surfaces).join(', ')}`],
    usesModel: [(value) => typeof value === 'boolean', 'true or false'],
    run: [callable, 'a function'],
    program: [optionalProgram, 'its command is a list of texts, the first not empty; its `from` the URL of a file'],
  },
  env: { ...common, roles: [callable, 'a function'], setup: [callable, 'a function'] },
}

/** The name that a file gives to what it defines: that of `NAME.env.ts` or `NAME.agent.ts`; null for other files. */
export function plugInName(kind: PlugInKind, file: string): string | null {
  const [, name, of] = /^([a-z0-9][a-z0-9-]*)\.(agent|env)\.m?[jt]s$/.exec(basename(file)) ?? []
  return of === kind ? (name ?? null) : null
}

/**
 * Loads and checks an agent or environment by its absolute path. Its version names file and content hash, so that
 * whoever resumes, replays or compares notices a change that nobody has raised a version for.
 */
export async function loadPlugIn<K extends PlugInKind>(kind: K, file: string): Promise<PlugIns[K]> {
  const what = `The ${noun[kind]} file "${file}"`
  if (!existsSync(file)) throw new UserError(`${what} does not exist.`)
  let module: object
  try {
    module = await importModule(file)
  } catch (error) {
    throw new UserError(`${what} does not load: ${causeOf(error, file)}`)
  }
  if (!('default' in module))
    throw new UserError(`${what} has no default export. It must say \`export default ${definer[kind]}({…})\`.`)
  const found = module.default
  checkParts(kind, found, what)
  const { name, version } = found
  if (name !== plugInName(kind, file))
    throw new UserError(`${what} defines "${name}": name and file name must match, as in "${name}.${kind}.ts".`)
  const hash = contentHash(file, programFiles(found)).slice(0, 16)
  return { ...found, version: `${version} (${basename(file)} sha256:${hash})` }
}

/** The files among a program's arguments: they are the agent. */
function programFiles(found: Agent | Environment): string[] {
  if (!('run' in found) || found.program === undefined) return []
  const { program } = found
  const folder = program.folder === null ? '.' : fileURLToPath(program.folder)
  return program.command
    .map((part) => resolve(folder, part))
    .filter((path) => existsSync(path) && statSync(path).isFile())
}

const definer: Record<PlugInKind, string> = { agent: 'defineAgent', env: 'defineEnvironment' }

function checkParts<K extends PlugInKind>(kind: K, value: unknown, what: string): asserts value is PlugIns[K] {
  const given = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  const faults = Object.entries(parts[kind])
    .filter(([key, [fits]]) => !fits(given.get(key)))
    .map(([key, [, wanted]]) => `${key} (${wanted})`)
  if (faults.length > 0)
    throw new UserError(`${what} default-exports no ${noun[kind]}: missing or of the wrong kind: ${faults.join(', ')}.`)
}
