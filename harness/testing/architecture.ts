import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

interface Room {
  /** What lives there, for the table of CONTRIBUTING.md. */
  holds: string
  /** The rooms that it may know where that is less than its floor allows. */
  may?: readonly string[]
}

/** The rooms of the harness from the ground up: a room imports only rooms that stand before it (docs/design.md#house). */
const rooms: Readonly<Record<string, Room>> = {
  contract: { holds: 'types, schemas and `define…` functions: what authors of plug-ins import' },
  kit: { holds: 'what they call: the texts of the wire, the words of an end' },
  stats: { holds: 'numbers in, numbers out', may: [] },
  sim: { holds: 'the virtual clock, the wall clock, seeded chance', may: ['contract'] },
  world: { holds: 'artifacts alive: operations, commit and rollback, rules, manuals', may: ['contract', 'kit'] },
  door: {
    holds: 'the world as an MCP server and the door, its only client; surfaces, delivery, agents that are programs',
  },
  model: {
    holds: 'the `openai` client, retries, recordings, tokens, prices, thinking time, metering',
    may: ['contract', 'kit'],
  },
  reader: {
    holds: 'the simulated model: it reads prompts, plans, answers',
    may: ['contract', 'kit', 'stats', 'model'],
  },
  trace: { holds: 'records and files of them, the story, timelines, the algebra', may: ['contract', 'kit'] },
  metrics: {
    holds: 'what is measured of a trace, a file for each noun',
    may: ['contract', 'kit', 'stats', 'model', 'reader', 'trace'],
  },
  trial: { holds: 'one trial: roles, goals, context, budgets, conclusion' },
  report: {
    holds: 'summaries, tables, formats, the page, comparisons, baselines',
    may: ['contract', 'kit', 'stats', 'trace', 'metrics'],
  },
  run: { holds: 'plug-ins, plan, runner, store, replay, memories' },
  cli: { holds: 'a file per command, which parses and calls' },
}
export const ROOMS: readonly string[] = Object.keys(rooms)

/** What stands beside the harness and speaks of nothing else than its ground floor. */
const besides: Readonly<Record<string, Room>> = {
  suites: { holds: '`NAME.suite.ts`', may: ['contract', 'kit'] },
  agents: { holds: 'one file or folder for each architecture', may: ['contract', 'kit'] },
  'agents/ceilings': { holds: 'no architecture: made from the surfaces', may: ['contract', 'kit', 'door'] },
  environments: { holds: 'one file or folder for each world', may: ['contract', 'kit'] },
}

/** What a room may know beside itself; null where no rule knows it. */
function mayKnow(room: string): readonly string[] | null {
  const floor = ROOMS.indexOf(room)
  return rooms[room]?.may ?? besides[room]?.may ?? (floor === -1 ? null : ROOMS.slice(0, floor))
}

/** Room, what lives there, what it may import: the rows of the table in CONTRIBUTING.md. */
export function roomRows(): [room: string, holds: string, may: string][] {
  return [...Object.entries(rooms), ...Object.entries(besides)].map(([name, { holds, may }]) => {
    const known = mayKnow(name) ?? []
    const all = may === undefined && known.length > 0 ? 'all rooms above' : known.join(', ')
    return [name, holds, known.length === 0 ? 'nothing of ours' : all]
  })
}

/** Packages that one room alone may know. */
const homes: Record<string, readonly string[]> = {
  '@modelcontextprotocol/sdk': ['door'],
  openai: ['model'],
  yargs: ['cli'],
  'csv-writer': ['report'],
  vega: ['report'],
  'vega-lite': ['report'],
  tinybench: [],
}

/** What authors import is on the ground floor, too. */
export const roomOf = (file: string): string => {
  const [top = '', room = ''] = file.split('/')
  if (top !== 'harness') return file.startsWith('agents/ceilings/') ? 'agents/ceilings' : top
  return /^index\.[jt]s$/.test(room) ? 'index' : room
}

/** `agents/react/loop.ts` → `agents/react`: plug-ins know their own folder only. */
function plugInFolder(file: string): string | null {
  const [top = '', folder = '', ...rest] = file.split('/')
  if (top !== 'agents' && top !== 'environments') return null
  return rest.length === 0 ? top : `${top}/${folder}`
}

/** Every TypeScript file of the house: its path from the root → its source. */
export function readSources(root: string): Map<string, string> {
  const files = ['harness', 'agents', 'environments'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => posix.join(top, file.replaceAll('\\', '/')))
      .toSorted(),
  )
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Tests, their fixtures and `testing` stand beside the house. */
export const isCore = (file: string): boolean =>
  !file.endsWith('.test.ts') && !file.includes('/fixtures/') && !file.startsWith('harness/testing/')

/** The files and packages that a source names, type imports included. */
export function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts') : specifier,
  )
}

/** The imports that the architecture forbids, one sentence each. `files`: path from the root → source. */
export function forbiddenImports(files: ReadonlyMap<string, string>): string[] {
  const sentences: string[] = []
  for (const [file, source] of files) {
    if (!isCore(file)) continue
    for (const target of importsOf(file, source)) {
      const problem = target.endsWith('.ts') ? wrongRoom(file, target) : wrongPackage(roomOf(file), target)
      if (problem !== null) sentences.push(`${file} imports ${target}: ${problem}.`)
    }
  }
  return sentences
}

function wrongRoom(file: string, target: string): string | null {
  const [from, to] = [roomOf(file), roomOf(target)]
  if (to === 'testing') return 'tests alone may import harness/testing'
  const own = plugInFolder(file)
  if (own !== null && plugInFolder(target) !== null && plugInFolder(target) !== own)
    return 'plug-ins do not know each other'
  if (from === to || from === 'index') return null
  if (to === 'cli') return 'nothing imports the command line'
  const known = mayKnow(from)
  if (known === null) return `no rule knows the room "${from}"; add it to harness/testing/architecture.ts`
  const may = from === 'run' || from === 'cli' ? [...known, 'index'] : known
  return may.includes(to) ? null : `${from} may import only ${['itself', ...may].join(', ')}`
}

function wrongPackage(room: string, specifier: string): string | null {
  for (const [name, knowing] of Object.entries(homes)) {
    if ((specifier === name || specifier.startsWith(`${name}/`)) && !knowing.includes(room)) {
      return `only ${knowing.join(', ') || 'scripts'} may know the package ${name}`
    }
  }
  const pure = ['contract', 'kit', 'suites', 'agents', 'agents/ceilings', 'environments'].includes(room)
  return pure && specifier !== 'zod' ? `${room} imports no package but zod` : null
}

/** Files that import each other in a circle, each circle as `a → b → a`. */
export function circles(files: ReadonlyMap<string, string>): string[] {
  const graph = new Map(
    [...files].flatMap(([file, source]) => (isCore(file) ? [[file, importsOf(file, source)] as const] : [])),
  )
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const start = path.indexOf(file)
    if (start !== -1) found.push([...path.slice(start), file].join(' → '))
    if (start !== -1 || done.has(file)) return
    path.push(file)
    for (const target of graph.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return found
}
