import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { TrialLine } from '../contract/index.js'
import { headerSchema } from '../run/header.js'
import { tracePath } from '../run/store.js'
import { cli, scratch } from '../testing/cli.js'
import { lamp, outside } from '../testing/plug-in-files.js'
import { readTrace } from '../trace/file.js'

afterEach(() => vi.restoreAllMocks())

const linesOf = (folder: string): TrialLine[] =>
  readFileSync(join(folder, 'trials.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): TrialLine => JSON.parse(line))
const headerOf = (folder: string) => headerSchema.parse(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')))

/** Who did what with which outcome, once each. */
const outcomes = (folder: string): string[] => [
  ...new Set(
    linesOf(folder).map(({ identity, outcome }) => `${identity.scenario.environment} ${identity.agent} ${outcome}`),
  ),
]

/** As if the shell stood in that folder. */
const standIn = (folder: string) => vi.spyOn(process, 'cwd').mockReturnValue(folder)

const presser = `import { defineAgent, z } from 'sora-bench'
export default defineAgent({
  name: 'presser', version: '1', summary: 'Presses.', surface: 'act', usesModel: false,
  params: z.object({ times: z.int().min(1).default(1).describe('How often.') }),
  async run({ open, params, pause }) {
    const door = await open('press')
    for (let time = 0; time < params.times; time++) await door.call('lamp', { action: 'press' })
    await pause(60_000)
  },
})`

const brief = ['run', 'smoke', '--agents', 'oracle,do-nothing', '--scenarios', '1']

test('an environment outside of the repository runs by its path, and the run says which file it was', async () => {
  const folder = outside({ 'lamp.env.ts': lamp() })
  const file = join(folder, 'lamp.env.ts')
  const out = scratch()
  expect((await cli(...brief, '--environments', file, '--out', out)).code).toBe(0)
  expect(outcomes(out)).toEqual(['lamp oracle solved', 'lamp do-nothing unsolved'])
  const { versions, plugins } = headerOf(out)
  expect(plugins).toEqual([file])
  expect(versions).toEqual({
    'do-nothing': '1',
    lamp: expect.stringMatching(/^1 \(lamp\.env\.ts sha256:[0-9a-f]{16}\)$/),
    oracle: '1',
  })
})

test.each(['lamp.env.ts', 'lamp/lamp.env.ts', 'environments/lamp.env.ts', 'environments/lamp/lamp.env.ts'])(
  'the name alone finds %s in the working directory',
  async (place) => {
    standIn(outside({ [place]: lamp() }))
    const out = scratch()
    expect((await cli(...brief, '--environments', 'lamp', '--out', out)).code).toBe(0)
    expect(outcomes(out)).toEqual(['lamp oracle solved', 'lamp do-nothing unsolved'])
  },
)

test('a suite names files by their place beside it, else in the working directory, and the command line by their names', async () => {
  const suite = `name: mine
seed: 1
scenarios: 1
agents: [{ use: ./presser.agent.ts, params: { times: 2 } }, oracle]
environments: [{ use: ../lamp.env.ts, grid: { delayMs: [5, 6] } }, ./here.env.ts, water-hammer]
`
  const folder = outside({ 'lamp.env.ts': lamp(), 'suites/mine.suite.yaml': suite, 'suites/presser.agent.ts': presser })
  standIn(outside({ 'here.env.ts': lamp({ name: 'here' }) }))
  const path = join(folder, 'suites/mine.suite.yaml')
  const out = scratch()
  expect((await cli('run', path, '--out', out)).code).toBe(0)
  expect(linesOf(out).map(({ identity, outcome }) => `${identity.id} ${outcome}`)).toEqual([
    'lamp[delayMs=5]/presser/0 solved',
    'lamp[delayMs=5]/oracle/0 solved',
    'lamp[delayMs=6]/presser/0 solved',
    'lamp[delayMs=6]/oracle/0 solved',
    'here/presser/0 solved',
    'here/oracle/0 solved',
    'water-hammer/presser/0 unsolved',
    'water-hammer/oracle/0 solved',
  ])
  const one = scratch()
  await cli('run', path, '--agents', 'presser', '--environments', 'lamp', '--param', 'presser.times=3', '--out', one)
  expect(linesOf(one).map(({ identity }) => [identity.id, identity.agentParams])).toEqual([
    ['lamp[delayMs=5]/presser/0', { times: 3 }],
    ['lamp[delayMs=6]/presser/0', { times: 3 }],
  ])
  // What the run does not use, it does not need.
  expect(headerOf(one).plugins).toEqual([join(folder, 'lamp.env.ts'), join(folder, 'suites/presser.agent.ts')])
})

test('a run with plug-ins is resumed, replayed and asked “what if” from anywhere', async () => {
  const folder = outside({ 'lamp.env.ts': lamp() })
  const out = scratch()
  await cli('run', 'smoke', '--environments', join(folder, 'lamp.env.ts'), '--scenarios', '1', '--out', out)
  const whole = readFileSync(join(out, 'trials.jsonl'), 'utf8')
  writeFileSync(join(out, 'trials.jsonl'), `${whole.split('\n').slice(0, 2).join('\n')}\n`)
  expect((await cli('run', '--resume', out)).code).toBe(0)
  expect(readFileSync(join(out, 'trials.jsonl'), 'utf8')).toBe(whole)
  const again = await cli('replay', '--all', '--run', out)
  expect(again).toMatchObject({ code: 0, out: '6 of 6 trials identical\n' })
  expect((await cli('replay', 's-ora/sim:typical/0', '--run', out, '--param', 'delayMs=2')).code).toBe(0)
  const file = `${join(out, 'traces', 'lamp', 'oracle', '0')}.jsonl.gz`
  expect((await cli('replay', file)).out).toMatch(/^lamp\/oracle\/0 is identical/)
})

test('resume, compare and replay notice that a file has changed although its version is the same', async () => {
  const folder = outside({
    'lamp.env.ts': lamp({ imports: "import { watts } from './watts.js'", setUp: 'void watts' }),
    'watts.ts': 'export const watts: number = 5\n',
  })
  const argv = [...brief, '--environments', join(folder, 'lamp.env.ts'), '--out']
  const [before, after] = [scratch(), scratch()]
  await cli(...argv, before)
  appendFileSync(join(folder, 'watts.ts'), '// Brighter.\n')
  const resumed = await cli('run', '--resume', before)
  expect(resumed.code).toBe(2)
  expect(resumed.err).toMatch(
    /^The run was made with other versions: lamp: "1 \(lamp\.env\.ts sha256:\w{16}\)" → "1 \(lamp\.env\.ts sha256:\w{16}\)"\./,
  )
  await cli(...argv, after)
  const compared = await cli('compare', before, after)
  expect(compared.code).toBe(2)
  expect(compared.err).toMatch(/the version of the environment differs \(1 \(lamp\.env\.ts sha256:\w+\) → /)
  expect((await cli('replay', 'oracle/0', '--run', before)).out).toMatch(
    /written by another version: lamp 1 \(lamp\.env/,
  )
})

test.each([
  ['at set-up', { setUp: "throw new Error('Broken on purpose.')" }],
  ['in a tick', { tick: "throw new Error('Broken on purpose.')" }],
  ['in an operation', { body: "throw new Error('Broken on purpose.')" }],
  ['when asked for its roles', { roles: "{ throw new Error('Broken on purpose.') }" }],
  ['when asked for its goal', { reached: "(() => { throw new Error('Broken on purpose.') })()" }],
])(
  'an environment that throws %s ends its trial with the stack in the trace, and the run goes on',
  async (_, parts) => {
    const folder = outside({ 'lamp.env.ts': lamp(parts), 'sound.env.ts': lamp({ name: 'sound' }) })
    const both = ['lamp', 'sound'].map((name) => join(folder, `${name}.env.ts`)).join(',')
    const out = scratch()
    const run = await cli(
      'run',
      'smoke',
      '--agents',
      'oracle',
      '--scenarios',
      '2',
      '--environments',
      both,
      '--out',
      out,
    )
    expect(run.code).toBe(3)
    expect(linesOf(out).map(({ identity, outcome, error }) => [identity.id, outcome, error])).toEqual([
      ['lamp/oracle/0', 'infrastructure_error', 'Broken on purpose.'],
      ['lamp/oracle/1', 'infrastructure_error', 'Broken on purpose.'],
      ['sound/oracle/0', 'solved', null],
      ['sound/oracle/1', 'solved', null],
    ])
    const { trace } = await readTrace(tracePath(out, { id: 'lamp/oracle/0' }))
    const [error] = trace.filter((record) => record.kind === 'error')
    expect(error?.stack).toContain(`${join(folder, 'lamp.env.ts')}:`)
  },
)

test('a plug-in is described by its path and by its name', async () => {
  const folder = outside({ 'lamp.env.ts': lamp() })
  const byPath = await cli('describe', join(folder, 'lamp.env.ts'))
  expect(byPath.out).toMatch(/^.*lamp.* \(environment, version 1 \(lamp\.env\.ts sha256:\w+\)\): A lamp\./)
  standIn(folder)
  expect(await cli('describe', 'lamp')).toEqual(byPath)
})

test('a suite of the working directory is found by its name, and a name of the house stays its own', async () => {
  const suite = (name: string) =>
    `name: ${name}\nseed: 1\nscenarios: 1\nagents: [oracle]\nenvironments: [./lamp.env.ts]\n`
  standIn(
    outside({
      'suites/mine.suite.yaml': suite('mine'),
      'suites/lamp.env.ts': lamp(),
      'smoke.suite.yaml': suite('smoke'),
    }),
  )
  const [mine, smoke] = [scratch(), scratch()]
  expect((await cli('run', 'mine', '--out', mine)).code).toBe(0)
  expect(outcomes(mine)).toEqual(['lamp oracle solved'])
  expect((await cli('run', 'smoke', '--agents', 'oracle', '--scenarios', '1', '--out', smoke)).code).toBe(0)
  expect(outcomes(smoke)).toEqual(['water-hammer oracle solved'])
})

test('what a suite names and nobody knows is told with its place, unless the command line names another', async () => {
  const text = 'name: mine\nseed: 1\nscenarios: 1\nagents: [oracle, reakt]\nenvironments: [water-hammer]\n'
  standIn(outside({ 'mine.suite.yaml': text }))
  const { code, err } = await cli('run', 'mine', '--out', scratch())
  expect([code, err]).toEqual([2, expect.stringMatching(/^mine: agents\.1: No agent named "reakt"\. Known: .*\n$/)])
  expect((await cli('run', 'mine', '--agents', 'oracle', '--out', scratch())).code).toBe(0)
})

const metric = (name: string, shown = '') => `import { defineMetric } from 'sora-bench'
export default defineMetric({
  name: '${name}', unit: 'count', better: 'lower', summary: 'How often the lamp was pressed.', source: 'our own', ${shown}
  of: (trace) => trace.filter(({ kind }) => kind === 'operation').length,
})`
const reporter = `import { defineReporter } from 'sora-bench'
export default defineReporter({
  name: 'txt', summary: 'Plain words',
  run: ({ summary }) => summary.groups.map(({ agent, metrics }) => agent.name + ' ' + metrics.presses?.mean).join(', '),
  comparison: ({ comparison }) => comparison.groups.map(({ label, metrics }) =>
    label + ' ' + metrics.filter(({ column }) => column === 'presses').map(({ base, candidate, unit }) => [base, candidate, unit])).join(', '),
})`
const files = {
  'lamp.env.ts': lamp(),
  'presser.agent.ts': presser,
  'mine.suite.yaml':
    'name: mine\nseed: 1\nscenarios: 2\nagents: [{ use: ./presser.agent.ts, grid: { times: [1, 3] } }, do-nothing]\nenvironments: [./lamp.env.ts]\nmetrics: [./presses.metric.ts]\n',
  'presses.metric.ts': metric(
    'presses',
    "shown: { heading: 'times\\npressed', place: 200, importance: 9, charts: ['agents', 'curve'], confirmatory: true },",
  ),
  'txt.reporter.ts': reporter,
}

test('an agent, a world, a suite, a metric and a reporter of one’s own, each one file, are at work in a run and a comparison', async () => {
  const folder = outside(files)
  const [txt, out, again] = [join(folder, 'out.txt'), scratch(), scratch()]
  const mine = ['run', join(folder, 'mine.suite.yaml'), '--traces', 'all']
  const own = ['--reporter', join(folder, 'txt.reporter.ts'), '-o', txt]
  const { code, out: table, err } = await cli(...mine, ...own, '--out', out, '--require', 'do-nothing.presses>=1')
  expect([code, err]).toEqual([100, expect.stringContaining('do-nothing.presses>=1 is missed: presses is 0 in lamp/')])
  expect(table).toMatch(/ times\n.* pressed/)
  expect(table).toMatch(/presser times=3 .* 3\n/)
  expect(table).toMatch(/suspended time and times pressed are\s+means per scenario/)
  expect(readFileSync(txt, 'utf8')).toBe('presser 1, presser 3, do-nothing 0')
  const file = (name: string) => readFileSync(join(out, name), 'utf8')
  expect(file('report.md')).toMatch(/\| makespan \| times pressed \|\n/)
  expect(file('trials.csv').split('\n')[0]).toContain(',presses,')
  expect(file('summary.csv')).toMatch(/,presser,.*,presses,count,lower,2,0,,3,/)
  expect(file('report.html')).toMatch(/<figcaption>Times pressed [^]*<figcaption>Times pressed along times /)
  expect(file('codebook.md')).toContain('| `presses` | count | lower | How often the lamp was pressed. | our own |')
  expect(JSON.parse(file('summary.json'))).not.toHaveProperty('metrics')
  const { plugins, graders } = headerOf(out)
  expect(plugins).toEqual(['lamp.env.ts', 'presser.agent.ts', 'presses.metric.ts'].map((name) => join(folder, name)))
  expect(graders['presses']).toMatch(/^1 \(presses\.metric\.ts sha256:\w{16}\)$/)

  expect((await cli('run', '--resume', out)).code).toBe(0)
  await cli(...mine, '--param', 'presser.times=2', '--out', again)
  const compared = await cli('compare', out, again, '--allow', 'agent-params', ...own)
  expect(compared.out).toMatch(/\npresses +2 +3 +2 /)
  expect(readFileSync(txt, 'utf8')).toMatch(/^lamp\/presser\S* 3,2,count/)
})

test('a metric that came later is measured in an old run, from its traces', async () => {
  const folder = outside({
    ...files,
    'late.metric.ts': metric('late', "shown: { heading: 'late', place: 5, importance: 0 },"),
  })
  const out = scratch()
  await cli('run', join(folder, 'mine.suite.yaml'), '--agents', 'oracle', '--scenarios', '1', '--out', out)
  expect((await cli('report', out)).out).toMatch(/agent +n +solved/)
  const { code, out: table } = await cli('report', out, '--metric', join(folder, 'late.metric.ts'))
  expect(code).toBe(0)
  expect(table).toMatch(/agent +n +late +solved/)
  expect(readFileSync(join(out, 'trials.csv'), 'utf8').split('\n')[0]).toContain(',late,')
  expect(linesOf(out)[0]?.metrics).not.toHaveProperty('late')
})

test.each([
  ['a metric that is no file', ['--metric', 'solved'], 'There is no metric file "solved.metric.ts" here.'],
  [
    'a metric of a taken name',
    ['--metric', './polls.metric.ts'],
    '/polls.metric.ts" has a metric "polls", and so has sora-bench.',
  ],
  [
    'a metric without its parts',
    ['--metric', './bare.metric.ts'],
    'default-exports no metric: missing or of the wrong kind: unit (a text)',
  ],
  [
    'a reporter without a file to write',
    ['--reporter', './txt.reporter.ts'],
    'The reporter "txt" has nothing to write: add -o FILE.txt.',
  ],
  [
    'a reporter that knows no runs',
    ['--reporter', './diff.reporter.ts', '-o', 'a.diff'],
    'No report can be written to "a.diff": its extension must be one of .csv,',
  ],
])('%s is refused before the run starts', async (_, argv, sentence) => {
  standIn(
    outside({
      ...files,
      'polls.metric.ts': metric('polls'),
      'bare.metric.ts':
        "export default { name: 'bare', better: 'lower', summary: 'No unit.', source: 'our own', of: () => 1 }",
      'diff.reporter.ts': "export default { name: 'diff', summary: 'Differences', comparison: () => '' }",
    }),
  )
  const folder = scratch()
  const { code, err } = await cli(...brief, ...argv, '--out', folder)
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  expect(existsSync(folder)).toBe(false)
})
