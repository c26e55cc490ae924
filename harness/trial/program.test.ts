import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defineExternalAgent } from '../contract/index.js'
import type { Surface } from '../contract/index.js'
import { isAlive } from '../testing/alive.js'
import { playTrial } from '../testing/play-trial.js'
import { recordsOf } from '../trace/records.js'

/** An agent whose program is this JavaScript; `say` writes a message, `goal` is the first goal that comes. */
function agentOf(body: string, surface: Surface = 'act') {
  const script = `
    const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
    const hear = async () => JSON.parse((await lines.next()).value)
    const main = async () => { const hello = await hear(); const goal = await hear(); ${body} }
    main()`
  return defineExternalAgent({
    name: 'scripted-program',
    version: '1',
    summary: 'Does what a test wants.',
    surface,
    command: [process.execPath, '-e', script],
  })
}
const play = (body: string, more: Partial<Parameters<typeof playTrial>[0]> = {}) =>
  playTrial({ agent: agentOf(body), environment: 'water-hammer', clock: 'wall', ...more })

/** A session by hand, as any language could: no client library. */
const SESSION = `
  const post = async (url, id, message) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    if (id !== null) headers['mcp-session-id'] = id
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    const text = await response.text()
    return { id: response.headers.get('mcp-session-id') ?? id, data: text === '' ? null : JSON.parse(text) }
  }
  const clientInfo = { name: 'test', version: '1' }
  const begun = await post(goal.url, null, { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  await post(goal.url, begun.id, { method: 'notifications/initialized' })
  let asked = 1
  const ask = async (method, params = {}) => (await post(goal.url, begun.id, { id: ++asked, method, params })).data
`

test('it is told who it is, what it shall do and where, and its claims and reports are kept as its own word', async () => {
  const { outcome, claims, trace } = await play(
    `say({ type: 'note', text: JSON.stringify([hello, { ...goal, url: new URL(goal.url).hostname }]) })
     say({ type: 'usage', promptTokens: 100, completionTokens: 20, calls: 1 })
     say({ type: 'claim', goal: 0, claim: 'gave_up', text: 'Too hard.' })`,
    { clock: 'wall:5' },
  )
  expect([outcome, claims]).toEqual(['unsolved', ['gave_up']])
  const [note] = recordsOf(trace, 'program').filter(({ what }) => what === 'note')
  expect(JSON.parse(note?.text ?? '')).toEqual([
    {
      type: 'hello',
      version: 1,
      agent: 'scripted-program',
      role: 'operator',
      surface: 'act',
      params: {},
      seed: expect.any(Number),
      speed: 5,
      limits: { virtualMs: 1_800_000, operations: 200 },
    },
    { type: 'goal', goal: 0, text: expect.stringMatching(/core/), role: 'operator', url: '127.0.0.1' },
  ])
  expect(recordsOf(trace, 'reported')).toMatchObject([{ calls: 1, promptTokens: 100, completionTokens: 20 }])
})

test('its surface is all that it has, and what it does there is recorded like everybody else’s', async () => {
  const { trace } = await play(`${SESSION}
    const { tools } = (await ask('tools/list')).result
    say({ type: 'note', text: tools.map(({ name, inputSchema }) => name + ' ' + Object.keys(inputSchema.properties)).join('; ') })
    const call = (name, args) => ask('tools/call', { name, arguments: args })
    await call('system_discovery', {})
    await call('read_properties', {})
    await call('hydraulic_control', { action: 'power_on_pump', uuid: 'somebody else' })
    const { error } = await ask('resources/list')
    say({ type: 'note', text: error.message })
    say({ type: 'claim', goal: 0, claim: 'gave_up' })`)
  const notes = recordsOf(trace, 'program').filter(({ what }) => what === 'note')
  expect(notes.map(({ text }) => text)).toEqual([
    expect.stringContaining('hydraulic_control action; '),
    'Method not found',
  ])
  expect(notes[0]?.text).not.toMatch(/uuid|read_properties|sleep/)
  const kinds = ['read', 'invalid', 'operation', 'acknowledgement'] as const
  expect(trace.flatMap(({ kind, role }) => (kinds.some((own) => own === kind) ? [[kind, role]] : []))).toEqual([
    ['read', 'operator'],
    ['invalid', 'operator'],
    ['operation', 'operator'],
    ['acknowledgement', 'operator'],
  ])
  expect(new Set(trace.flatMap(({ activity }) => activity ?? [])).size).toBe(1)
})

test('on the push surface it is rung, by the notifications of its own session, and reads what has happened', async () => {
  const body = `
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const client = new Client({ name: 'test', version: '1' })
    const rung = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ params }) => params.uri === 'world://signals' && resolve(params.uri)
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(goal.url)))
    const read = async (uri) => (await client.readResource({ uri })).contents[0].text
    await client.subscribeResource({ uri: 'world://signals' })
    await client.subscribeResource({ uri: 'world://properties/counterTool' })
    const refused = await client.subscribeResource({ uri: 'world://properties/moon' }).catch((error) => error.message)
    await client.callTool({ name: 'counterTool', arguments: { action: 'focus' } })
    const note = [await rung, await read('world://signals'), await read('world://signals'), await read('world://properties/counterTool'), refused]
    say({ type: 'note', text: JSON.stringify(note) })
    say({ type: 'claim', goal: 0, claim: 'gave_up' })`
  const { trace } = await playTrial({
    agent: agentOf(body, 'push'),
    environment: 'even-odd',
    worldParams: { jitterMs: 0 },
    clock: 'wall',
  })
  const notes = recordsOf(trace, 'program').filter(({ what }) => what === 'note')
  expect(new Set(notes.map(({ role }) => role))).toEqual(new Set(['EVEN', 'ODD']))
  for (const { text } of notes) {
    const told: unknown[] = JSON.parse(text)
    const [uri, first, second, properties, refused] = told.map(String)
    expect([uri, second]).toEqual(['world://signals', '[]'])
    expect(JSON.parse(first ?? '')).toMatchObject([{ signal: 'focus.established', payload: { value: 1 } }])
    expect(JSON.parse(properties ?? '')).toMatchObject({ properties: { shared_counter: { value: 1 } } })
    expect(refused).toMatch(/No resource "world:\/\/properties\/moon"/)
  }
  for (const kind of ['focus', 'delivered', 'consumed', 'sync'] as const)
    expect(new Set(recordsOf(trace, kind).map(({ role }) => role))).toEqual(new Set(['ODD', 'EVEN']))
})

test.each([
  ['dies', 'process.exit(7)', /^The program of scripted-program ended with code 7 before its goals were settled\.$/],
  ['is killed', "process.kill(process.pid, 'SIGTERM')", /ended with signal SIGTERM before/],
  ['throws', "throw new Error('Oh no.')", /ended with code 1 before its goals were settled\. \S/],
  [
    'floods with lines',
    "process.stdout.write('{}\\n'.repeat(20000)); await hear()",
    /wrote (100 lines that mean|more than)/,
  ],
  [
    'floods with bytes',
    "for (let i = 0; i < 200; i++) process.stdout.write('x'.repeat(1e5)); await hear()",
    /wrote more than/,
  ],
  ['babbles', "for (;;) { console.log('la'); await new Promise(setImmediate) }", /wrote 100 lines that mean nothing/],
])('a program that %s is an error of the agent, with the reason', async (_what, body, reason) => {
  const { outcome, errors } = await play(body)
  expect([outcome, errors]).toEqual(['agent_error', [expect.stringMatching(reason)]])
})

test('a program that cannot be started is an error of the infrastructure', async () => {
  const agent = { ...agentOf(''), program: { command: ['no-such-program-anywhere'] as const, folder: null } }
  const { outcome, errors } = await playTrial({ agent, environment: 'water-hammer', clock: 'wall' })
  expect([outcome, errors]).toEqual([
    'infrastructure_error',
    ['The program of scripted-program cannot be started: spawn no-such-program-anywhere ENOENT.'],
  ])
})

test('a program that leaves in peace has claimed nothing, and the world judges', async () => {
  const { outcome, claims, errors } = await play('process.exit(0)')
  expect([outcome, claims, errors]).toEqual(['unsolved', [], []])
})

test('lines that are no messages, and claims that make no sense, are noted, and the rest is taken', async () => {
  const { claims, trace } = await play(`
    console.log('Loading …')
    say({ type: 'usage', promptTokens: -1, completionTokens: 0 })
    say({ type: 'claim', goal: 5, claim: 'achieved' })
    say({ type: 'claim', goal: 0, claim: 'gave_up' })`)
  expect(claims).toEqual(['gave_up'])
  expect(recordsOf(trace, 'malformed').map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
    'line: The line is no JSON: Loading …',
    expect.stringMatching(/^line: The line is no message: promptTokens: Too small/),
    'line: There is no goal 5.',
  ])
  expect(recordsOf(trace, 'reported')).toEqual([])
})

test('a program that hangs runs out of time, however far it has come', async () => {
  const { outcome, trace } = await play('setInterval(() => {}, 1000)', { limits: { virtualMs: 1_000 } })
  expect(outcome).toBe('out_of_time')
  expect(recordsOf(trace, 'program').map(({ what }) => what)).toEqual(['started', 'stopped'])
})

test('a program that still runs when its trial ends is killed with all that it has started', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sora-bench-test-')), 'pids')
  // The budget ends the trial when all of them run: a moment that no clock decides.
  const { outcome, trace } = await play(
    `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
     process.on('SIGTERM', () => {})
     require('node:fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid)
     setInterval(() => {}, 1000)
     ${SESSION} for (;;) await ask('tools/call', { name: 'hydraulic_control', arguments: { action: 'power_on_pump' } })`,
    { limits: { operations: 1 } },
  )
  expect(outcome).toBe('out_of_budget')
  expect(recordsOf(trace, 'program').map(({ what }) => what)).toEqual(['started', 'stopped'])
  const pids = readFileSync(file, 'utf8').split(' ').map(Number)
  expect(pids).toHaveLength(2)
  // To be killed takes a moment.
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000)
})

test('who leaves the process group escapes, but holds up nobody', async () => {
  const { outcome, trace } = await play(
    `const options = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }
     const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options)
     process.stdout.write(JSON.stringify({ type: 'note', text: String(child.pid) }) + '\\n', () => process.exit(0))`,
  )
  const said = recordsOf(trace, 'program')
  expect([outcome, said.map(({ what }) => what)]).toEqual(['unsolved', ['started', 'note', 'exited']])
  const escaped = Number(said[1]?.text)
  expect(isAlive(escaped)).toBe(true)
  process.kill(escaped, 'SIGKILL')
})

test('budgets hold for programs as for everybody', async () => {
  const { outcome, trace } = await play(
    `${SESSION} for (;;) await ask('tools/call', { name: 'hydraulic_control', arguments: { action: 'power_on_pump' } })`,
    { limits: { operations: 5 } },
  )
  expect(outcome).toBe('out_of_budget')
  expect(recordsOf(trace, 'operation')).toHaveLength(5)
})

test('on the virtual clock a program is the mistake of the user', async () => {
  await expect(play('', { clock: 'virtual' })).rejects.toThrow(
    'scripted-program is a program of its own: it lives in real time. Add --clock wall, or clock: wall to the suite.',
  )
})
