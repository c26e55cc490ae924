import { posix } from 'node:path'

/** The rooms of the harness from the ground up: a room imports only rooms that stand before it (docs/design.md). */
export const ROOMS: readonly string[] = [
  'contract',
  'kit',
  'stats',
  'sim',
  'world',
  'door',
  'model',
  'reader',
  'trace',
  'metrics',
  'trial',
  'report',
  'run',
  'cli',
]

/** Rooms that may know less than their floor allows. */
const narrow: Record<string, readonly string[]> = {
  stats: [],
  sim: ['contract'],
  world: ['contract', 'kit'],
  model: ['contract', 'kit'],
  reader: ['contract', 'kit', 'stats', 'model'],
  trace: ['contract', 'kit'],
  metrics: ['contract', 'kit', 'stats', 'trace'],
  report: ['contract', 'kit', 'stats', 'trace', 'metrics'],
  suites: ['contract', 'kit'],
  agents: ['contract', 'kit'],
  environments: ['contract', 'kit'],
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
const roomOf = (file: string): string => {
  const [top = '', room = ''] = file.split('/')
  if (top !== 'harness') return top
  return /^index\.[jt]s$/.test(room) ? 'index' : room
}

/** `agents/react/loop.ts` → `agents/react`: plug-ins know their own folder only. */
function plugInFolder(file: string): string | null {
  const [top = '', folder = '', ...rest] = file.split('/')
  if (top !== 'agents' && top !== 'environments') return null
  return rest.length === 0 ? top : `${top}/${folder}`
}

/** Tests, their fixtures and `testing` stand beside the house. */
const isCore = (file: string): boolean =>
  !file.endsWith('.test.ts') && !file.includes('/fixtures/') && !file.startsWith('harness/testing/')

/** The files and packages that a source names, type imports included. */
function importsOf(file: string, source: string): string[] {
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
  const floor = ROOMS.indexOf(from)
  const rooms = narrow[from] ?? (floor === -1 ? undefined : ROOMS.slice(0, floor))
  if (rooms === undefined) return `no rule knows the room "${from}"; add it to harness/testing/architecture.ts`
  const may = from === 'run' || from === 'cli' ? [...rooms, 'index'] : rooms
  return may.includes(to) ? null : `${from} may import only ${['itself', ...may].join(', ')}`
}

function wrongPackage(room: string, specifier: string): string | null {
  for (const [name, rooms] of Object.entries(homes)) {
    if ((specifier === name || specifier.startsWith(`${name}/`)) && !rooms.includes(room)) {
      return `only ${rooms.join(', ') || 'scripts'} may know the package ${name}`
    }
  }
  const pure = ['contract', 'kit', 'suites', 'agents', 'environments'].includes(room)
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
