import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as zod from 'zod'
import * as contract from '../index.js'
import { UserError, z } from '../contract/index.js'
import type { Agent, Environment, Metric, Reporter } from '../contract/index.js'
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
function causeOf(error: unknown, file: string): string {
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

/** What a file of each kind defines. A suite is checked by its schema, which tells the line. */
export interface PlugIns {
  agent: Agent
  env: Environment
  suite: unknown
  metric: Metric[]
  reporter: Reporter
}
export type Kind = keyof PlugIns

const string = (value: unknown): boolean => typeof value === 'string' && value !== ''
const callable = (value: unknown): boolean => typeof value === 'function'
const optional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value)
const fits = (schema: z.ZodType) => (value: unknown) => schema.safeParse(value).success
const schema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value

const BETTER = z.enum(['lower', 'higher', 'neither'])
/** Arguments end at a zero byte. */
const argument = z.string().regex(/^[^\0]*$/)
const program = z.object({
  command: z.tuple([argument.min(1)], argument),
  folder: z.url({ protocol: /^file$/ }).nullable(),
})

type Parts = Record<string, [check: (value: unknown) => boolean, what: string]>
const TEXT: Parts[string] = [string, 'a text']
const FUNCTION: Parts[string] = [callable, 'a function']
const versioned: Parts = { name: TEXT, version: TEXT, summary: TEXT, params: [schema, 'a z.object'] }

interface KindFacts {
  noun: string
  plural: string
  /** Where those of the house live; a user's stand here, or in a folder that is called as the plural. */
  house: string
  definer: string
  /** How a file of one's own may end. */
  endings: readonly string[]
  parts: Parts
}
const CODE = ['ts', 'mts', 'js', 'mjs']

function factsOf(noun: string, house: string, parts: Parts, endings = CODE): KindFacts {
  const definer = `define${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  return { noun, plural: `${noun}s`, house, definer, endings, parts }
}

/** The kinds of plug-in, each one file `NAME.<kind>.ts` with a default export. */
export const kinds: Readonly<Record<Kind, KindFacts>> = {
  agent: factsOf('agent', 'agents', {
    ...versioned,
    surface: [fits(z.enum(Object.keys(surfaces))), `one of ${Object.keys(surfaces).join(', ')}`],
    usesModel: [(value) => typeof value === 'boolean', 'true or false'],
    run: FUNCTION,
    program: [
      optional(fits(program)),
      'its command is a list of texts, the first not empty; its `from` the URL of a file',
    ],
  }),
  env: factsOf('environment', 'environments', { ...versioned, roles: FUNCTION, setup: FUNCTION }),
  suite: factsOf('suite', 'harness/suites', {}, [...CODE, 'yaml', 'yml', 'json']),
  metric: factsOf('metric', 'harness/metrics', {
    name: [fits(z.string().regex(/^[a-z][a-z0-9_]*$/)), 'lower-case letters, digits and underscores'],
    version: [optional(string), 'a text'],
    unit: TEXT,
    better: [fits(BETTER), `one of ${BETTER.options.join(', ')}`],
    summary: TEXT,
    source: TEXT,
    of: FUNCTION,
  }),
  reporter: factsOf('reporter', 'harness/report/formats', {
    name: TEXT,
    summary: TEXT,
    run: [optional(callable), 'a function'],
    comparison: [optional(callable), 'a function'],
  }),
}
export const KINDS: readonly Kind[] = ['agent', 'env', 'suite', 'metric', 'reporter']

const NAME = '[a-z0-9][a-z0-9-]*'

/** The name that a file gives to what it defines: that of `NAME.env.ts` or `NAME.agent.ts`; null for other files. */
export function plugInName(kind: Kind, file: string): string | null {
  // Metrics are called as columns are.
  const name = kind === 'metric' ? '[a-z][a-z0-9_-]*' : NAME
  return new RegExp(`^(${name})\\.${kind}\\.(?:${kinds[kind].endings.join('|')})$`).exec(basename(file))?.[1] ?? null
}

/** The default export of a file: one of ours, by absolute path, or a user's. */
export async function importDefault(kind: Kind, file: string, isOurs: boolean): Promise<unknown> {
  const what = `The ${kinds[kind].noun} file "${file}"`
  if (!existsSync(file)) throw new UserError(`${what} does not exist.`)
  let module: object
  try {
    module = isOurs ? await import(pathToFileURL(file).href) : await importModule(file)
  } catch (error) {
    throw isOurs ? error : new UserError(`${what} does not load: ${causeOf(error, resolve(file))}`)
  }
  if ('default' in module) return module.default
  throw new UserError(`${what} has no default export. It must say \`export default ${kinds[kind].definer}({…})\`.`)
}

const loaders: { [K in Kind]: (found: unknown, file: string, what: string) => PlugIns[K] } = {
  agent: (found, file, what) => single('agent', found, file, what),
  env: (found, file, what) => single('env', found, file, what),
  suite: (found) => found,
  // A file holds one metric that is called like it, or a list of those of one noun.
  metric: (found, file, what) =>
    Array.isArray(found)
      ? found.map((metric: unknown) => checked('metric', metric, what))
      : [single('metric', found, file, what)],
  reporter: (found, file, what) => single('reporter', found, file, what),
}

/**
 * Loads and checks what a file defines. The version of a user's names file and content hash, so that whoever resumes,
 * replays or compares notices a change that nobody has raised a version for.
 */
export async function loadPlugIn<K extends Kind>(kind: K, file: string, isOurs: boolean): Promise<PlugIns[K]> {
  const what = `The ${kinds[kind].noun} file "${file}"`
  const found = loaders[kind](await importDefault(kind, file, isOurs), file, what)
  return isOurs ? found : stamp(kind, found, file)
}

function stamp<K extends Kind>(kind: K, found: PlugIns[K], file: string): PlugIns[K] {
  const version = (own: string, beside: readonly string[] = []): string =>
    `${own} (${basename(file)} sha256:${contentHash(file, beside).slice(0, 16)})`
  const stamps: { [S in Kind]: (found: PlugIns[S]) => PlugIns[S] } = {
    agent: (agent) => ({ ...agent, version: version(agent.version, programFiles(agent)) }),
    env: (environment) => ({ ...environment, version: version(environment.version) }),
    suite: (suite) => suite,
    metric: (metrics) => metrics.map((metric) => ({ ...metric, version: version(metric.version ?? '1') })),
    reporter: (reporter) => reporter,
  }
  return stamps[kind](found)
}

/** The files among a program's arguments: they are the agent. */
function programFiles({ program: own }: Agent): string[] {
  if (own === undefined) return []
  const folder = own.folder === null ? '.' : fileURLToPath(own.folder)
  return own.command.map((part) => resolve(folder, part)).filter((path) => existsSync(path) && statSync(path).isFile())
}

/** One thing that a file defines. */
type Defined = Pick<PlugIns, 'agent' | 'env' | 'reporter'> & { metric: Metric }

function checkParts<K extends keyof Defined>(kind: K, value: unknown, what: string): asserts value is Defined[K] {
  const given = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  const faults = Object.entries(kinds[kind].parts)
    .filter(([key, [isFit]]) => !isFit(given.get(key)))
    .map(([key, [, wanted]]) => `${key} (${wanted})`)
  if (faults.length > 0)
    throw new UserError(
      `${what} default-exports no ${kinds[kind].noun}: missing or of the wrong kind: ${faults.join(', ')}.`,
    )
}

function checked<K extends keyof Defined>(kind: K, value: unknown, what: string): Defined[K] {
  checkParts(kind, value, what)
  return value
}

/** What is alone in its file bears its name. */
function single<K extends keyof Defined>(kind: K, value: unknown, file: string, what: string): Defined[K] {
  checkParts(kind, value, what)
  const { name } = value
  if (name !== plugInName(kind, file))
    throw new UserError(`${what} defines "${name}": name and file name must match, as in "${name}.${kind}.ts".`)
  return value
}
