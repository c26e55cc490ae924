import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as zod from 'zod'
import * as contract from '../contract/index.js'
import { lamp, outside } from '../testing/plug-in-files.js'
import { KINDS, contentHash, importModule, loadPlugIn } from './plug-in.js'
import { createCatalogue, loadMetrics, pluginFiles } from './registry.js'
import { loadSuite } from './suite-file.js'

/** What a file of this name and text is answered with, its folder called DIR. */
async function answerTo(name: string, text: string, more: Record<string, string> = {}): Promise<string> {
  const folder = outside({ [name]: text, ...more })
  const catalogue = createCatalogue()
  const kind = name.includes('.agent.') ? 'agent' : 'env'
  const load = async () => {
    const found = catalogue.nameOf(kind, join(folder, name))
    await (kind === 'env' ? catalogue.environment(found) : catalogue.agent(found))
  }
  try {
    await load()
  } catch (error) {
    if (error instanceof contract.UserError) return error.message.replaceAll(folder, 'DIR')
    throw error
  }
  return 'loads'
}

test.each([
  ['a sound file', 'lamp.env.ts', lamp(), 'loads'],
  [
    'a syntax error',
    'lamp.env.ts',
    'export default {\n  name: (,\n}\n',
    'The environment file "DIR/lamp.env.ts" does not load: ParseError: Unexpected token (DIR/lamp.env.ts:2:9).',
  ],
  [
    'a missing import',
    'lamp.env.ts',
    "import { x } from './nowhere.js'\nexport default x\n",
    'The environment file "DIR/lamp.env.ts" does not load: Cannot find module \'./nowhere.js\'.',
  ],
  [
    'an error while it loads',
    'lamp.env.ts',
    "\n\nthrow new Error('No light.')\n",
    'The environment file "DIR/lamp.env.ts" does not load: No light. (DIR/lamp.env.ts:3).',
  ],
  [
    'no default export',
    'lamp.env.ts',
    lamp().replace('export default', 'export const lamp ='),
    'The environment file "DIR/lamp.env.ts" has no default export. It must say `export default defineEnvironment({…})`.',
  ],
  [
    'another name than its file',
    'lamp.env.ts',
    lamp({ name: 'torch' }),
    'The environment file "DIR/lamp.env.ts" defines "torch": name and file name must match, as in "torch.env.ts".',
  ],
  [
    'an object that lacks parts',
    'lamp.env.ts',
    "export default { name: 'lamp', version: 1, summary: 'A lamp.', roles: () => [] }",
    'The environment file "DIR/lamp.env.ts" default-exports no environment: missing or of the wrong kind: version (a text), params (a z.object), setup (a function).',
  ],
  [
    'no object at all',
    'lamp.agent.ts',
    'export default null',
    'The agent file "DIR/lamp.agent.ts" default-exports no agent: missing or of the wrong kind: name (a text), version (a text), summary (a text), params (a z.object), surface (one of act, block, poll, await, async, push), usesModel (true or false), run (a function).',
  ],
  [
    'a taken name',
    'water-hammer.env.ts',
    lamp({ name: 'water-hammer' }),
    '"DIR/water-hammer.env.ts" bears the name "water-hammer", which is taken by an own one of sora-bench. Rename it.',
  ],
  [
    'another kind of file',
    'lamp.ts',
    lamp(),
    '"DIR/lamp.ts" is no environment file: it must be called NAME.env.ts (or .js), NAME in lower-case letters, digits and dashes.',
  ],
])('a plug-in with %s is answered with one sentence', async (_, name, text, answer) => {
  expect(await answerTo(name, text)).toBe(answer)
})

const program = (parts: string) => `import { defineExternalAgent } from 'sora-bench'
export default defineExternalAgent({ name: 'lamp', version: '1', summary: 'A lamp.', surface: 'poll', command: ['lamp'], ${parts} })`
const NO_PROGRAM = 'program (its command is a list of texts, the first not empty; its `from` the URL of a file).'

test.each([
  ['from: import.meta.url', 'loads'],
  ["command: ['lamp', '--off', '']", 'loads'],
  ["command: 'lamp --off'", NO_PROGRAM],
  ['command: []', NO_PROGRAM],
  ["command: ['']", NO_PROGRAM],
  ["command: ['lamp', 3]", NO_PROGRAM],
  ["command: ['lamp', 'a\\0b']", NO_PROGRAM],
  ['command: undefined', NO_PROGRAM],
  ["from: 'https://example.org/lamp.agent.ts'", NO_PROGRAM],
  ["surface: 'pull'", 'surface (one of act, block, poll, await, async, push).'],
  ["from: 'nowhere'", 'Invalid URL (DIR/lamp.agent.ts:2).'],
])('a program declared with %s is told what is wrong with it, before anything runs', async (parts, answer) => {
  expect((await answerTo('lamp.agent.ts', program(parts))).split(/of the wrong kind: |does not load: /).at(-1)).toBe(
    answer,
  )
})

test('a missing import of an import names who imports it', async () => {
  const files = { 'bulb.ts': "import './glass.js'\nexport const bulb = 1\n" }
  expect(
    await answerTo('lamp.env.ts', lamp({ imports: "import { bulb } from './bulb.js'", setUp: 'bulb' }), files),
  ).toBe(
    'The environment file "DIR/lamp.env.ts" does not load: Cannot find module \'./glass.js\', imported by DIR/bulb.ts.',
  )
})

test('a file that is nowhere, and two files of one name, are told apart from names', () => {
  const [one, other] = [outside({ 'lamp.env.ts': lamp() }), outside({ 'lamp.env.ts': lamp() })]
  const catalogue = createCatalogue()
  const path = join(one, 'lamp.env.ts')
  expect(catalogue.nameOf('env', './lamp.env.ts', [one, other])).toBe('lamp')
  expect(catalogue.nameOf('env', path)).toBe('lamp')
  expect(() => catalogue.nameOf('env', join(other, 'lamp.env.ts'))).toThrow(
    `"${join(other, 'lamp.env.ts')}" bears the name "lamp", which is taken by ${path}. Rename it.`,
  )
  expect(() => catalogue.nameOf('agent', './torch.agent.ts', [one])).toThrow(
    `There is no agent file ${join(one, 'torch.agent.ts')}.`,
  )
  expect(catalogue.nameOf('agent', 'torch', [one])).toBe('torch')
})

test('a plug-in shares zod and the contract with the harness, in TypeScript and JavaScript, and in what it imports', async () => {
  const text = "import { Refusal, z as ours } from 'sora-bench'\nimport { z } from 'zod'\nexport { Refusal, ours, z }\n"
  const folder = outside({
    'a.ts': `${text}export * as helper from './lib/helper.js'\nenum Colour { Red }\nexport const red: Colour = Colour.Red\n`,
    'lib/helper.ts': text,
    'b.mjs': text,
    'c.js': text,
  })
  const shared = { Refusal: contract.Refusal, ours: zod.z, z: zod.z }
  const [a, b, c] = await Promise.all(['a.ts', 'b.mjs', 'c.js'].map((file) => importModule(join(folder, file))))
  expect({ ...a }).toMatchObject({ ...shared, helper: shared, red: 0 })
  for (const module of [b, c]) expect({ ...module }).toMatchObject(shared)
})

test('the content hash follows relative imports, and nothing else', () => {
  const files = {
    'lamp.env.ts': "import './bulb.js'\nimport { z } from 'zod'\nawait import('./lib')\n",
    'bulb.ts': "export * from './lamp.env.js'\n",
    'lib/index.ts': "import data from '../data.json'\n",
    'data.json': '1',
    'unrelated.ts': '',
  }
  const [here, there] = [outside(files), outside(files)]
  const hash = (folder = here) => contentHash(join(folder, 'lamp.env.ts'))
  const seen = [hash()]
  expect(hash(there)).toBe(seen[0])
  appendFileSync(join(here, 'unrelated.ts'), ' ')
  expect(hash()).toBe(seen[0])
  for (const file of ['lamp.env.ts', 'bulb.ts', 'lib/index.ts', 'data.json']) {
    appendFileSync(join(here, file), ' ')
    expect(seen).not.toContain(hash())
    seen.push(hash())
  }
})

test.each(KINDS)('every %s of the house has what its kind asks for, and says in a line what it is', async (kind) => {
  const files = [...pluginFiles(kind)]
  expect(files.length).toBeGreaterThan(4)
  const load = async (name: string, file: string) => (kind === 'suite' ? loadSuite(name) : loadPlugIn(kind, file, true))
  for (const [name, file] of files) await expect(load(name, file), file).resolves.toBeDefined()
})

test('every suite of the house says in a line what it is', async () => {
  for (const name of pluginFiles('suite').keys())
    expect(await loadSuite(name)).toMatchObject({ name, summary: expect.stringMatching(/\w/) })
})

test('no two metrics of the house share a name or a place, and what is added to one is there', async () => {
  const metrics = await loadMetrics()
  const names = metrics.map(({ name }) => name)
  const shown = metrics.flatMap((metric) => metric.shown ?? [])
  const places = shown.map(({ place }) => place)
  expect([new Set(names).size, new Set(places).size]).toEqual([names.length, places.length])
  expect(names).toEqual(expect.arrayContaining(shown.flatMap(({ plus = [] }) => plus)))
})
