import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modelsIn, suiteSchema } from '../contract/index.js'
import type { Agent, SuiteInput } from '../contract/index.js'
import { runHeader } from '../run/header.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../run/registry.js'
import { runPlan } from '../run/runner.js'
import { createRun } from '../run/writer.js'
import { cli, scratch } from '../testing/cli.js'

/** Plays scenarios of the water hammer with S-ORA, as it is or with something of it changed under the same name. */
async function play(
  change: (agent: Agent) => Agent = (agent) => agent,
  given: Partial<SuiteInput> = {},
): Promise<string> {
  const [agent, environment, metrics] = await Promise.all([
    loadAgent('s-ora'),
    loadEnvironment('water-hammer'),
    loadMetrics(),
  ])
  const suite = suiteSchema.parse({
    name: 'guard',
    seed: 20_261_101,
    scenarios: 30,
    agents: ['s-ora'],
    environments: ['water-hammer'],
    ...given,
  })
  const definitions = {
    agents: new Map([['s-ora', change(agent)]]),
    environments: new Map([[environment.name, environment]]),
  }
  const plan = planSuite(suite, definitions)
  const folder = scratch()
  const writer = createRun(folder, runHeader('r', suite, plan.trials, { now: new Date(0), traces: 'none' }))
  await runPlan(plan, {
    definitions,
    metrics,
    chats: new Map([...modelsIn(suite)].map(([label, model]) => [label, openModel(model, { env: {} })])),
    writer,
    concurrency: 1,
    signal: new AbortController().signal,
    onTrial: () => {},
  })
  writer.close()
  return folder
}

const withoutGuard = (agent: Agent): Agent => ({
  ...agent,
  run: (context) => agent.run({ ...context, params: { ...context.params, guard: 'off' } }),
})

/** Ends at once, and says nothing. */
const idle = (agent: Agent): Agent => ({ ...agent, run: async () => {} })

let base: string
beforeAll(async () => {
  base = await play()
})

test('two runs of the unchanged suite: no change, exit 0, whatever fails the gate', async () => {
  const candidate = await play()
  const { code, out } = await cli('compare', base, candidate, '--fail-on', 'change')
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining('No change: all 30 trials are identical in outcome, behaviour and figures.'),
  })
})

test('a deliberate change of the guard exits 100 and names case, metric and the first diverging step', async () => {
  // An alarm is news that comes while something else is decided.
  const alarm = {
    scenarios: 10,
    environments: [{ use: 'water-hammer', params: { overpressure: 'both', meltdownAfterMs: 180_000 } }],
  }
  const [guarded, candidate] = [await play((agent) => agent, alarm), await play(withoutGuard, alarm)]
  const page = join(candidate, 'pr.md')
  const { code, err } = await cli('compare', guarded, candidate, '--fail-on', 'change', '-o', page)
  expect(code).toBe(100)
  expect(err).toMatch(
    /^water-hammer\/s-ora\/sim:typical: \d+ of 10 trials changed \(\w+ in \d+.*\); the first difference is step \d+: .* where the base .* \(\d+ trials?/m,
  )
  expect(readFileSync(page, 'utf8')).toContain('The gate fails:')
  expect((await cli('compare', guarded, candidate, '--fail-on', 'never')).code).toBe(0)
})

test('an agent that became worse fails the default gate, in a metric that is named', async () => {
  const candidate = await play(idle)
  const files = ['c.json', 'c.xml'].map((name) => join(candidate, name))
  const { code, err } = await cli('compare', base, candidate, ...files.flatMap((file) => ['-o', file]))
  expect(code).toBe(100)
  expect(err).toMatch(/^water-hammer\/s-ora\/sim:typical: solved is worse \((?:1|0\.\d+) → 0\)\.$/m)
  const [json = '', xml = ''] = files.map((file) => readFileSync(file, 'utf8'))
  expect(JSON.parse(json)).toMatchObject({ version: 1, gate: { failures: [{ metric: 'solved' }] } })
  expect(xml).toMatch(/name="solved"><failure message="water-hammer\/s-ora\/sim:typical: solved is worse \(/)
})

test('too few scenarios for the asked test: what is known is shown, the number needed is said, exit 2', async () => {
  const few = { scenarios: 3 }
  const [some, others] = [await play(undefined, few), await play(idle, few)]
  const { code, out, err } = await cli('compare', some, others)
  expect(code).toBe(2)
  expect(out).toMatch(/3 of 3 deterministic trials changed/)
  expect(err).toMatch(/^3 shared scenarios cannot tell whether .* is worse: at least \d+ are needed\. Run more/)
})

test.each([
  [['--allow', 'everything'], /^"everything" cannot be allowed\. Known: clock, environment-version, /],
  [
    ['-o', 'pr.pdf'],
    /^No comparison can be written to "pr\.pdf": its extension must be one of \.json, \.md, \.xml\.\n$/,
  ],
  [['--agents', 'reakt'], /^No agent named "reakt" in either\. Known: s-ora\.\n$/],
  [['--metrics', 'sovled'], /^No metric named "sovled"\. Known: .*solved, /],
  [['--fail-on', 'anger'], /fail-on/],
])('%j is the user’s mistake: one line, the known values, exit code 2', async (options, message) => {
  const { code, err } = await cli('compare', base, base, ...options)
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

test('a run or baseline that does not exist is named', async () => {
  expect(await cli('compare', 'nowhere', 'nowhere')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^No run "nowhere"\. .*Baselines: /),
  })
})

describe('in a folder of its own', () => {
  const home = process.cwd()
  beforeEach(() => {
    const folder = scratch()
    mkdirSync(folder)
    process.chdir(folder)
  })
  afterEach(() => process.chdir(home))

  const smoke = (folder: string, ...options: string[]) =>
    cli('run', 'smoke', '--traces', 'none', '--out', join('results', folder), ...options)
  const trials = join('results', 'baselines', 'kept', 'trials.jsonl')

  test('a baseline is set, shown, checked, and by an update byte for byte the same again', async () => {
    await smoke('one')
    expect(await cli('baseline', 'set', 'kept', 'one')).toMatchObject({ code: 0 })
    const before = readFileSync(trials, 'utf8')
    expect((await cli('baseline', 'show')).out).toMatch(/^kept +suite smoke, 18 trials, seed 1; water-hammer \d/)
    expect((await cli('baseline', 'show', 'kept')).out).toMatch(/s-ora +3 /)
    expect((await cli('compare', 'kept', 'one', '--fail-on', 'change')).out).toContain('No change: all 18 trials')
    expect((await cli('baseline', 'check', 'kept')).code).toBe(0)
    expect((await cli('baseline', 'update', 'kept')).code).toBe(0)
    expect(readFileSync(trials, 'utf8')).toBe(before)
  })

  test('a check fails on a changed figure, and says how to accept it; the update does', async () => {
    await smoke('one')
    await cli('baseline', 'set', 'kept', 'one')
    const kept = readFileSync(trials, 'utf8')
    writeFileSync(trials, kept.replace('"violated"', '"unsolved"'))
    const { code, err } = await cli('baseline', 'check', 'kept')
    expect(code).toBe(100)
    expect(err).toMatch(/: 1 of 3 trials changed \(the outcome in 1.*\); the first difference is the same steps/)
    expect(err).toContain('npx sora-bench baseline update kept')
    const fresh = /^The fresh run: (.*)$/m.exec(err)?.[1] ?? ''
    expect(readdirSync(fresh)).toContain('traces')
    rmSync(dirname(fresh), { recursive: true })
    expect((await cli('baseline', 'update', 'kept')).code).toBe(0)
    expect(readFileSync(trials, 'utf8')).toBe(kept)
  })

  test('a check without names looks at all baselines, and fails where one of them has changed', async () => {
    await smoke('one', '--scenarios', '2')
    await cli('baseline', 'set', 'kept', 'one')
    await cli('baseline', 'set', 'other', 'one')
    const { code, out } = await cli('baseline', 'check')
    expect([code, out.match(/No change/g)?.length]).toEqual([0, 2])
    writeFileSync(trials, readFileSync(trials, 'utf8').replace('"violated"', '"unsolved"'))
    const changed = await cli('baseline', 'check', 'kept', 'other')
    expect([changed.code, changed.out.match(/No change/g)?.length]).toEqual([100, 1])
    expect((await cli('baseline', 'check', 'kept', 'nope')).err).toMatch(/^No baseline "nope"\. Known: kept, other\./)
    expect(await cli('baseline', 'check', '-o', 'x.md')).toMatchObject({ code: 2 })
  })

  test('a baseline of another version of the environment fails the check with the reason, also in the files that were asked for', async () => {
    await smoke('one')
    await cli('baseline', 'set', 'kept', 'one')
    const header = join('results', 'baselines', 'kept', 'run.json')
    const text = readFileSync(header, 'utf8').replaceAll('"environmentVersion": "', '"environmentVersion": "0.')
    writeFileSync(header, text)
    const { code, err } = await cli('baseline', 'check', 'kept', '-o', 'pr.md', '-o', 'pr.xml')
    expect(code).toBe(100)
    expect(readFileSync('pr.md', 'utf8')).toMatch(
      /^### sora-bench: Nothing was compared\.\n\n.*\n\n.* cannot be compared: the version of the environment differs .*\n$/,
    )
    expect(readFileSync('pr.xml', 'utf8')).toMatch(
      /errors="1".*\n.*\n.*<error message="kept and this checkout cannot be/,
    )
    expect(err).toMatch(
      /cannot be compared: the version of the environment differs \(0\..* in .* and 5 more\. .*--allow environment-version/,
    )
    expect(err).toContain('npx sora-bench baseline update kept')
  })

  test('what cannot be a baseline is refused: a bad name, an unfinished run, no run', async () => {
    await smoke('one')
    expect((await cli('baseline', 'set', '../up', 'one')).err).toMatch(/^"\.\.\/up" cannot name a baseline/)
    expect(existsSync('up')).toBe(false)
    const lines = join('results', 'one', 'trials.jsonl')
    writeFileSync(lines, `${readFileSync(lines, 'utf8').split('\n').slice(0, 7).join('\n')}\n`)
    expect((await cli('baseline', 'set', 'kept', 'one')).err).toMatch(/has 7 of 18 trials\. Finish it with/)
    expect(await cli('baseline', 'check', 'kept')).toMatchObject({
      code: 2,
      err: 'No baseline "kept". Make one with `sora-bench baseline set NAME`.\n',
    })
  })

  test('history shows every run of a folder as a trend, and names what it left out', async () => {
    await smoke('one')
    await smoke('two', '--scenarios', '2')
    mkdirSync(join('results', 'torn'))
    writeFileSync(join('results', 'torn', 'run.json'), '{')
    const { code, out, err } = await cli('history', '--agent', 's-ora', '--metric', 'solved,polls')
    expect(code).toBe(0)
    expect(err).toMatch(/^Left out: "results\/torn" holds no readable run\.json/)
    expect(out).toMatch(/results\/one +\d\/\d +3 .*\n.*results\/two +\d\/\d +2 .*\ntrend/)
    expect(JSON.parse((await cli('history', '--json', '--agent', 's-ora')).out)).toMatchObject([
      { agent: { name: 's-ora' }, runs: [{ scenarios: 3 }, { scenarios: 2 }] },
    ])
    expect((await cli('history', '--metric', 'sovled')).err).toMatch(/^No metric named "sovled"\. Known: /)
    expect((await cli('history', 'nowhere')).err).toMatch(/^There is no run below "nowhere" yet\./)
  })

  test('a run that misses a requirement exits with 100 and a sentence; a mistaken one runs nothing', async () => {
    const agents = ['--agents', 'oracle,do-nothing']
    expect((await smoke('met', ...agents, '--require', 'oracle.solved>=1')).code).toBe(0)
    const { code, err } = await smoke(
      'missed',
      ...agents,
      '--require',
      'do-nothing.solved>=0.5',
      '--require',
      'oracle.solved>=1',
    )
    expect(code).toBe(100)
    expect(err).toMatch(/^do-nothing\.solved>=0\.5 is missed: solved is 0 in water-hammer\/do-nothing\.$/m)
    expect((await smoke('none', ...agents, '--require', 's-ora.solved>=1')).err).toMatch(/names no agent of this run/)
    expect(existsSync(join('results', 'none'))).toBe(false)
  })
})
