import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../contract/index.js'
import { reasonOf } from '../run/disk.js'
import { plugInName } from '../run/plug-in.js'
import type { Kind } from '../run/plug-in.js'
import { pluginFiles } from '../run/registry.js'
import { defineCommand, needed, option } from './command.js'

/** What can be begun: its kind of plug-in, and how it is run. */
const beginnings = {
  environment: { kind: 'env', run: (file: string) => `run smoke --environments ${file}` },
  agent: { kind: 'agent', run: (file: string) => `run smoke --agents ${file}` },
  suite: { kind: 'suite', run: (file: string) => `run ${file}` },
  metric: { kind: 'metric', run: (file: string) => `run smoke --metric ${file}` },
  reporter: { kind: 'reporter', run: (file: string, name: string) => `run smoke --reporter ${file} -o report.${name}` },
} as const satisfies Record<string, { kind: Kind; run: (file: string, name: string) => string }>
const NOUNS = ['environment', 'agent', 'suite', 'metric', 'reporter'] as const
const languages = ['typescript', 'python'] as const

/** Writes a starting point that passes its tests and runs. */
export const newCommand = defineCommand({
  command: 'new <kind> <name>',
  describe: 'Write a starting point for an environment, agent, suite, metric or reporter of your own',
  builder: (y) =>
    y
      .positional('kind', { choices: NOUNS, demandOption: true, describe: 'What to begin' })
      .positional('name', needed('Lower-case letters, digits, dashes (a metric: underscores)'))
      .option('dir', { ...option('The folder to write into'), default: '.' })
      .option('language', {
        choices: languages,
        default: 'typescript' as const,
        describe: 'Of an agent: one in this process, or a program of its own',
      })
      .example('$0 new environment greenhouse', 'greenhouse.env.ts and greenhouse.test.ts, here')
      .example('$0 new environment greenhouse --dir worlds', 'the same in a folder')
      .example('$0 new agent mine', 'mine.agent.ts and mine.test.ts')
      .example('$0 new agent mine --language python', 'mine.agent.ts, mine.py and mine.test.ts')
      .example('$0 new suite mine', 'mine.suite.yaml: what meets what, how often')
      .example('$0 new metric sleeps', 'sleeps.metric.ts and sleeps.test.ts: a figure of every trial')
      .example('$0 new reporter txt', 'txt.reporter.ts: who writes -o FILE.txt'),
  async run(given) {
    const { name, dir, language } = given
    const { kind, run } = beginnings[given.kind]
    const noun = `${/^[aeiou]/.test(given.kind) ? 'an' : 'a'} ${given.kind}`
    if (kind !== 'agent' && language === 'python')
      throw new UserError('Agents alone are written in Python: leave out --language.')
    if (plugInName(kind, `${name}.${kind}.ts`) !== name)
      throw new UserError(`"${name}" is no name for ${noun}: use lower-case letters, digits and dashes.`)
    if (pluginFiles(kind).has(name))
      throw new UserError(`The name "${name}" is taken by ${noun} of sora-bench. Choose another one.`)
    const files = textsOf({ start: language === 'python' ? 'program' : given.kind, name, dir })
    const there = files.find(([path]) => existsSync(path))
    if (there !== undefined) throw new UserError(`"${there[0]}" exists already, and is not overwritten.`)
    try {
      mkdirSync(dir, { recursive: true })
      for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      throw new UserError(`"${dir}" cannot be written: ${reasonOf(error)}`)
    }
    const [[first] = [dir]] = files
    const command = run(`./${relative('.', first).replaceAll('\\', '/')}`, name)
    const lines = [
      ...files.map(([path]) => `Wrote ${path}`),
      `Run it:  npx sora-bench ${command}${language === 'python' ? ' --clock wall' : ''}`,
      ...(files.some(([path]) => path.endsWith('.test.ts')) ? [`Test it: npx vitest run ${name}.test.ts`] : []),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  },
})

/** Texts with NAME in place of the name: `examples/new`, seen from the sources or from the build. */
function textsOf({ start, name, dir }: Record<'start' | 'name' | 'dir', string>): [path: string, text: string][] {
  const [folder] = ['../../', '../../../']
    .map((up) => fileURLToPath(new URL(`${up}examples/new/${start}/`, import.meta.url)))
    .filter((path) => existsSync(path))
  if (folder === undefined) throw new Error('sora-bench cannot find its own examples/new.')
  const schema = relative(dir, join('node_modules', 'sora-bench', 'suite.schema.json')).replaceAll('\\', '/')
  const named = (text: string) =>
    text.replaceAll('NAME', name).replace('SCHEMA', schema.startsWith('.') ? schema : `./${schema}`)
  return readdirSync(folder)
    .toSorted()
    .map((file) => [join(dir, named(file)), named(readFileSync(join(folder, file), 'utf8'))])
}
