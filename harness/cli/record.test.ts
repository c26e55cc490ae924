import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseFaults, serveModels } from '../run/model-server.js'
import { readTape } from '../run/recording.js'
import { readRun } from '../run/store.js'
import { cli, scratch } from '../testing/cli.js'
import { lamp, outside } from '../testing/plug-in-files.js'

const KEY = 'sk-recorded-0123456789'
const lines = (folder: string): string => readFileSync(join(folder, 'trials.jsonl'), 'utf8')
const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())

/** A real endpoint, as far as the harness can know, that fails now and then. */
let server: Awaited<ReturnType<typeof serveModels>>
const [run, recorded] = [scratch(), scratch()]
const smoke = ['run', 'smoke', '--agents', 'react-sync,s-ora', '--scenarios', '2', '--model', 'mini', '--yes']
beforeAll(async () => {
  const models = new Map([['mini', 'sim:careful']])
  server = await serveModels({ models, port: 0, faults: parseFaults('500:0.05'), seed: 1 })
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  vi.stubEnv('OPENAI_API_KEY', KEY)
  await cli(...smoke, '--record', recorded, '--out', run)
  vi.unstubAllEnvs()
})
afterAll(() => server.close())

test('a recorded run plays again without key and network, byte for byte', async () => {
  expect(lines(recorded)).toBe(lines(run))
  const { code, out } = await cli('replay', recorded)
  expect({ code, out }).toEqual({ code: 0, out: '4 of 4 trials identical, without asking a model\n' })
  const again = scratch()
  expect((await cli(...smoke, '--replay', recorded, '--out', again)).code).toBe(0)
  expect(lines(again)).toBe(lines(run))
  expect(readRun(again).header.replays).toBe(recorded)
})

test('a recording holds no key, in no file, and the time that each answer took', () => {
  for (const file of files(recorded)) {
    const bytes = readFileSync(file)
    expect((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')).not.toContain(KEY)
  }
  const [line] = readRun(recorded).lines
  const { calls } = readTape(recorded, line?.identity ?? { id: '' })
  expect(calls.length).toBeGreaterThan(2)
  for (const call of calls) expect(call).toMatchObject({ kind: 'call', model: 'mini', latencyMs: expect.any(Number) })
  expect(calls.every((call) => call.kind === 'call' && call.latencyMs > 0)).toBe(true)
})

test('calls take at most 15 % of what went over the wire', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'react-polling,s-ora', '--record', folder, '--out', scratch())
  let [raw, calls] = [0, 0]
  for (const { identity } of readRun(folder).lines) {
    const tape = readTape(folder, identity)
    for (const call of tape.calls) {
      if (call.kind !== 'call') continue
      const text = (hash: string | null): string | null => (hash === null ? null : (tape.texts.get(hash) ?? ''))
      const messages = call.messages.map(({ role, hash }) => ({ role, content: text(hash) }))
      raw += JSON.stringify([
        { model: call.model, messages, tools: text(call.tools), schema: text(call.schema) },
        call.said,
      ]).length
      calls++
    }
  }
  const stored = files(join(folder, 'calls')).reduce((sum, file) => sum + statSync(file).size, 0)
  expect(calls).toBeGreaterThan(100)
  expect(stored / raw).toBeLessThan(0.15)
})

test('one word changed in one prompt is that very difference', async () => {
  const [before, after] = [
    outside({ 'lamp.env.ts': lamp() }),
    outside({ 'lamp.env.ts': lamp().replace('Gives light', 'Sheds light') }),
  ].map((folder) => join(folder, 'lamp.env.ts'))
  const folder = scratch()
  const argv = ['run', 'smoke', '--agents', 'react-polling', '--model', 'sim:careful', '--scenarios', '1']
  await cli(...argv, '--environments', before ?? '', '--record', folder, '--out', scratch())
  expect((await cli('replay', folder)).code).toBe(0)

  const header = join(folder, 'run.json')
  writeFileSync(header, readFileSync(header, 'utf8').replaceAll(before ?? '', after ?? ''))
  const { code, out } = await cli('replay', folder)
  expect(code).toBe(100)
  expect(out).toMatch(/Call \d+ is asked otherwise than it was recorded: (?:tools|message \d+ \(\w+\)), line 1\./)
  expect(out).toMatch(/recorded .*Gives light/)
  expect(out).toMatch(/now .*Sheds light/)
  expect(out).toContain('0 of 1 trials identical')
})

test('what the recording lacks is asked only with --live-on-miss, which adds it', async () => {
  const folder = scratch()
  const argv = (agents: string) => ['run', 'smoke', '--agents', agents, '--model', 'sim:careful', '--scenarios', '1']
  await cli(...argv('react-sync'), '--record', folder, '--out', scratch())
  const more = argv('react-sync,react-polling')
  const missing = await cli(...more, '--replay', folder, '--out', scratch())
  expect([missing.code, missing.err]).toEqual([
    3,
    expect.stringContaining('1 trial ended in an infrastructure error. Redo it with'),
  ])
  const live = scratch()
  expect((await cli(...more, '--replay', folder, '--live-on-miss', '--out', live)).code).toBe(0)
  const offline = scratch()
  expect((await cli(...more, '--replay', folder, '--out', offline)).code).toBe(0)
  expect(lines(offline)).toBe(lines(live))
  expect((await cli('replay', folder)).out).toBe('2 of 2 trials identical, without asking a model\n')
})

test('a sweep that names the trials otherwise finds its answers all the same', async () => {
  const again = scratch()
  const swept = await cli(...smoke, '--grid', 's-ora.malformed=3', '--replay', recorded, '--out', again)
  expect(swept.code).toBe(0)
  expect(readRun(again).lines.map(({ identity }) => identity.id)).toContain('water-hammer/s-ora[malformed=3]/mini/0')
})

test('a recording of a persistent memory plays from what trials were given, and leaves that memory alone', async () => {
  const [memory, first, folder] = [scratch(), scratch(), scratch()]
  const remembering = (out: string, ...more: string[]) => {
    const params = ['memory=persistent', `memoryPath=${memory}`, 'embeddings=sim:words']
    const given = params.flatMap((param) => ['--param', `s-ora.${param}`])
    const argv = ['run', 'smoke', '--agents', 's-ora', '--model', 'sim:careful', '--scenarios', '2']
    return cli(...argv, '--out', out, ...given, ...more)
  }
  await remembering(scratch(), '--record', first)
  const asked = readRun(first).lines.flatMap(({ identity }) => readTape(first, identity).calls.map(({ kind }) => kind))
  expect(new Set(asked)).toEqual(new Set(['call', 'embedding']))
  const whole = scratch()
  expect((await remembering(whole, '--record', folder)).code).toBe(0)
  const store = join(memory, 'memory.sqlite')
  const kept = readFileSync(store)
  expect(await cli('replay', folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 of 2 trials identical'),
  })
  const again = scratch()
  expect((await remembering(again, '--replay', folder)).code).toBe(0)
  expect(lines(again)).toBe(lines(whole))
  expect(readFileSync(store).equals(kept)).toBe(true)
  rmSync(memory, { recursive: true })
  expect([(await cli('replay', folder)).code, (await cli('replay', first)).code]).toEqual([0, 0])
  expect(existsSync(memory)).toBe(false)
})

test('a recording of a model per role plays again, each role from its own', async () => {
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const folder = scratch()
  const model = 'ODD=mini+*=sim:typical'
  const argv = ['run', 'smoke', '--environments', 'even-odd', '--agents', 'react-polling', '--scenarios', '2', '--yes']
  expect((await cli(...argv, '--model', model, '--record', folder, '--out', scratch())).code).toBe(0)
  vi.unstubAllEnvs()
  const [line] = readRun(folder).lines
  const asked = readTape(folder, line?.identity ?? { id: '' }).calls.map((call) => call.model)
  expect(new Set(asked)).toEqual(new Set(['mini', 'sim:typical']))
  expect(await cli('replay', folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 of 2 trials identical'),
  })
})

test('recordings are shown, compared and joined', async () => {
  const shown = await cli('record', 'show', recorded)
  expect(shown.out).toMatch(/^trial +outcome +calls/)
  expect(shown.out.trim().split('\n')).toHaveLength(5)
  const one = await cli('record', 'show', recorded, 's-ora/mini/1')
  expect(one.out).toMatch(/1 {2}[0-9a-f]{16} {2}mini/)
  const [first] = JSON.parse((await cli('record', 'show', recorded, 's-ora/mini/1', '--json')).out)
  expect(first).toMatchObject({ model: 'mini', messages: [{ role: 'system', text: expect.stringMatching(/\w/) }, {}] })

  const other = scratch()
  const argv = ['run', 'smoke', '--agents', 'react-polling', '--model', 'sim:careful', '--scenarios', '2']
  await cli(...argv, '--record', other, '--out', scratch())
  const all = scratch()
  expect((await cli('record', 'merge', all, recorded, other)).out).toBe(`${all} holds 6 trials, 6 of them new.\n`)
  expect((await cli('record', 'merge', all, other)).out).toBe(`${all} holds 6 trials, 0 of them new.\n`)
  expect(await cli('replay', all)).toMatchObject({ code: 0, out: '6 of 6 trials identical, without asking a model\n' })
  expect(await cli('record', 'diff', all, recorded)).toMatchObject({
    code: 100,
    out: expect.stringContaining('4 of 4 common trials are the same'),
  })
  expect((await cli('record', 'diff', recorded, recorded)).code).toBe(0)

  // The same answers again, after other tries, with other names of the endpoint's own.
  const retried = scratch()
  await cli('record', 'merge', retried, recorded)
  for (const path of files(join(retried, 'calls')))
    writeFileSync(
      path,
      gzipSync(
        gunzipSync(readFileSync(path))
          .toString('utf8')
          .replaceAll(/"retries":\d+/g, '"retries":7')
          .replaceAll(/"provenance":\{/g, '"provenance":{"provider":"another",'),
      ),
    )
  expect(await cli('record', 'diff', recorded, retried)).toMatchObject({
    code: 0,
    out: '4 of 4 common trials are the same\n',
  })

  const changed = scratch()
  await cli('record', 'merge', changed, other)
  const file = files(join(changed, 'calls')).find((path) => path.endsWith('0.jsonl.gz')) ?? ''
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  writeFileSync(file, gzipSync(text.replace('"promptTokens":', '"promptTokens":1')))
  const refused = await cli('record', 'merge', all, changed)
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('differently; see: npx sora-bench record diff'),
  ])
  expect((await cli('record', 'diff', other, changed)).out).toMatch(/call 1 is answered otherwise/)
  writeFileSync(file, gzipSync(text.replace(/"text":"./, '"text":"Z')))
  expect((await cli('record', 'show', changed)).err).toMatch(/is damaged in line 2/)
})

test.each([
  [['--record', 'a', '--replay', 'b'], '--record and --replay exclude each other'],
  [['--live-on-miss'], '--live-on-miss needs --replay DIR'],
  [['--replay', 'nowhere'], '"nowhere" holds no recording'],
])('%j is refused', async (argv, reason) => {
  const { code, err } = await cli('run', 'smoke', ...argv, '--out', scratch())
  expect([code, err]).toEqual([2, expect.stringContaining(reason)])
})

test('a folder that holds another run is not recorded into', async () => {
  const folder = scratch()
  const { code, err } = await cli('run', 'smoke', '--agents', 'react-sync', '--record', recorded, '--out', folder)
  expect([code, err]).toEqual([2, expect.stringContaining('holds another run already')])
  expect(() => readRun(folder)).toThrow('no readable run.json')
})
