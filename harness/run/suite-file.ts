import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { z } from 'zod'
import { UserError, suiteSchema } from '../contract/index.js'
import type { Suite } from '../contract/index.js'
import { causeOf, importModule } from './plug-in.js'
import { loadSuiteModule, pluginFiles } from './registry.js'

const OUTSIDE = /^([a-z0-9][a-z0-9-]*)\.suite\.(?:m?[jt]s|ya?ml|json)$/
/** Where a name alone is looked for, after the suites of the house. */
const PLACES = ['.', 'suites']

/** The suite files of the working directory: name → path. Nothing is loaded. */
export function suiteFilesHere(): Map<string, string> {
  const files = PLACES.flatMap((place) => {
    const folder = resolve(place)
    const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
    return names.flatMap((file): [string, string][] => {
      const name = OUTSIDE.exec(file)?.[1]
      return name === undefined || pluginFiles('suite').has(name) ? [] : [[name, join(folder, file)]]
    })
  })
  // What stands nearer goes before.
  return new Map(files.toReversed())
}

/** The file that a name means; paths, and names of the house, stay what they are. */
function placeOf(nameOrPath: string): string {
  if (/[/\\.]/.test(nameOrPath) || pluginFiles('suite').has(nameOrPath)) return nameOrPath
  return suiteFilesHere().get(nameOrPath) ?? nameOrPath
}

/**
 * A suite by name, here or of the house, or by the path of a `.suite.ts`, `.suite.yaml` or `.json` file. Mistakes are told
 * with file, line and key.
 */
export async function loadSuite(given: string): Promise<Suite> {
  const nameOrPath = placeOf(given)
  if (/\.(ya?ml|json)$/.test(nameOrPath)) return loadYaml(nameOrPath)
  if (/\.[cm]?[jt]s$/.test(nameOrPath)) return validate(await importFile(nameOrPath), nameOrPath)
  if (!pluginFiles('suite').has(nameOrPath) && /[/\\.]/.test(nameOrPath)) {
    throw new UserError(`The suite file "${nameOrPath}" must end in .suite.ts, .yaml or .json.`)
  }
  return validate(await loadSuiteModule(nameOrPath), nameOrPath)
}

/** Where the paths in a suite may begin: at its own file, else at the working directory. */
export function suiteFolders(given: string): string[] {
  const nameOrPath = placeOf(given)
  return /\.(ya?ml|json|[cm]?[jt]s)$/.test(nameOrPath) ? [dirname(resolve(nameOrPath)), '.'] : ['.']
}

async function importFile(path: string): Promise<unknown> {
  let module: object
  try {
    module = await importModule(path)
  } catch (error) {
    throw new UserError(`The suite file "${path}" does not load: ${causeOf(error, resolve(path))}`)
  }
  if ('default' in module) return module.default
  throw new UserError(
    `The suite file "${path}" has no default export. It must say \`export default defineSuite({…})\`.`,
  )
}

function loadYaml(path: string): Suite {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError(`The suite file "${path}" cannot be read: ${firstLine(error)}`)
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [broken] = document.errors
  if (broken !== undefined) {
    const fault = firstLine(broken).replace(/ at line \d+, column \d+:?$/, '')
    throw new UserError(`${path}:${lines.linePos(broken.pos[0]).line}: ${fault}.`)
  }
  let data: unknown
  try {
    data = document.toJS()
  } catch (error) {
    throw new UserError(`${path}: ${firstLine(error)}`)
  }
  return validate(data, path, (keys) => lineOf(document, lines, keys))
}

function validate(data: unknown, where: string, line: (keys: PropertyKey[]) => number | null = () => null): Suite {
  const parsed = suiteSchema.safeParse(data)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(deepest).map((issue) => {
    const at = line(issue.path)
    const keys = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.path
    return `${where}${at === null ? '' : `:${at}`}: ${keys.join('.') || 'suite'}: ${issue.message}`
  })
  throw new UserError(`The suite is invalid. ${issues.join('; ')}.`)
}

/** Of a union that fits nowhere: what is wrong with the branch that comes closest. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length)[0]
  return inner === undefined || inner.path.length === 0
    ? issue
    : deepest({ ...inner, path: [...issue.path, ...inner.path] })
}

/** The line of the deepest key that the file has. */
function lineOf(document: Document, lines: LineCounter, keys: PropertyKey[]): number | null {
  for (let depth = keys.length; depth >= 0; depth--) {
    const node: unknown = document.getIn(keys.slice(0, depth), true)
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(Number(node.range[0])).line
    }
  }
  return null
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** Of suites as they are written, for editors: `suite.schema.json`. */
export function suiteJsonSchema(): object {
  const schema = z.toJSONSchema(suiteSchema, { io: 'input' })
  return { ...schema, title: 'A suite of sora-bench' }
}
