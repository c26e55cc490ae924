import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { z } from 'zod'
import { UserError, suiteSchema } from '../contract/index.js'
import type { Suite } from '../contract/index.js'
import { reasonOf } from './disk.js'
import { importDefault } from './plug-in.js'
import { filesHere, isPath, pluginFiles } from './registry.js'

/** The file that a name means; paths, and names of the house, stay what they are. */
function fileOf(given: string): string {
  return isPath(given) || pluginFiles('suite').has(given) ? given : (filesHere('suite').get(given) ?? given)
}

/**
 * A suite by name, here or of the house, or by the path of a `.suite.ts`, `.suite.yaml` or `.json` file. Mistakes are told
 * with file, line and key.
 */
export async function loadSuite(given: string): Promise<Suite> {
  const nameOrPath = fileOf(given)
  const ours = pluginFiles('suite')
  const file = ours.get(nameOrPath)
  if (file !== undefined) return validate(await importDefault('suite', file, true), nameOrPath)
  if (/\.(ya?ml|json)$/.test(nameOrPath)) return loadYaml(nameOrPath)
  if (/\.[cm]?[jt]s$/.test(nameOrPath)) return validate(await importDefault('suite', nameOrPath, false), nameOrPath)
  throw new UserError(
    /[/\\.]/.test(nameOrPath)
      ? `The suite file "${nameOrPath}" must end in .suite.ts, .yaml or .json.`
      : `No suite named "${nameOrPath}". Known: ${[...ours.keys()].join(', ')}.`,
  )
}

/** Where the paths in a suite may begin: at its own file, else at the working directory. */
export function suiteFolders(given: string): string[] {
  const nameOrPath = fileOf(given)
  return isPath(nameOrPath) ? [dirname(resolve(nameOrPath)), '.'] : ['.']
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

const firstLine = (error: unknown): string => reasonOf(error).split('\n')[0] ?? ''

/** Of suites as they are written, for editors: `suite.schema.json`. */
export function suiteJsonSchema(): object {
  const schema = z.toJSONSchema(suiteSchema, { io: 'input' })
  return { ...schema, title: 'A suite of sora-bench' }
}
