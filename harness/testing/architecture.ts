import { posix } from 'node:path'

/** What each room of the harness may import of the others, beside itself (STYLE, “Folders”). */
const allowed: Record<string, readonly string[]> = {
  define: [],
  stats: [],
  time: ['define'],
  world: ['define'],
  mcp: ['define', 'world'],
  'model/simulated': ['define', 'model'],
  model: ['define', 'model/simulated'],
  external: ['define', 'mcp', 'time'],
  trace: ['define'],
  interaction: ['define', 'trace'],
  metrics: ['define', 'trace', 'interaction', 'stats'],
  compare: ['define', 'stats', 'interaction'],
  report: ['define', 'stats', 'metrics', 'trace', 'interaction', 'compare'],
  run: ['define', 'time', 'world', 'mcp', 'external', 'model', 'trace', 'interaction', 'metrics'],
  suites: ['define'],
  agents: ['define'],
  environments: ['define'],
}

/** Packages that one room alone may know. */
const homes: Record<string, readonly string[]> = {
  '@modelcontextprotocol/sdk': ['mcp'],
  openai: ['model'],
  yargs: ['commands'],
  'csv-writer': ['report'],
  vega: ['report'],
  'vega-lite': ['report'],
  tinybench: [],
}

/** A room is a folder of the harness, or one plug-in's own folder. */
function roomOf(file: string): string {
  const [top = '', first = '', second = ''] = file.split('/')
  if (top !== 'harness') return top
  return first === 'model' && second === 'simulated' ? 'model/simulated' : first
}

/** `agents/react/loop.ts` → `agents/react`: plug-ins know their own folder only. */
function plugInFolder(file: string): string | null {
  const [top = '', folder = '', ...rest] = file.split('/')
  if (top !== 'agents' && top !== 'environments') return null
  return rest.length === 0 ? top : `${top}/${folder}`
}

/** The imports that the architecture forbids, one sentence each. `files`: path from the root → source; tests excepted. */
export function forbiddenImports(files: ReadonlyMap<string, string>): string[] {
  const sentences: string[] = []
  for (const [file, source] of files) {
    const room = roomOf(file)
    if (file.endsWith('.test.ts') || file.includes('/fixtures/') || room === 'testing' || file === 'harness/cli.ts')
      continue
    for (const [, specifier = ''] of source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      const problem = specifier.startsWith('.')
        ? wrongRoom(file, posix.join(posix.dirname(file), specifier))
        : wrongPackage(room, specifier)
      if (problem !== null) sentences.push(`${file} imports ${specifier}: ${problem}.`)
    }
  }
  return sentences
}

function wrongRoom(file: string, target: string): string | null {
  const [from, to] = [roomOf(file), roomOf(target)]
  if (to === 'testing') return 'tests alone may import harness/testing'
  if (from === 'commands') return null
  if (to === 'commands' || target === 'harness/cli.js') return 'nothing imports the command line'
  const own = plugInFolder(file)
  if (own !== null && plugInFolder(target) !== null && plugInFolder(target) !== own)
    return 'plug-ins do not know each other'
  if (from === to) return null
  const rooms = allowed[from]
  if (rooms === undefined) return `no rule knows the room "${from}"; add it to harness/testing/architecture.ts`
  return rooms.includes(to) ? null : `${from} may import only ${['itself', ...rooms].join(', ')}`
}

function wrongPackage(room: string, specifier: string): string | null {
  for (const [name, rooms] of Object.entries(homes)) {
    if ((specifier === name || specifier.startsWith(`${name}/`)) && !rooms.includes(room)) {
      return `only ${rooms.join(', ') || 'scripts'} may know the package ${name}`
    }
  }
  const pure = room === 'define' || room === 'suites' || room === 'agents' || room === 'environments'
  return pure && specifier !== 'zod' ? `${room} imports no package but zod` : null
}
