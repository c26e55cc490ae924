import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { simulatedFetch } from '../reader/endpoint.js'
import { parseFaults, serveModels } from '../run/model-server.js'
import { readRun } from '../run/store.js'
import { createRandom } from '../sim/random.js'
import { startChatServer } from '../testing/chat-server.js'
import type { ChatStep } from '../testing/chat-server.js'
import { cli, scratch } from '../testing/cli.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const options = ['smoke', '--agents', 'all', '--scenarios', '4']

const few = ['smoke', '--agents', 'oracle,react-sync', '--scenarios', '8']

/** All that must not depend on when a run was broken. */
function results(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.jsonl.gz') || ['trials.jsonl', 'trials.csv', 'summary.json', 'summary.csv'].includes(file),
  )
  return Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(join(folder, file)).toString('base64')]))
}

const lineCount = (folder: string): number => {
  const path = join(folder, 'trials.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** Runs the command in a process of its own, to its end. Where files may grow no larger, a write is cut short as on a full disk. */
async function inProcess(argv: string[], fileKb = 'unlimited'): Promise<{ code: number | null; err: string }> {
  const command = `ulimit -f ${fileKb}; exec "$0" dist/harness/cli/bin.js "$@"`
  const child = spawn('bash', ['-c', command, process.execPath, ...argv], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })))
}

/** Runs the command in a process of its own, kills it, without a chance to say good-bye, after so many lines, and tells what it said. */
async function killedAfter(lines: number, argv: string[], folder: string): Promise<string> {
  const command = ['dist/harness/cli/bin.js', 'run', ...argv]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const watch = setInterval(() => {
    if (lineCount(folder) >= lines) child.kill('SIGKILL')
  }, 2)
  await ended
  clearInterval(watch)
  return said
}

afterEach(() => vi.unstubAllEnvs())

test('a run killed at five moments and resumed equals the unbroken one, byte for byte', async () => {
  const [unbroken, broken] = [scratch(), scratch()]
  await cli('run', ...options, '--out', unbroken)
  const draw = createRandom('moments').stream()
  let at = 0
  for (let moment = 0; moment < 5; moment++) {
    at += draw.integer(3, 9)
    const said = await killedAfter(at, moment === 0 ? [...options, '--out', broken] : ['--resume', broken], broken)
    expect(lineCount(broken), said).toBeGreaterThanOrEqual(at)
    expect(lineCount(broken)).toBeLessThan(56)
  }
  // What a kill in the middle of a write would leave.
  appendFileSync(join(broken, 'trials.jsonl'), '{"version":1,"identity":{"id":"torn')
  expect((await cli('run', '--resume', broken)).code).toBe(0)
  expect(results(broken)).toEqual(results(unbroken))
  expect(existsSync(join(broken, 'lock'))).toBe(false)
})

test('of four that resume a killed run at once one wins, and no line is lost or doubled', async () => {
  const unbroken = scratch()
  await cli('run', ...few, '--out', unbroken)
  // Many rounds: RESUME_ROUNDS=25 npx vitest run harness/cli/resume.test.ts -t 'of four'
  for (let round = 0; round < Number(process.env['RESUME_ROUNDS'] ?? 2); round++) {
    const broken = scratch()
    await killedAfter(1 + (round % 12), [...few, '--out', broken], broken)
    const ends = await Promise.all([1, 2, 3, 4].map(() => inProcess(['run', '--resume', broken])))
    expect(results(broken)).toEqual(results(unbroken))
    expect(ends.map(({ code }) => code)).toContain(0)
    // One that comes when the winner has ended finds nothing to do.
    for (const { code, err } of ends.filter((end) => end.code !== 0))
      expect([code, err]).toEqual([2, expect.stringMatching(/^".*" is in use by process \d+ on .*\.\n$/)])
    expect(readdirSync(broken).filter((file) => file.startsWith('lock'))).toEqual([])
  }
})

test('a run that a full disk ends says so, keeps whole lines, and equals the unbroken one when it is resumed', async () => {
  const [unbroken, broken] = [scratch(), scratch()]
  await cli('run', ...few, '--out', unbroken)
  const { code, err } = await inProcess(['run', ...few, '--out', broken], '12')
  const said = `The output folder "${broken}" cannot be written: EFBIG: file too large, write. Make room, then go on with: npx sora-bench run --resume ${broken}`
  expect([code, err.trim().split('\n').at(-1)]).toEqual([1, said])
  const kept = readFileSync(join(broken, 'trials.jsonl'), 'utf8')
  expect(kept.length).toBeGreaterThan(0)
  expect(readFileSync(join(unbroken, 'trials.jsonl'), 'utf8').startsWith(kept) && kept.endsWith('}\n')).toBe(true)
  expect(readdirSync(broken).toSorted()).toEqual(['run.json', 'timing.jsonl', 'traces', 'trials.jsonl'])
  expect((await cli('run', '--resume', broken)).code).toBe(0)
  expect(results(broken)).toEqual(results(unbroken))
})

test('a run whose header finds no room leaves none, and can be begun again', async () => {
  const folder = scratch()
  const { code, err } = await inProcess(['run', ...few, '--out', folder], '1')
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^The output folder ".*" cannot be written: EFBIG: .*\. Make room, then try again\.\n$/),
  ])
  expect(readdirSync(folder)).toEqual([])
})

test('a resumed run refuses another suite, and names the difference', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'oracle', '--out', folder)
  const { code, err } = await cli('run', '--resume', folder, '--scenarios', '5', '--seed', '2')
  expect(code).toBe(2)
  expect(err).toMatch(/^The run has another suite: seed: 1 → 2; scenarios: 3 → 5\. Resume it without these options/)
})

test('a resumed run refuses trials of another version of an agent', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'oracle', '--out', folder)
  const path = join(folder, 'run.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"oracle": "1"', '"oracle": "0"'))
  const { code, err } = await cli('run', '--resume', folder)
  expect(code).toBe(2)
  expect(err).toMatch(/^The run was made with other versions: oracle: "0" → "1"\./)
})

test('--retry-errors redoes what infrastructure ended, and that alone', async () => {
  const relay = async (body: Record<string, unknown>): Promise<ChatStep> => {
    const answer = await simulatedFetch()('http://x/v1/chat/completions', {
      body: JSON.stringify({ ...body, model: 'sim:careful' }),
    })
    return { status: answer.status, body: await answer.text() }
  }
  let broken = true
  let asked = 0
  const server = await startChatServer([], (body) => {
    asked++
    // The first trial is cut in its midst, the other at its first call.
    return broken && asked > 7 ? { status: 500, body: '{}', headers: { 'retry-after': '0' } } : relay(body)
  })
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const [retried, whole] = [scratch(), scratch()]
  const real = [
    'run',
    'smoke',
    '--scenarios',
    '2',
    '--agents',
    'react-sync,oracle',
    '--model',
    'far-away',
    '--yes',
    '--concurrency',
    '1',
  ]
  const first = await cli(...real, '--out', retried)
  expect(first.code).toBe(3)
  expect(first.err).toMatch(/2 trials ended in an infrastructure error\. Redo them with: .*--retry-errors/)
  broken = false
  expect((await cli('run', '--resume', retried, '--retry-errors', '--yes')).code).toBe(0)
  await cli(...real, '--out', whole)
  await server.close()
  expect(results(retried)).toEqual(results(whole))
})

test('two processes on one folder are told apart by a lock that names its holder', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'oracle', '--out', folder)
  const holder = { pid: process.pid, host: hostname(), since: '2026-01-02T03:04:05.000Z' }
  writeFileSync(join(folder, 'lock'), JSON.stringify(holder))
  const { code, err } = await cli('run', '--resume', folder)
  expect(code).toBe(2)
  expect(err).toMatch(`is in use by process ${process.pid} on ${hostname()} since 2026-01-02T03:04:05.000Z.`)
  // A holder that is dead is no holder.
  const dead = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => dead.on('close', resolve))
  writeFileSync(join(folder, 'lock'), JSON.stringify({ ...holder, pid: dead.pid }))
  expect((await cli('run', '--resume', folder)).code).toBe(0)
})

test.each([
  [['run', '--retry-errors'], /^--retry-errors needs --resume RUN/],
  [
    ['run', '--resume', 'x', '--out', join(mkdtempSync(join(tmpdir(), 'run-')), 'y')],
    /^--out and --resume exclude each other/,
  ],
  [['run', '--resume', 'nowhere'], /^No run "nowhere"\./],
])('%j is the user’s mistake', async (argv, message) => {
  const { code, err } = await cli(...argv)
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

test('a run of a failing endpoint that is killed and resumed ends as the unbroken one, and its recording plays before and after', async () => {
  const faults = parseFaults('500:0.04,reset:0.04')
  const server = await serveModels({ models: new Map([['mini', 'sim:careful']]), port: 0, faults, seed: 3 })
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const [whole, broken, recorded] = [scratch(), scratch(), scratch()]
  const far = [
    'smoke',
    '--agents',
    'react-sync,s-ora',
    '--scenarios',
    '3',
    '--model',
    'mini',
    '--yes',
    '--traces',
    'none',
  ]
  const kept = ['--record', recorded]
  const ends = (folder: string) =>
    readRun(folder).lines.map(({ identity, outcome, behaviour }) => [identity.id, outcome, behaviour?.full])
  try {
    expect((await cli('run', ...far, '--out', whole)).code).toBe(0)
    const said = await killedAfter(2, [...far, '--out', broken, ...kept], broken)
    expect([lineCount(broken) >= 2, lineCount(broken) < 6], said).toEqual([true, true])
    const { code, out } = await cli('replay', recorded)
    const count = lineCount(recorded)
    expect([code, out]).toEqual([0, `${count} of ${count} trials identical, without asking a model\n`])
    expect(count).toBeGreaterThanOrEqual(lineCount(broken))
    expect((await cli('run', '--resume', broken, '--yes', ...kept)).code).toBe(0)
  } finally {
    await server.close()
  }
  expect(ends(broken)).toEqual(ends(whole))
  expect(ends(recorded)).toEqual(ends(whole))
  expect((await cli('replay', recorded)).out).toBe('6 of 6 trials identical, without asking a model\n')
})
