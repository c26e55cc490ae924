import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as zod from 'zod'
import * as contract from '../index.js'
import { UserError, z } from '../contract/index.js'
import type { Agent, Environment } from '../contract/index.js'
import { surfaces } from '../door/surfaces/index.js'

/**
 * Loads a user's TypeScript or JavaScript file without a build step, by `jiti`. What it imports as `sora-bench` and `zod`
 * is what runs here: one `Refusal`, one `UserError`, one zod, wherever the file lies. Nothing of it is cached on disk.
 */
export async function importModule(path: string): Promise<object> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { 'sora-bench': contract, zod, 'zod/v4': zod },
  })
  return jiti.import<object>(resolve(path))
}

/** The first line of what a file failed with, and the place where that is known. */
export function causeOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return sentence(String(error))
  const [first = '', ...rest] = error.message.split('\n').map((line) => line.trim())
  const importer = rest[0] === 'Require stack:' ? rest[1]?.replace(/^- /, '') : undefined
  if (importer !== undefined) return sentence(importer === file ? first : `${first}, imported by ${importer}`)
  const parsed = rest.find((line) => /:\d+:\d+$/.test(line))
  const thrown = error.stack?.split(`${file}:`)[1]?.match(/^\d+/)?.[0]
  const place = parsed ?? (thrown === undefined ? undefined : `${file}:${thrown}`)
  return sentence(place === undefined ? first : `${first} (${place})`)
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** SHA-256 over a file, all that it imports by relative path, and what belongs to it `beside` that, wherever the folder lies. What it reads by itself is not seen. */
export function contentHash(file: string, beside: readonly string[] = []): string {
  const hash = createHash('sha256')
  const home = dirname(file)
  const files = [...withImports(file), ...beside]
    .map((path): [string, string] => [relative(home, path).replaceAll('\\', '/'), path])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, path] of files) hash.update(`${name}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function withImports(file: string): string[] {
  const found = new Set([file])
  // A set hands out what is added on the way.
  for (const path of found)
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const target = targetOf(resolve(dirname(path), specifier))
      if (target !== null) found.add(target)
    }
  return [...found]
}

/** `./physics.js` may stand for `physics.ts`, as TypeScript has it. */
function targetOf(path: string): string | null {
  const stem = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [...ENDINGS.map((ending) => path + ending), stem]
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null
}

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
