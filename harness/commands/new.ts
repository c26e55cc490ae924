import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CommandModule } from 'yargs'
import { UserError } from '../define/index.js'
import { pluginFiles } from '../run/discover.js'
import { noun, plugInName } from '../run/plug-in.js'
import type { PlugInKind } from '../run/plug-in.js'
import { agentFiles } from './new/agent.js'
import { environmentFiles } from './new/environment.js'
import { pythonAgentFiles } from './new/program.js'

interface NewOptions {
  kind: 'environment' | 'agent'
  name: string
  dir: string
  language: 'typescript' | 'python'
}

/** Writes a starting point that passes its tests and runs. */
export const newCommand: CommandModule<object, NewOptions> = {
  command: 'new <kind> <name>',
  describe: 'Write a starting point for an environment or an agent of your own',
  builder: (y) =>
    y
      .positional('kind', {
        choices: ['environment', 'agent'] as const,
        demandOption: true,
        describe: 'What to begin',
      })
      .positional('name', { type: 'string', demandOption: true, describe: 'Lower-case letters, digits, dashes' })
      .option('dir', { type: 'string', default: '.', describe: 'The folder to write into' })
      .option('language', {
        choices: ['typescript', 'python'] as const,
        default: 'typescript' as const,
        describe: 'Of an agent: one in this process, or a program of its own',
      })
      .example('$0 new environment greenhouse', 'greenhouse.env.ts and greenhouse.test.ts, here')
      .example('$0 new environment greenhouse --dir worlds', 'the same in a folder')
      .example('$0 new agent mine', 'mine.agent.ts and mine.test.ts')
      .example('$0 new agent mine --language python', 'mine.agent.ts, mine.py and mine.test.ts'),
  handler(given) {
    process.stdout.write(begin(given))
  },
}

/** The texts by file name, and the command that runs them. */
function startingPoint({ kind, name, language }: NewOptions): {
  plugIn: PlugInKind
  files: Record<string, string>
  run: (file: string) => string
} {
  const isPython = language === 'python'
  if (kind === 'agent') {
    return {
      plugIn: 'agent',
      files: isPython ? pythonAgentFiles(name) : agentFiles(name),
      run: (file) => `run smoke --agents ${file}${isPython ? ' --clock wall' : ''}`,
    }
  }
  if (isPython) throw new UserError('An environment is written in TypeScript: leave out --language.')
  return { plugIn: 'env', files: environmentFiles(name), run: (file) => `run smoke --environments ${file}` }
}

function begin(given: NewOptions): string {
  const { name, dir } = given
  const { plugIn, files: texts, run } = startingPoint(given)
  if (plugInName(plugIn, `${name}.${plugIn}.ts`) !== name)
    throw new UserError(`"${name}" is no name for an ${noun[plugIn]}: use lower-case letters, digits and dashes.`)
  if (pluginFiles(plugIn).has(name))
    throw new UserError(`The name "${name}" is taken by an ${noun[plugIn]} of sora-bench. Choose another one.`)
  const files = Object.entries(texts).map(([file, text]): [string, string] => [join(dir, file), text])
  const there = files.find(([path]) => existsSync(path))
  if (there !== undefined) throw new UserError(`"${there[0]}" exists already, and is not overwritten.`)
  try {
    mkdirSync(dir, { recursive: true })
    for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new UserError(`"${dir}" cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const file = `./${relative('.', join(dir, `${name}.${plugIn}.ts`)).replaceAll('\\', '/')}`
  return [
    ...files.map(([path]) => `Wrote ${path}`),
    `Run it:  npx sora-bench ${run(file)}`,
    `Test it: npx vitest run ${name}.test.ts`,
    '',
  ].join('\n')
}
