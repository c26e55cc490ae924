import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pluginFiles } from './run/discover.js'
import { forbiddenImports } from './testing/architecture.js'

const root = fileURLToPath(new URL('..', import.meta.url))

function sources(): Map<string, string> {
  const files = ['harness', 'agents', 'environments'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(top, file)),
  )
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

test('every import of the house points the right way', () => {
  expect(forbiddenImports(sources())).toEqual([])
})

test.each([
  ['agents/planted/planted.agent.ts', "import { openSession } from '../../harness/mcp/session.js'"],
  ['agents/planted/planted.agent.ts', "import { react } from '../react/loop.js'"],
  ['environments/planted.env.ts', "import agent from '../agents/planted.agent.js'"],
  ['harness/stats/planted.ts', "import { UserError } from '../define/index.js'"],
  ['harness/define/planted.ts', "import OpenAI from 'openai'"],
  ['harness/model/simulated/planted.ts', "import world from '../../../environments/planted.env.js'"],
  ['harness/run/planted.ts', "const { main } = await import('../commands/main.js')"],
  ['harness/world/planted.ts', "export { Client } from '@modelcontextprotocol/sdk/client/index.js'"],
])('a forbidden import planted in %s is found: %s', (file, source) => {
  expect(forbiddenImports(new Map([[file, source]]))).toHaveLength(1)
})

test('the harness names no agent and no environment in its code', () => {
  const names = [...pluginFiles('agent').keys(), ...pluginFiles('env').keys()].filter((name) => name.includes('-'))
  expect(names).not.toEqual([])
  const named = [...sources()].flatMap(([file, source]) => {
    if (!file.startsWith('harness/') || /\.test\.ts$|^harness\/(suites|testing|commands)\//.test(file)) return []
    return names.filter((name) => source.includes(`'${name}'`)).map((name) => `${file} names ${name}`)
  })
  expect(named).toEqual([])
})
