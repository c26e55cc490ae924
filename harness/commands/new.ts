import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CommandModule } from 'yargs'
import { UserError } from '../define/index.js'
import { pluginFiles } from '../run/discover.js'
import { plugInName } from '../run/plug-in.js'
import { environmentFiles } from './new/environment.js'

interface NewOptions {
  kind: 'environment'
  name: string
  dir: string
}

/** Writes a starting point that passes its tests and runs. */
export const newCommand: CommandModule<object, NewOptions> = {
  command: 'new <kind> <name>',
  describe: 'Write a starting point for an environment of your own',
  builder: (y) =>
    y
      .positional('kind', { choices: ['environment'] as const, demandOption: true, describe: 'What to begin' })
      .positional('name', { type: 'string', demandOption: true, describe: 'Lower-case letters, digits, dashes' })
      .option('dir', { type: 'string', default: '.', describe: 'The folder to write into' })
      .example('$0 new environment greenhouse', 'greenhouse.env.ts and greenhouse.test.ts, here')
      .example('$0 new environment greenhouse --dir worlds', 'the same in a folder'),
  handler(given) {
    process.stdout.write(begin(given))
  },
}

function begin({ name, dir }: NewOptions): string {
  if (plugInName('env', `${name}.env.ts`) !== name)
    throw new UserError(`"${name}" is no name for an environment: use lower-case letters, digits and dashes.`)
  if (pluginFiles('env').has(name))
    throw new UserError(`The name "${name}" is taken by an environment of sora-bench. Choose another one.`)
  const files = Object.entries(environmentFiles(name)).map(([file, text]): [string, string] => [join(dir, file), text])
  const there = files.find(([path]) => existsSync(path))
  if (there !== undefined) throw new UserError(`"${there[0]}" exists already, and is not overwritten.`)
  try {
    mkdirSync(dir, { recursive: true })
    for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new UserError(`"${dir}" cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const world = `./${relative('.', join(dir, `${name}.env.ts`)).replaceAll('\\', '/')}`
  return [
    ...files.map(([path]) => `Wrote ${path}`),
    `Run it:  npx sora-bench run smoke --environments ${world}`,
    `Test it: npx vitest run ${name}.test.ts`,
    '',
  ].join('\n')
}
