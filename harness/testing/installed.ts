import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outside } from './plug-in-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What a command of a folder printed, and how it ended. */
export interface Ran {
  code: number | null
  out: string
  err: string
}

/** A user's folder with the package built from these sources in its `node_modules`, as an installation leaves it. */
export function installed(): {
  folder: string
  soraBench: (...argv: string[]) => Ran
  vitest: () => Ran
  tsc: (...files: string[]) => Ran
} {
  const folder = outside()
  const modules = join(folder, 'node_modules')
  const own = join(modules, 'sora-bench')
  mkdirSync(own, { recursive: true })
  for (const part of ['package.json', 'suite.schema.json', 'examples', 'dist'])
    cpSync(join(root, part), join(own, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'), 'junction')
  symlinkSync(join(root, 'node_modules', 'vitest'), join(modules, 'vitest'), 'junction')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const run = (...argv: string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' })
    return { code: status, out: stdout, err: stderr }
  }
  return {
    folder,
    soraBench: (...argv) => run(join(own, 'dist/harness/cli/bin.js'), ...argv),
    vitest: () => run(join(modules, 'vitest', 'vitest.mjs'), 'run', '--reporter=json'),
    tsc: (...files) =>
      run(
        tsc,
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--skipLibCheck',
        '--noUncheckedIndexedAccess',
        ...(files.length > 0 ? files : NAMES),
      ),
  }
}
const NAMES = ['greenhouse.env.ts', 'greenhouse.test.ts']
