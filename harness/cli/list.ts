import { relative } from 'node:path'
import type { CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import { onStdout } from '../report/console.js'
import type { PlugInKind } from '../run/plug-in.js'
import { createCatalogue, loadMetrics, pluginFiles } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { loadSuite, suiteFilesHere } from '../run/suite-file.js'
import { split } from './run-options.js'
import { columns } from './terminal.js'

const kinds = ['agents', 'environments', 'suites', 'metrics', 'models'] as const

interface ListOptions {
  kind: (typeof kinds)[number] | undefined
  agents: string | undefined
  environments: string | undefined
}

/** Everything that can be named, with one line each. */
export const listCommand: CommandModule<object, ListOptions> = {
  command: 'list [kind]',
  describe: 'List agents, environments, suites, metrics and models',
  builder: (y) =>
    y
      .positional('kind', { choices: kinds, describe: 'Only this kind' })
      .option('agents', { type: 'string', describe: 'NAME.agent.ts files to list as well, separated by commas' })
      .option('environments', { type: 'string', describe: 'NAME.env.ts files to list as well, separated by commas' })
      .requiresArg(['agents', 'environments'])
      .example('$0 list', 'everything, and the suites of this folder')
      .example('$0 list metrics', 'the names and definitions of all metrics')
      .example('$0 list environments --environments ./greenhouse.env.ts', 'with a world of your own'),
  async handler(given) {
    const { kind } = given
    const sections = kind === undefined ? kinds : [kind]
    const blocks = await Promise.all(
      sections.map(async (name) => `${onStdout.bold(name)}\n${columns(await rows[name](given), 2)}`),
    )
    process.stdout.write(`${blocks.join('\n\n')}\n`)
  },
}

const rows: Record<(typeof kinds)[number], (given: ListOptions) => Promise<string[][]>> = {
  agents: async ({ agents }) => named('agent', agents, (catalogue, name) => catalogue.agent(name)),
  environments: async ({ environments }) =>
    named('env', environments, (catalogue, name) => catalogue.environment(name)),
  suites: async () => [
    ...(await Promise.all([...pluginFiles('suite').keys()].map(loadSuite))).map(({ name, summary }) => [name, summary]),
    ...(await Promise.all([...suiteFilesHere()].map(([name, path]) => suiteHere(name, path)))),
  ],
  metrics: async () => (await loadMetrics()).map(({ name, unit, summary }) => [name, unit, firstSentence(summary)]),
  models: async () => {
    const { PROFILES } = await import('../reader/profile.js')
    return [
      ...Object.keys(PROFILES).map((name) => [`sim:${name}`, 'simulated: a parametric reader, not a language model']),
      ['NAME', 'any model behind OPENAI_BASE_URL (OPENAI_API_KEY)'],
    ]
  },
}

/** `describe NAME` tells the rest. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text

/** Those of the house, then those that files bring, in the order given. */
async function named<T extends { name: string; summary: string }>(
  kind: PlugInKind,
  files: string | undefined,
  load: (catalogue: Catalogue, name: string) => Promise<T>,
): Promise<string[][]> {
  const catalogue = createCatalogue()
  const outside = (split(files) ?? []).map((file) => catalogue.nameOf(kind, file))
  const names = new Set([...pluginFiles(kind).keys(), ...outside])
  const found = await Promise.all([...names].map((name) => load(catalogue, name)))
  return found.map(({ name, summary }) => [name, summary])
}

const placeFrom = (path: string): string => relative(process.cwd(), path)

/** A file that does not load is told, and hides nothing else. */
async function suiteHere(name: string, path: string): Promise<string[]> {
  try {
    const { summary } = await loadSuite(path)
    return [name, `${summary} (${placeFrom(path)})`.trim()]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [name, error.message]
  }
}
