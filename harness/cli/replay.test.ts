import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { simulatedFetch } from '../reader/endpoint.js'
import { startChatServer } from '../testing/chat-server.js'
import { cli, scratch } from '../testing/cli.js'
import { readTrace, writeTrace } from '../trace/file.js'

const folder = scratch()
const trial = 'water-hammer/react-sync/sim:typical/0'
const file = join(folder, 'traces', 'water-hammer', 'react-sync', 'sim_typical', '0.jsonl.gz')

const replay = (...argv: string[]) => cli('replay', ...argv, '--run', folder)

// A core that cools within a tick: nothing but the ramp stands between a blind agent and its goal.
beforeAll(async () => {
  await cli('run', 'smoke', '--agents', 'react-sync,s-ora,oracle', '--param', 'coolingRate=0.95', '--out', folder)
})

test('an identical trial is told so, as a sentence and as JSON, and exits 0', async () => {
  const { code, out } = await replay(trial)
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^${trial} is identical: all \\d+ records are reproduced\\.\\n$`)),
  })
  const json = await replay('oracle/1', '--json')
  expect({ code: json.code, result: JSON.parse(json.out) }).toEqual({
    code: 0,
    result: {
      trial: 'water-hammer/oracle/1',
      identical: true,
      records: expect.any(Number),
      divergence: null,
      versions: null,
    },
  })
})

test('every trial of a run is played again and counted; one that was tampered with exits 100 and is named', async () => {
  const fine = await replay('--all')
  expect({ code: fine.code, out: fine.out }).toEqual({ code: 0, out: '9 of 9 trials identical\n' })
  expect(fine.err).toMatch(/9\/9 trials played · 9 identical\n$/)

  const untouched = `${file}.untouched`
  copyFileSync(file, untouched)
  const { trace } = await readTrace(file)
  const n = trace.findIndex(({ kind }) => kind === 'acknowledgement')
  writeTrace(
    file,
    trace.map((record) =>
      record.kind === 'acknowledgement' && record.n === n ? { ...record, message: 'Yes.' } : record,
    ),
  )
  const one = await replay(trial)
  expect(one.code).toBe(100)
  expect(one.out.split('\n')).toEqual([
    expect.stringMatching(
      new RegExp(`^${trial} differs\\. Record ${n} \\(acknowledgement, .*: \`message\` differs\\.$`),
    ),
    '  recorded  Yes.',
    '  now       Signed in. Clearance granted.',
    '',
  ])
  const all = await replay('--all')
  expect(all.code).toBe(100)
  expect(all.out).toBe(
    `${one.out}  again:    npx sora-bench replay "${trial}" --run ${folder}\n8 of 9 trials identical\n`,
  )
  const json = JSON.parse((await replay('--all', '--json')).out)
  expect(json).toMatchObject({ trials: 9, played: 9, identical: 8, untraced: 0, differing: [{ trial }] })
  copyFileSync(untouched, file)
})

test('a run without traces cannot be played again', async () => {
  const bare = scratch()
  await cli('run', 'smoke', '--agents', 'oracle', '--traces', 'none', '--out', bare)
  const { code, err } = await cli('replay', '--all', '--run', bare)
  expect({ code, err }).toEqual({ code: 2, err: `${bare} kept no traces. Run again with --traces all.\n` })
})

test('a hammered trial with a shorter ramp is solved, shown side by side', async () => {
  const { code, out } = await replay(trial, '--param', 'rampMs=1000')
  expect(code).toBe(0)
  const [titles] = out.split('\n')
  expect(titles).toMatch(
    /^recorded: water-hammer\/react-sync.* │ what if rampMs = 1000 \(was null\), live from the start$/,
  )
  expect(out).toMatch(/open_valve → harmed: .* │ .*open_valve → accepted: Valve open\./)
  expect(out).toMatch(/\nsolved instead of violated\n$/)
  const json = JSON.parse((await replay(trial, '--param', 'water-hammer.rampMs=1000', '--json')).out)
  expect(json).toMatchObject({
    trial,
    changes: ['rampMs = 1000 (was null)'],
    from: 'the start',
    recordedCalls: 0,
    verdict: 'solved instead of violated',
    firstDifference: { kind: 'change' },
    recorded: { verdict: 'violated', identity: { scenario: { params: { rampMs: null } } } },
    whatIf: { verdict: 'solved', identity: { scenario: { params: { rampMs: 1_000 } } } },
  })
})

test('another agent plays the scenario from the start, another model goes on from a step', async () => {
  const agent = await replay(trial, '--agent', 's-ora', '--model', 'sim:careful')
  expect(agent.out).toContain('│ what if s-ora (was react-sync), model sim:careful (was sim:typical)')
  expect(agent.out).toMatch(/\nsolved instead of violated\n$/)
  const control = await replay(trial, '--agent', 'oracle')
  expect(control.out).toMatch(/\nsolved instead of violated\n$/)
  const model = JSON.parse((await replay(trial, '--from', '3s', '--model', 'sim:careful', '--json')).out)
  expect(model).toMatchObject({ recordedCalls: 3, whatIf: { identity: { model: 'sim:careful' } } })
  expect(model.firstDifference.at).toBeGreaterThanOrEqual(3_000)
})

test.each([
  [[], /^Name a trial, or play every trial of a run again with --all\.\n$/],
  [[trial, '--all', '--from', '3'], /^--all proves every trial of a run: leave out the trial ".*", --from\.\n$/],
  [['nobody/0'], /^No trial "nobody\/0" in /],
  [[trial, '--from', 'x'], /^"x" is no step\./],
  [[trial, '--from', '3', '--agent', 's-ora'], /^s-ora cannot go on with the memory of react-sync/],
  [['oracle/0', '--from', '3'], /^oracle asked no model, so there are no answers to keep\. Leave out --from\.\n$/],
  [['oracle/0', '--agent', 's-ora'], /^oracle asked no model, and s-ora does\. Name one with --model/],
  [[trial, '--agent', 'oracle', '--model', 'sim:careful'], /^oracle asks no model\. Leave out --model\.\n$/],
  [[trial, '--param', 'ramp=1'], /^No parameter "ramp" in "ramp=1"\. Known: .*water-hammer\.rampMs/],
  [[trial, '--param', 'rampMs=-1'], /^Parameters of water-hammer do not fit: rampMs = -1/],
  [[trial, '--model', 'sim:wise'], /"wise".*careful/],
  [
    [trial, '--from', '12s', '--param', 'rampMs=1000'],
    /^The past before 12s cannot be kept\. Call 8 \(turn\) is asked otherwise .*\n {2}recorded .*\n {2}now .*\nParameters act from the start of the world\./,
  ],
])('%j is a mistake in the input: exit 2', async (argv, message) => {
  const { code, err } = await replay(...argv)
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

test('a real model is asked only after a confirmation, for the future alone, and goes on from the recorded past', async () => {
  const server = await startChatServer([], async (body) => {
    const answer = await simulatedFetch()('http://x/v1/chat/completions', {
      body: JSON.stringify({ ...body, model: 'sim:typical' }),
    })
    return { status: answer.status, body: await answer.text() }
  })
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  const argv = [trial, '--from', '3s', '--model', 'far-away']
  const refused = await replay(...argv)
  expect({ code: refused.code, asked: server.received.length }).toEqual({ code: 2, asked: 0 })
  expect(refused.err).toMatch(/need a confirmation: run again with --yes\.\n$/)
  const { code, out } = await replay(...argv, '--yes', '--json')
  vi.unstubAllEnvs()
  await server.close()
  const { recorded, whatIf, firstDifference, verdict } = JSON.parse(out)
  expect({ code, verdict }).toEqual({ code: 0, verdict: 'violated, as before' })
  // The same reader behind another name: nothing but the name is new, and that from the fourth call on.
  expect(whatIf.told).toEqual(recorded.told)
  expect(firstDifference).toMatchObject({ kind: 'request', field: 'model', recorded: 'sim:typical', now: 'far-away' })
  expect(firstDifference.at).toBeGreaterThanOrEqual(3_000)
  expect(server.received).toHaveLength(
    recorded.told.filter(({ text }: { text: string }) => /^call \d/.test(text)).length - 3,
  )
})
