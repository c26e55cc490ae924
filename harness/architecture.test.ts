import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pluginFiles } from './run/registry.js'
import { circles, forbiddenImports, readSources } from './testing/architecture.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = () => readSources(root)

test('every import of the house points the right way', () => {
  expect(forbiddenImports(sources())).toEqual([])
})

test.each([
  ['agents/planted/planted.agent.ts', "import { openSession } from '../../harness/door/session.js'"],
  ['agents/planted/planted.agent.ts', "import { react } from '../react/loop.js'"],
  ['environments/planted.env.ts', "import agent from '../agents/planted.agent.js'"],
  ['harness/stats/planted.ts', "import { UserError } from '../contract/index.js'"],
  ['harness/contract/planted.ts', "import OpenAI from 'openai'"],
  ['harness/reader/planted.ts', "import world from '../../environments/planted.env.js'"],
  ['harness/run/planted.ts', "const { main } = await import('../cli/main.js')"],
  ['harness/reader/planted.ts', "import { runTrial } from '../trial/trial.js'"],
  ['harness/world/planted.ts', "export { Client } from '@modelcontextprotocol/sdk/client/index.js'"],
])('a forbidden import planted in %s is found: %s', (file, source) => {
  expect(forbiddenImports(new Map([[file, source]]))).toHaveLength(1)
})

test('no files import each other in a circle', () => {
  expect(circles(sources())).toEqual([])
})

test('a circle names the files on its way, types included', () => {
  const files = new Map([
    ['harness/sim/a.ts', "import type { B } from './b.js'"],
    ['harness/sim/b.ts', "import { c } from '../world/c.js'"],
    ['harness/world/c.ts', "import { A } from '../sim/a.js'"],
  ])
  expect(circles(files)).toEqual(['harness/sim/a.ts → harness/sim/b.ts → harness/world/c.ts → harness/sim/a.ts'])
})

test('the harness names no agent and no environment in its code', () => {
  const names = [...pluginFiles('agent').keys(), ...pluginFiles('env').keys()].filter((name) => name.includes('-'))
  expect(names).not.toEqual([])
  const named = [...sources()].flatMap(([file, source]) => {
    if (!file.startsWith('harness/') || /\.test\.ts$|^harness\/(suites|testing|cli)\//.test(file)) return []
    return names.filter((name) => source.includes(`'${name}'`)).map((name) => `${file} names ${name}`)
  })
  expect(named).toEqual([])
})
