import { onStdout } from '../report/colour.js'
import type { CommandModule } from 'yargs'
import { loadAgent, loadEnvironment, loadMetrics, pluginFiles } from '../run/discover.js'
import { loadSuite } from '../run/suite-file.js'
import { columns } from './columns.js'

const kinds = ['agents', 'environments', 'suites', 'metrics', 'models'] as const

/** Everything that can be named, with one line each. */
export const listCommand: CommandModule<object, { kind: (typeof kinds)[number] | undefined }> = {
  command: 'list [kind]',
  describe: 'List agents, environments, suites, metrics and models',
  builder: (y) =>
    y
      .positional('kind', { choices: kinds, describe: 'Only this kind' })
      .example('$0 list', 'everything')
      .example('$0 list metrics', 'the names and definitions of all metrics'),
  async handler({ kind }) {
    const sections = kind === undefined ? kinds : [kind]
    const blocks = await Promise.all(
      sections.map(async (name) => `${onStdout.bold(name)}\n${columns(await rows[name](), 2)}`),
    )
    process.stdout.write(`${blocks.join('\n\n')}\n`)
  },
}

const named = async <T>(kind: 'agent' | 'env' | 'suite', load: (name: string) => Promise<T>): Promise<T[]> =>
  Promise.all([...pluginFiles(kind).keys()].map(load))

const rows: Record<(typeof kinds)[number], () => Promise<string[][]>> = {
  agents: async () => (await named('agent', loadAgent)).map(({ name, summary }) => [name, summary]),
  environments: async () => (await named('env', loadEnvironment)).map(({ name, summary }) => [name, summary]),
  suites: async () => (await named('suite', loadSuite)).map(({ name, summary }) => [name, summary]),
  metrics: async () => (await loadMetrics()).map(({ name, unit, summary }) => [name, unit, firstSentence(summary)]),
  models: async () => {
    const { PROFILES } = await import('../model/simulated/profile.js')
    return [
      ...Object.keys(PROFILES).map((name) => [`sim:${name}`, 'simulated: a parametric reader, not a language model']),
      ['NAME', 'any model behind OPENAI_BASE_URL (OPENAI_API_KEY)'],
    ]
  },
}

/** `describe NAME` tells the rest. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text
