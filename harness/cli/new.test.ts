import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cli } from '../testing/cli.js'
import { installed } from '../testing/installed.js'

const manual = readFileSync(new URL('../../docs/environments.md', import.meta.url), 'utf8')
const block = (language: string): string => manual.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

const report = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({ message: z.string(), assertionResults: z.array(z.looseObject({ status: z.string() })) }),
  ),
})

let user: ReturnType<typeof installed>
beforeAll(() => {
  user = installed()
})

/** The tests of the user's folder, in his own vitest. */
function contract(): unknown {
  const { out, err } = user.vitest()
  const { testResults, success } = report.parse(JSON.parse(out === '' ? err : out))
  const [file] = testResults
  return {
    success,
    message: file?.message,
    passed: file?.assertionResults.filter(({ status }) => status === 'passed').length,
  }
}

test('what `new` writes passes its tests, has sound types, and runs by path in the built command', () => {
  expect(user.soraBench('new', 'environment', 'greenhouse')).toMatchObject({ code: 0, err: '' })
  expect(contract()).toEqual({ success: true, message: '', passed: 10 })
  expect(user.tsc()).toEqual({ code: 0, out: '', err: '' })
  const { code, out } = user.soraBench('run', 'smoke', '--environments', './greenhouse.env.ts', '--out', 'first')
  expect(code).toBe(0)
  expect(out).toMatch(/oracle +3 +100 %/)
  expect(out).toMatch(/do-nothing +3 +0 %/)
  const again = user.soraBench('new', 'environment', 'greenhouse')
  expect(again).toEqual({ code: 2, out: '', err: '"greenhouse.env.ts" exists already, and is not overwritten.\n' })
})

test('the world of docs/environments.md passes its tests, has sound types, and runs by path, by name and in its suite', async () => {
  await cli('new', 'environment', 'greenhouse', '--dir', user.folder)
  writeFileSync(join(user.folder, 'greenhouse.env.ts'), block('ts'))
  writeFileSync(join(user.folder, 'beds.suite.yaml'), block('yaml'))
  expect(contract()).toEqual({ success: true, message: '', passed: 10 })
  expect(user.tsc()).toEqual({ code: 0, out: '', err: '' })
  const argv = ['run', 'smoke', '--model', 'sim:careful', '--agents', 'react-sync,s-ora', '--environments']
  const [byPath, byName] = [
    ['./greenhouse.env.ts', 'path'],
    ['greenhouse', 'name'],
  ].map(([world = '', out = '']) => user.soraBench(...argv, world, '--out', out))
  expect(byPath?.out).toMatch(/react-sync +3 +0 %.* 3\/3 /)
  expect(byPath?.out).toMatch(/s-ora +3 +100 %/)
  expect(byName?.out).toBe(byPath?.out)
  expect(user.soraBench('run', 'beds.suite.yaml', '--out', 'beds')).toMatchObject({ code: 0 })
})

test.each([
  ['typescript', 3, []],
  ['python', 1, ['--clock', 'wall']],
])(
  'what `new agent --language %s` writes passes its tests, has sound types, and runs by path',
  (language, passed, more) => {
    const { folder } = user
    rmSync(join(folder, 'mine.agent.ts'), { force: true })
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.test.ts'))) rmSync(join(folder, file))
    // `import.meta` has sound types in modules alone.
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    expect(user.soraBench('new', 'agent', 'mine', '--language', language)).toMatchObject({ code: 0, err: '' })
    expect(contract()).toEqual({ success: true, message: '', passed })
    expect(user.tsc('mine.agent.ts', 'mine.test.ts')).toEqual({ code: 0, out: '', err: '' })
    const argv = ['run', 'smoke', '--model', 'sim:careful', '--agents', './mine.agent.ts,do-nothing', ...more]
    const { code, out } = user.soraBench(...argv, '--out', `mine-${language}`)
    expect(code).toBe(0)
    expect(out).toMatch(language === 'python' ? /mine +3 +0 % .* 0\*/ : /mine +3 +100 %/)
  },
)

test('the client that a new agent in Python begins with is that of the example', () => {
  const example = readFileSync(new URL('../../examples/even-odd-python/even_odd.py', import.meta.url), 'utf8')
  const client = (text: string) =>
    /class World:[^]*?(?=\n\n\n)/.exec(text)?.[0].replace(/"name": "[^"]*"/, '"name": "…"')
  const begun = readFileSync(new URL('../../examples/new/program/NAME.py', import.meta.url), 'utf8')
  expect(client(begun)).toBe(client(example))
})

test('a refusal and a fault of a plug-in mean the same to the built command', () => {
  const world = block('ts')
  const write = (text: string) => writeFileSync(join(user.folder, 'greenhouse.env.ts'), text)
  const run = (out: string) =>
    user.soraBench('run', 'smoke', '--agents', 'oracle', '--environments', 'greenhouse', '--out', out)
  const refusing = world
    .replace('import { defineEnvironment, z }', 'import { defineEnvironment, Refusal, z }')
    .replace("status.value = 'PRIMING'", "if (now() === 0) throw new Refusal('not now')\nstatus.value = 'PRIMING'")
  write(refusing)
  expect(run('refusing').out).toMatch(/oracle +3 +0 %/)
  expect(user.soraBench('trace', 'oracle/0', '--run', 'refusing').out).toMatch(/not now/)
  write(world.replace("status.value = 'READY'", "throw new Error('Broken.')"))
  expect(run('broken')).toMatchObject({
    code: 3,
    err: expect.stringContaining('3 trials ended in an infrastructure error'),
  })
  write('export default {')
  expect(run('torn')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^The environment file ".*" does not load: [^\n]*\n$/),
  })
})

test('what `new suite` writes runs by path and by name, and names a schema that is there', () => {
  expect(user.soraBench('new', 'suite', 'mine')).toMatchObject({
    code: 0,
    out: 'Wrote mine.suite.yaml\nRun it:  npx sora-bench run ./mine.suite.yaml\n',
    err: '',
  })
  const [first = ''] = readFileSync(join(user.folder, 'mine.suite.yaml'), 'utf8').split('\n')
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)$/.exec(first) ?? []
  expect(existsSync(join(user.folder, schema))).toBe(true)
  const [byPath, byName] = ['./mine.suite.yaml', 'mine'].map((suite, index) =>
    user.soraBench('run', suite, '--out', `suite-${index}`),
  )
  expect(byPath).toMatchObject({ code: 0, out: expect.stringMatching(/oracle +5 +100 %/) })
  expect(byName?.out).toBe(byPath?.out)
})

test.each([
  ['smoke', 'The name "smoke" is taken by a suite of sora-bench. Choose another one.\n'],
  ['Mine', '"Mine" is no name for a suite: use lower-case letters, digits and dashes.\n'],
])('`new suite %s` is refused, and writes nothing', async (name, err) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'sora-bench-new-')), 'suites')
  expect(await cli('new', 'suite', name, '--dir', dir)).toEqual({ code: 2, out: '', err })
  expect(existsSync(dir)).toBe(false)
})

test.each([
  ['water-hammer', 'The name "water-hammer" is taken by an environment of sora-bench. Choose another one.\n'],
  ['../Lamp', '"../Lamp" is no name for an environment: use lower-case letters, digits and dashes.\n'],
])('`new environment %s` is refused, and writes nothing', async (name, err) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'sora-bench-new-')), 'worlds')
  expect(await cli('new', 'environment', name, '--dir', dir)).toEqual({ code: 2, out: '', err })
  expect(existsSync(dir)).toBe(false)
})
