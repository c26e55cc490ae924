import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { TrialLine } from '../contract/index.js'
import { simulatedFetch } from '../reader/endpoint.js'
import { pluginFiles } from '../run/registry.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatStep } from '../testing/chat-server.js'
import { cli, scratch } from '../testing/cli.js'

const readLines = (folder: string): TrialLine[] =>
  readFileSync(join(folder, 'trials.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): TrialLine => JSON.parse(line))

/** One run of all agents, for the tests that only look at it. */
const smokeFolder = scratch()
let smoke: Awaited<ReturnType<typeof cli>>
beforeAll(async () => {
  smoke = await cli('run', 'smoke', '--agents', 'all', '--out', smokeFolder)
})
afterEach(() => vi.unstubAllEnvs())

test('a run leaves its files and prints a table with every agent and the label of the simulated model', () => {
  const { code, out } = smoke
  expect(code).toBe(0)
  for (const agent of ['react-sync', 'react-polling', 's-ora', 'oracle', 'fixed-sleep', 'random', 'do-nothing'])
    expect(out).toContain(agent)
  expect(out).toContain('simulated model')
  expect(readdirSync(smokeFolder).toSorted()).toEqual([
    'codebook.md',
    'junit.xml',
    'report.html',
    'report.md',
    'run.json',
    'summary.csv',
    'summary.json',
    'timing.jsonl',
    'traces',
    'trials.csv',
    'trials.jsonl',
  ])
  expect(readLines(smokeFolder)).toHaveLength(3 * pluginFiles('agent').size)
})

test('the README shows what the default suite prints', async () => {
  const { out } = await cli('run', 'default', '--traces', 'none', '--out', scratch())
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const shown = /<!-- npm start -->\n```\n([\s\S]*?)\n```\n<!-- end -->/.exec(readme)?.[1]
  expect(shown, 'Run `npm run docs` and read what has changed.').toBe(out.trimEnd())
})

test('the same command twice gives the same bytes: results and traces', async () => {
  const again = scratch()
  await cli('run', 'smoke', '--agents', 'all', '--out', again)
  const [first = [], second = []] = [smokeFolder, again].map((made) =>
    readdirSync(made, { recursive: true, encoding: 'utf8' })
      .filter((file) => file === 'trials.jsonl' || file.endsWith('.jsonl.gz'))
      .toSorted()
      .map((file) => [file, readFileSync(join(made, file)).toString('base64')]),
  )
  // Three traces of each agent, and the list of trials.
  expect(first).toHaveLength(3 * pluginFiles('agent').size + 1)
  expect(second).toEqual(first)
})

test('report makes the same reports again, and trace tells why a blind agent failed', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'react-sync', '--model', 'sim:careful', '--out', folder)
  const before = readFileSync(join(folder, 'report.md'), 'utf8')
  expect((await cli('report', folder)).code).toBe(0)
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe(before)
  const { code, out } = await cli('trace', 'react-sync/sim:careful/0', '--run', folder)
  expect(code).toBe(0)
  expect(out).toMatch(/VIOLATION water_hammer/)
  expect(out).toMatch(/Why\n.*`water_hammer` at .*`open_valve`/)
})

test.each([
  [['run', 'smoke', '--agents', 'reakt'], /^No agent named "reakt"\. Known: .*\bdo-nothing, .*s-ora.*\.\n$/],
  [['run', 'smoke', '--environments', 'pond'], /^No environment named "pond"\. Known: .*water-hammer.*\.\n$/],
  [['run', 'smok'], /^No suite named "smok"\. Known: .*smoke\b.*\.\n$/],
  [['run', 'smoke', '--model', 'sim:wise'], /"wise".*careful.*typical/],
  [['run', 'smoke', '--thinking', 'slowly'], /^No thinking policy "slowly"\. Known: tokens/],
  [['run', 'smoke', '--thinking-tokens', 'many'], /^The options do not make a suite: --thinking-tokens.*: /],
  [
    ['run', 'smoke', '--thinking-tokens', '0,200', '--model', 'sim:typical,gpt-x'],
    /^200 thinking tokens cannot be added to gpt-x, which reports its own/,
  ],
  [['run', 'smoke', '--cache', 'ttlMs'], /^"ttlMs" is no setting of the prompt cache\. Write --cache name=value/],
  [['run', 'smoke', '--cache', 'ttl=0'], /^The options do not make a suite: --cache.*"ttl" \(known: ttlMs, minimum\)/],
  [['run', 'smoke', '--param', 'ramp=1'], /^No parameter "ramp" in "ramp=1"\. Known: .*water-hammer\.rampMs/],
  [
    ['run', 'smoke', '--param', 'buttons=99'],
    /^Parameters of water-hammer do not fit: buttons = 99: .*12.*describe water-hammer/,
  ],
  [['run', 'smoke', '--param', 'safeTempC=100'], /^Parameters of water-hammer do not fit: /],
  [['run', 'smoke', '--scenarios', '0'], /^The options do not make a suite: --scenarios: /],
  [['run', 'smoke', '--concurrency', '0'], /^--concurrency 0 is no whole number/],
  [['run', 'smoke', '--nonsense'], /nonsense/],
  [['run', 'smoke', '--agents', 'oracle', '--agents', 's-ora'], /^--agents is given more than once\.\n$/],
  [['run', 'smoke', '--scenarios'], /^Not enough arguments following: scenarios/],
  [['run', 'smoke', '--agents', 'oracle,oracle'], /^The suite plans the trial "water-hammer\/oracle\/0" twice/],
  [['run', 'smoke', '--model', 'gpt-x'], /^The model "gpt-x" needs a key: set OPENAI_API_KEY/],
  [['report', 'nowhere'], /^No run "nowhere"\./],
  [['describe', 'nobody', '--prompts'], /^No agent named "nobody"\./],
  [['describe', 'do-nothing', '--prompts'], /^do-nothing has no fixed prompts to print\./],
  [['describe', 'nothing'], /^Nothing is named "nothing"\. Known: /],
])('%j is the user’s mistake: one line, the known values, exit code 2', async (argv, message) => {
  vi.stubEnv('OPENAI_API_KEY', '')
  vi.stubEnv('OPENAI_BASE_URL', '')
  const { code, err } = await cli(...argv, ...(argv[0] === 'run' ? ['--out', scratch()] : []))
  expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
  expect(err).toMatch(message)
})

test('a mistake that is quoted cannot command the terminal', async () => {
  const { code, err } = await cli('run', 'no\u001B[31msuch')
  expect([code, err.slice(0, 26)]).toEqual([2, 'No suite named "no[31msuch'])
})

test('an output folder that cannot be written, or holds a run, is the user’s mistake', async () => {
  const file = scratch()
  writeFileSync(file, '')
  expect(await cli('run', 'smoke', '--out', join(file, 'x'))).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^The output folder ".*" cannot be written: /),
  })
  // Where Node's own recursive mkdir does not come back.
  expect((await cli('run', 'smoke', '--out', '/proc/sora-bench/x')).code).toBe(2)
  const full = scratch()
  mkdirSync(full)
  writeFileSync(join(full, 'traces'), '')
  expect(await cli('run', 'smoke', '--out', full)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/cannot be written/),
  })
  const folder = scratch()
  mkdirSync(folder)
  writeFileSync(join(folder, 'run.json'), '{}')
  expect(await cli('run', 'smoke', '--out', folder)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/holds a run already/),
  })
})

test('every command has help with examples', async () => {
  for (const command of [
    'run',
    'report',
    'trace',
    'interaction',
    'list',
    'describe',
    'compare',
    'baseline',
    'history',
    'new',
  ]) {
    const { code, out } = await cli(command, '--help')
    expect(code).toBe(0)
    expect(out).toMatch(/Examples:/)
  }
})

test('trials are the same bytes one by one and side by side, whatever is kept and reasoned, and come back', async () => {
  const given = [
    '--agents',
    's-ora',
    '--environments',
    'even-odd',
    '--thinking-tokens',
    '0,200',
    '--cache',
    'ttlMs=60000',
    '--cache',
    'minimum=0',
  ]
  const folders = await Promise.all(
    ['1', '4'].map(async (concurrency) => {
      const folder = scratch()
      const { code } = await cli('run', 'smoke', ...given, '--concurrency', concurrency, '--out', folder)
      expect(code).toBe(0)
      return folder
    }),
  )
  const [one = '', many = ''] = folders.map((folder) => readFileSync(join(folder, 'trials.jsonl'), 'utf8'))
  expect(many).toBe(one)
  const lines = readLines(folders[0] ?? '')
  const settings = lines.map(({ identity: { thinking, cache } }) => ({ thinking, ...cache }))
  const kept = { ttlMs: 60_000, minimum: 0 }
  expect(new Set(settings.map((each) => JSON.stringify(each)))).toEqual(
    new Set(['tokens', 'tokens+200'].map((thinking) => JSON.stringify({ thinking, ...kept }))),
  )
  expect(lines.every(({ metrics }) => Number(metrics['cached_tokens']) > 0)).toBe(true)
  expect((await cli('replay', '--all', '--run', folders[0] ?? '')).code).toBe(0)
})

/** What happened, in no order and under no name: what is predicted goes by the name, and an endpoint need not tell what it caches. */
const strip = (lines: TrialLine[]): string[] =>
  lines
    .map(({ metrics: { cache_write_tokens: _cached, predicted: _predicted, ...metrics }, outcome }) =>
      JSON.stringify({ metrics, outcome }),
    )
    .toSorted()

/** The simulated model behind a real socket. */
async function simulated(body: Record<string, unknown>): Promise<ChatStep> {
  const answer = await simulatedFetch()('http://x/v1/chat/completions', {
    body: JSON.stringify({ ...body, model: 'sim:careful' }),
  })
  return { status: answer.status, body: await answer.text() }
}

test('a real model behind HTTP, with faults on the way, plays the very trials of the same reader in process', async () => {
  const overload: ChatStep = { status: 503, body: '{}', headers: { 'retry-after': '0' } }
  const server = await startChatServer([overload, { fault: 'cut' }], simulated)
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  vi.stubEnv('OPENAI_API_KEY', 'test-key-3141')
  const [real, own] = [scratch(), scratch()]
  const options = ['run', 'smoke', '--agents', 's-ora', '--scenarios', '2']
  const { code, err } = await cli(...options, '--model', 'far-away', '--yes', '--concurrency', '2', '--out', real)
  await server.close()
  await cli(...options, '--model', 'sim:careful', '--cache', 'ttlMs=0', '--out', own)
  expect(code).toBe(0)
  expect(err).toMatch(/^far-away +2 +\d+ +[\d ]+not known/m)
  expect(strip(readLines(real))).toEqual(strip(readLines(own)))
  const files = readdirSync(real, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(json|jsonl|md|csv)$/.test(file),
  )
  for (const file of files) expect(readFileSync(join(real, file), 'utf8')).not.toContain('test-key-3141')
})

test('a key that an endpoint echoes stands in no file of the run and on no stream', async () => {
  const key = 'test-key-2718'
  const echo = (step: number): ChatStep =>
    step % 2 === 0
      ? answers(completion({ message: { content: `I was sent ${key}`, tool_calls: [] } }))
      : {
          status: 500,
          body: JSON.stringify({ error: { code: key, message: `Bearer ${key}` } }),
          headers: { 'x-key': key, 'retry-after': '0' },
        }
  let step = 0
  const server = await startChatServer([], () => echo(step++))
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  vi.stubEnv('OPENAI_API_KEY', key)
  const folder = scratch()
  const options = ['smoke', '--agents', 's-ora,react-sync', '--scenarios', '2', '--model', 'far-away', '--yes']
  const { out, err } = await cli('run', ...options, '--out', folder)
  await server.close()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
  const texts = files
    .map((file) => readFileSync(join(folder, file)))
    .map((bytes) => String(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes))
  expect(texts.some((text) => text.includes('I was sent (hidden)'))).toBe(true)
  expect([out, err, ...texts].filter((text) => text.includes(key))).toEqual([])
})

test('when retries run out a trial ends as infrastructure_error, is counted, and the exit code says so', async () => {
  const found = answers(completion({}))
  const server = await startChatServer([found, found], () => ({
    status: 500,
    body: '{}',
    headers: { 'retry-after': '0' },
  }))
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const folder = scratch()
  const { code, out } = await cli(
    'run',
    'smoke',
    '--agents',
    'react-sync,oracle',
    '--scenarios',
    '1',
    '--model',
    'far-away',
    '--yes',
    '--out',
    folder,
  )
  await server.close()
  expect(code).toBe(3)
  expect(readLines(folder).map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(['infrastructure_error', 'solved']),
  )
  expect(out).toMatch(/react-sync\s+1 \(1!\)\s+0 %/)
})

test('calls to a real model are not made without a confirmation', async () => {
  const server = await startChatServer([], simulated)
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const folder = scratch()
  const { code, err } = await cli('run', 'smoke', '--agents', 'react-sync', '--model', 'far-away', '--out', folder)
  await server.close()
  expect(code).toBe(2)
  expect(err).toMatch(/need a confirmation: run again with --yes\./)
  expect(server.received).toEqual([])
})
