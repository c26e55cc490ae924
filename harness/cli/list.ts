import { relative } from 'node:path'
import { UserError } from '../contract/index.js'
import { PRESETS, PRESETS_AS_OF } from '../model/presets.js'
import { onStdout } from '../report/console.js'
import type { Preset } from '../model/presets.js'
import { KINDS, kinds } from '../run/plug-in.js'
import type { Kind } from '../run/plug-in.js'
import { createCatalogue, filesHere, pluginFiles } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { openReal } from '../run/models.js'
import { clean } from '../trace/text.js'
import { loadSuite } from '../run/suite-file.js'
import { defineCommand, option, repeated, split } from './command.js'
import { columns } from './terminal.js'

const sections = ['agents', 'environments', 'suites', 'metrics', 'reporters', 'models'] as const

/** Everything that can be named, with one line each. */
export const listCommand = defineCommand({
  command: 'list [kind]',
  describe: 'List agents, environments, suites, metrics, reporters and models',
  builder: (y) =>
    y
      .positional('kind', { choices: sections, describe: 'Only this kind' })
      .option('agents', option('NAME.agent.ts files to list as well, separated by commas'))
      .option('environments', option('NAME.env.ts files to list as well, separated by commas'))
      .option('metric', repeated('A NAME.metric.ts file to list as well'))
      .option('reporter', repeated('A NAME.reporter.ts file, the same'))
      .requiresArg(['agents', 'environments'])
      .example('$0 list', 'everything, and what lies in this folder')
      .example('$0 list metrics', 'the names and definitions of all metrics')
      .example('$0 list environments --environments ./greenhouse.env.ts', 'with a world of your own'),
  async run(given) {
    const files: Record<Kind, readonly string[]> = {
      agent: split(given.agents) ?? [],
      env: split(given.environments) ?? [],
      suite: [],
      metric: given.metric ?? [],
      reporter: given.reporter ?? [],
    }
    const blocks: string[] = []
    for (const section of given.kind === undefined ? sections : [given.kind]) {
      const kind = KINDS.find((one) => kinds[one].plural === section)
      const rows = kind === undefined ? await models(given.kind === section) : await listed(kind, files[kind])
      blocks.push(`${onStdout.bold(section)}\n${columns(rows, 2)}`)
    }
    process.stdout.write(`${blocks.join('\n\n')}\n`)
  },
})

/** A row per thing that a name stands for. */
const rowsOf: Record<Kind, (name: string, catalogue: Catalogue) => Promise<string[][]>> = {
  agent: async (name, catalogue) => [row(await catalogue.agent(name))],
  env: async (name, catalogue) => [row(await catalogue.environment(name))],
  suite: async (name) => [row(await loadSuite(name))],
  metric: async (name, catalogue) =>
    (await catalogue.metricsIn(name)).map((metric) => [metric.name, metric.unit, firstSentence(metric.summary)]),
  reporter: async (name, catalogue) => [row(await catalogue.reporter(name))],
}

const row = ({ name, summary }: { name: string; summary: string }): string[] => [name, summary]

/** `describe NAME` tells the rest. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text

/** Those of the house, those of the files that are given, and those of this folder. */
async function listed(kind: Kind, files: readonly string[]): Promise<string[][]> {
  const catalogue = createCatalogue()
  const given = files.map((file) => catalogue.nameOf(kind, file))
  const ours = await Promise.all([...pluginFiles(kind).keys()].map((name) => rowsOf[kind](name, catalogue)))
  const theirs = await Promise.all([...new Set(given)].map((name) => rowsOf[kind](name, catalogue)))
  const here = await Promise.all([...filesHere(kind)].filter(([name]) => !given.includes(name)).map(rowsHere(kind)))
  return [...ours.flat().toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)), ...theirs.flat(), ...here.flat()]
}

/** A file that does not load is told, and hides nothing else. */
const rowsHere =
  (kind: Kind) =>
  async ([name, path]: [string, string]): Promise<string[][]> => {
    try {
      const catalogue = createCatalogue()
      const rows = await rowsOf[kind](kind === 'suite' ? path : catalogue.nameOf(kind, path), catalogue)
      const where = `(${relative(process.cwd(), path)})`
      // A suite is called by its file, whatever it calls itself.
      return rows.map(([own = name, ...cells]) => [
        kind === 'suite' ? name : own,
        ...cells.slice(0, -1),
        `${cells.at(-1) ?? ''} ${where}`.trim(),
      ])
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return [[name, error.message]]
    }
  }

/** `ask`: those that need no key, or whose key is set, are asked what they offer. */
async function models(ask: boolean): Promise<string[][]> {
  const { PROFILES } = await import('../reader/profile.js')
  return [
    ...Object.keys(PROFILES).map((name) => [`sim:${name}`, 'simulated: a parametric reader, not a language model']),
    [
      'NAME',
      'any model behind OPENAI_BASE_URL (OPENAI_API_KEY); settings behind it: NAME?temperature=0 (docs/models.md)',
    ],
    ...(await Promise.all(Object.entries(PRESETS).map(([name, preset]) => presetRow(name, preset, ask)))),
  ]
}

const OFFERED_MS = 1_500
const NAMED = 20

async function presetRow(name: string, preset: Preset, ask: boolean): Promise<string[]> {
  const { baseUrl, keyEnv, note, source, tried } = preset
  const key = keyEnv === null ? 'no key' : `${keyEnv}${process.env[keyEnv] ? ' is set' : ''}`
  const reachable = ask && (keyEnv === null || Boolean(process.env[keyEnv]))
  const offered = reachable ? await openReal(`${name}:list`, { env: process.env }).offered(OFFERED_MS) : []
  const ids = offered.map(({ id }) => clean(id))
  const more = ids.length > NAMED ? `, and ${ids.length - NAMED} more` : ''
  const offers = ids.length === 0 ? '' : ` It offers ${ids.slice(0, NAMED).join(', ')}${more}.`
  const how = tried === null ? `read on ${PRESETS_AS_OF}: ${source}` : `tried: ${tried}`
  return [`${name}:NAME`, `${baseUrl} (${key}). ${note} (${how}).${offers}`]
}
