import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadMetrics } from '../run/registry.js'
import { trialLine } from '../testing/trial-line.js'
import { noColour } from '../trace/text.js'
import { consoleReport } from './console.js'
import { guard, summaryCsv, writeTrialsCsv } from './formats/csv.reporter.js'
import { markdownReport } from './formats/md.reporter.js'
import { notes } from './notes.js'
import { summarise } from './summary.js'
import { comparisonTable, count, duration, oneLine, percent } from './table.js'

const declared = await loadMetrics()

const metrics = {
  solved: true,
  violations: 0,
  model_calls: 12,
  prompt_tokens: 20_000,
  completion_tokens: 1_234,
  billed_tokens: 9_876.5,
  polls: 0,
  empty_polls: 0,
  probes: 0.02,
  syncs: 7,
  resyncs: 0,
  suspended_ms: 22_340,
  makespan_ms: 61_500,
}
const lines = () => [
  trialLine({ agent: 's-ora' }, { metrics }),
  trialLine({ agent: 's-ora', scenario: 1 }, { metrics }),
  trialLine(
    { agent: 'react-polling' },
    { outcome: 'violated', metrics: { ...metrics, solved: false, violations: 1, polls: 9 } },
  ),
  trialLine({ agent: 'react-polling', scenario: 1 }, { outcome: 'infrastructure_error', metrics: {}, error: '=1+1' }),
  trialLine({ agent: 'oracle', model: null }, { metrics: { solved: true, violations: 0 } }),
]
const summary = () => summarise(lines(), { metrics: declared })

test('the console shows every agent, all ways of looking, and what kind of model it was, in 120 columns', () => {
  const text = consoleReport(summary(), { columns: 120, colour: noColour })
  expect(text).toBe(`kettle · model sim:typical · thinking fixed:1000 (simulated model)
agent               n    solved [95 %]   vio-  model  tokens  billed  polls/  probes  syncs  resyncs/    sus-   make-
                                        lated  calls          tokens   empty                 rechecks  pended    span
s-ora               2  100 % [34, 100]    0/2     12  21 234   9 877     0/0    <0.1      7         0  22.3 s  61.5 s
react-polling  2 (1!)      0 % [0, 66]    1/1     12  21 234   9 877     9/0    <0.1      7         0  22.3 s  61.5 s
oracle              1  100 % [21, 100]    0/1      –       –       –       –       –      –         –       –       –

sim: is the simulated model: a parametric reader, not a language model; intervals are Monte-Carlo error of an authored
world.
n counts scenarios, the unit of analysis; [ ] is the Wilson interval at 95 %; violated counts the scenarios with a
violation.
Calls, tokens, billed tokens, polls, empty polls, probes, syncs, resyncs, rechecks and suspended time are means per
scenario; makespan is the median of the solved ones, in virtual time.
Trials that ended in an infrastructure error (n!): 1. They count as not solved, and are left out of everything else.
`)
})

test('nothing is predicted of an agent without a serious exposure, and a second figure stands behind its first', () => {
  const exposed = (serious: number) => ({ ...metrics, 'exposures.serious': serious, 'slips.serious': 1, predicted: 1 })
  const both = [
    trialLine({ agent: 'asked' }, { metrics: exposed(3) }),
    trialLine({ agent: 'never-asked' }, { metrics: exposed(0) }),
  ]
  const [table] = comparisonTable(summarise(both, { metrics: declared }))
  const places = ['predicted', 'exposed/slips', 'polls/empty'].map((title) =>
    table?.columns.findIndex((column) => oneLine(column.title) === title),
  )
  expect(table?.rows.map((row) => places.map((place) => row[place ?? -1]))).toEqual([
    ['100 %', '3/1', '0/0'],
    ['–', '0/1', '0/0'],
  ])
  expect(notes(summarise(both, { metrics: declared }))).toContain(
    'Nothing is predicted for never-asked, without a serious exposure: where such an agent fails, it is for what it cannot do.',
  )
})

test('a narrow terminal gets fewer columns, never a broken line', () => {
  for (const columns of [120, 80, 60]) {
    const widths = consoleReport(summary(), { columns, colour: noColour })
      .split('\n')
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  }
  const [, , head, below] = consoleReport(summary(), { columns: 60, colour: noColour }).split('\n')
  expect([head, below]).toEqual([
    'agent               n    solved [95 %]   vio-  model  billed',
    '                                        lated  calls  tokens',
  ])
})

test('a narrow terminal says which columns it leaves out, and a wide one leaves out none', () => {
  const [, said] =
    /^(Left out [^]*?has all columns\.)$/m.exec(consoleReport(summary(), { columns: 60, colour: noColour })) ?? []
  expect(said?.replaceAll('\n', ' ')).toBe(
    "Left out where the terminal is too narrow: tokens, polls/empty, probes, syncs, resyncs/rechecks, suspended, makespan. The run's report.md has all columns.",
  )
  expect(consoleReport(summary(), { columns: 120, colour: noColour })).not.toContain('Left out')
})

test('report.md names the run, the tables, the outcomes and the notes, and no name becomes markup', () => {
  const text = markdownReport(
    summarise([...lines().slice(2, 4), trialLine({ agent: '<b>|`x`', model: 'm' })], { metrics: declared }),
    {
      title: 'Run a_b',
      facts: [['seed', '1']],
      codebook: 'codebook.md',
    },
  )
  expect(text).toBe(String.raw`# Run a\_b

| run |  |
| --- | --- |
| seed | 1 |

## kettle · thinking fixed:1000 (simulated model)

Version 1, parameters: ${'`{"litres":1}`'}

| agent | model | n | solved \[95 %\] | violated | model calls | tokens | billed tokens | polls/empty | probes | syncs | resyncs/rechecks | suspended | makespan |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| react-polling | sim:typical | 2 (1!) | 0 % \[0, 66\] | 1/1 | 12 | 21 234 | 9 877 | 9/0 | &lt;0.1 | 7 | 0 | 22.3 s | 61.5 s |
| &lt;b>\|${'\\`x\\`'} | m | 1 | 100 % \[21, 100\] | 0/1 | 4 | – | – | – | – | – | – | – | 12 s |

### Outcomes (trials)

| agent | model | trials | solved | violated | infrastructure error |
| --- | --- | --- | --- | --- | --- |
| react-polling | sim:typical | 2 | 0 | 1 | 1 |
| &lt;b>\|${'\\`x\\`'} | m | 1 | 1 | 0 | 0 |

## Notes

- sim: is the simulated model: a parametric reader, not a language model; intervals are Monte-Carlo error of an authored world.
- n counts scenarios, the unit of analysis; \[ \] is the Wilson interval at 95 %; violated counts the scenarios with a violation.
- Calls, tokens, billed tokens, polls, empty polls, probes, syncs, resyncs, rechecks and suspended time are means per scenario; makespan is the median of the solved ones, in virtual time.
- Trials that ended in an infrastructure error (n!): 1. They count as not solved, and are left out of everything else.
- All metrics are defined in the [codebook](codebook.md).
`)
})

test('no cell holds what a terminal would obey, and lines stay lines', () => {
  expect(guard('\u001B]0;title\u0007a\u009Bb\r\nc\td')).toBe(']0;titleab \nc\td')
  expect(guard('\u001B=1+1')).toBe("'=1+1")
})

test('cells that a spreadsheet would compute are guarded, and numbers are not', () => {
  expect(['=1+1', '+SUM(A1)', '-x', '@cmd', '\tx', '-5', '+1.5e3', 'a=b', '', -5, true, null].map(guard)).toEqual([
    "'=1+1",
    "'+SUM(A1)",
    "'-x",
    "'@cmd",
    "'\tx",
    '-5',
    '+1.5e3',
    'a=b',
    '',
    '-5',
    'true',
    '',
  ])
})

test('trials.csv holds the union of all metrics, and summary.csv a row per group and measure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  const path = join(folder, 'trials.csv')
  await writeTrialsCsv(path, lines)
  const [head = '', , , , broken = '', oracle = ''] = readFileSync(path, 'utf8').split('\n')
  expect(head).toBe(
    'id,environment,environment_version,environment_params,scenario,seed,agent,agent_version,agent_params,model,replica,clock,thinking,outcome,error,billed_tokens,completion_tokens,empty_polls,makespan_ms,model_calls,polls,probes,prompt_tokens,resyncs,solved,suspended_ms,syncs,violations',
  )
  expect([broken, oracle]).toEqual([
    `kettle/react-polling/sim:typical/0,kettle,1,"{""litres"":1}",1,seed-1,react-polling,1,{},sim:typical,0,virtual,fixed:1000,infrastructure_error,'=1+1,,,,,,,,,,,,,`,
    'kettle/react-polling/sim:typical/0,kettle,1,"{""litres"":1}",0,seed-0,oracle,1,{},,0,virtual,fixed:1000,solved,,,,,,,,,,,true,,,0',
  ])
  const rows = summaryCsv(summary()).trimEnd().split('\n')
  expect(rows.slice(0, 4)).toEqual([
    'environment,environment_version,environment_params,agent,agent_version,agent_params,model,thinking,trials,scenarios,infrastructure_errors,measure,unit,better,n,missing,events,mean,low,high,upper,median,p90',
    'kettle,1,"{""litres"":1}",s-ora,1,{},sim:typical,fixed:1000,2,2,0,rate:solved,share,higher,2,0,2,1,0.34238022750665315,1,1,,',
    'kettle,1,"{""litres"":1}",s-ora,1,{},sim:typical,fixed:1000,2,2,0,rate:violated,share,lower,2,0,0,0,0,0.6576197724933469,0.776393202250021,,',
    'kettle,1,"{""litres"":1}",s-ora,1,{},sim:typical,fixed:1000,2,2,0,billed_tokens,tokens,lower,2,0,,9876.5,,,,9876.5,9876.5',
  ])
  rmSync(folder, { recursive: true })
})

test('many batches of rows stand under one header without blank lines, and no row leaves a header', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  const path = join(folder, 'trials.csv')
  const many = Array.from({ length: 2_100 }, (_, scenario) => trialLine({ scenario }))
  await writeTrialsCsv(path, () => many)
  const rows = readFileSync(path, 'utf8').split('\n')
  expect([rows.length, rows.filter((row) => row.startsWith('id,')).length, rows.indexOf('')]).toEqual([2_102, 1, 2_101])
  await writeTrialsCsv(path, () => [])
  expect(readFileSync(path, 'utf8')).toMatch(/^id,[a-z_,]+,outcome,error\n$/)
  rmSync(folder, { recursive: true })
})

test('numbers for people never round something to nothing or to all', () => {
  expect([0, 0.02, 0.25, 99.96, 21_234.6, null].map(count)).toEqual(['0', '<0.1', '0.3', '100', '21 235', '–'])
  expect([0, 20, 1_240, 3_600_000, null].map(duration)).toEqual(['0 s', '<0.1 s', '1.2 s', '3 600 s', '–'])
  expect([0, 0.001, 0.5, 0.999, 1, null].map(percent)).toEqual(['0 %', '<1 %', '50 %', '>99 %', '100 %', '–'])
})
