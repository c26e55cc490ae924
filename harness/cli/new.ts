import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import { plugInName } from '../run/plug-in.js'
import { pluginFiles } from '../run/registry.js'
import { agentFiles } from './new/agent.js'
import { environmentFiles } from './new/environment.js'
import { pythonAgentFiles } from './new/program.js'
import { suiteFile } from './new/suite.js'

const kinds = ['environment', 'agent', 'suite'] as const
const languages = ['typescript', 'python'] as const

interface NewOptions {
  kind: (typeof kinds)[number]
  name: string
  dir: string
  language: (typeof languages)[number]
}

/** Writes a starting point that passes its tests and runs. */
export const newCommand: CommandModule<object, NewOptions> = {
  command: 'new <kind> <name>',
  describe: 'Write a starting point for an environment, an agent or a suite of your own',
  builder: (y) =>
    y
      .positional('kind', { choices: kinds, demandOption: true, describe: 'What to begin' })
      .positional('name', { type: 'string', demandOption: true, describe: 'Lower-case letters, digits, dashes' })
      .option('dir', { type: 'string', default: '.', describe: 'The folder to write into' })
      .option('language', {
        choices: languages,
        default: 'typescript' as const,
        describe: 'Of an agent: one in this process, or a program of its own',
      })
      .example('$0 new environment greenhouse', 'greenhouse.env.ts and greenhouse.test.ts, here')
      .example('$0 new environment greenhouse --dir worlds', 'the same in a folder')
      .example('$0 new agent mine', 'mine.agent.ts and mine.test.ts')
      .example('$0 new agent mine --language python', 'mine.agent.ts, mine.py and mine.test.ts')
      .example('$0 new suite mine', 'mine.suite.yaml: what meets what, how often'),
  handler(given) {
    process.stdout.write(begin(given))
  },
}

const begun = {
  environment: { kind: 'env', noun: 'an environment', files: ({ name }: NewOptions) => environmentFiles(name) },
  agent: {
    kind: 'agent',
    noun: 'an agent',
    files: ({ name, language }: NewOptions) => (language === 'python' ? pythonAgentFiles(name) : agentFiles(name)),
  },
  suite: { kind: 'suite', noun: 'a suite', files: ({ name, dir }: NewOptions) => suiteFile(name, dir) },
} as const

function begin(given: NewOptions): string {
  const { kind, name, dir, language } = given
  if (kind !== 'agent' && language === 'python')
    throw new UserError('Agents alone are written in Python: leave out --language.')
  const { kind: plugIn, noun, files: write } = begun[kind]
  if (plugInName('env', `${name}.env.ts`) !== name)
    throw new UserError(`"${name}" is no name for ${noun}: use lower-case letters, digits and dashes.`)
  if (pluginFiles(plugIn).has(name))
    throw new UserError(`The name "${name}" is taken by ${noun} of sora-bench. Choose another one.`)
  const files = Object.entries(write(given)).map(([file, text]): [string, string] => [join(dir, file), text])
  const there = files.find(([path]) => existsSync(path))
  if (there !== undefined) throw new UserError(`"${there[0]}" exists already, and is not overwritten.`)
  try {
    mkdirSync(dir, { recursive: true })
    for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new UserError(`"${dir}" cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const file = `./${relative('.', files[0]?.[0] ?? dir).replaceAll('\\', '/')}`
  const next = {
    environment: [
      `Run it:  npx sora-bench run smoke --environments ${file}`,
      `Test it: npx vitest run ${name}.test.ts`,
    ],
    agent: [
      `Run it:  npx sora-bench run smoke --agents ${file}${language === 'python' ? ' --clock wall' : ''}`,
      `Test it: npx vitest run ${name}.test.ts`,
    ],
    suite: [`Run it:  npx sora-bench run ${file}`],
  }
  return [...files.map(([path]) => `Wrote ${path}`), ...next[kind], ''].join('\n')
}
