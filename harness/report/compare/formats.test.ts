import { expect, test } from 'vitest'
import type { Comparison } from '../../contract/index.js'
import { noColour } from '../../trace/text.js'
import { compare } from './comparison.js'
import { metrics, side, trialsOf } from './fixtures/sides.js'
import { consoleComparison, junitComparison, markdownComparison } from './formats.js'
import { gate } from './gate.js'

const walked = (path: string) => ({ structural: path, full: path, path })
const run = (name: string, solved: number, path: string) =>
  side(
    name,
    trialsOf(40, (scenario) => ({
      metrics: { solved: scenario < solved, polls: 2 },
      behaviour: scenario < solved ? walked('a.x a.y') : walked(path),
    })),
  )

const small = (base: number, candidate: number): Comparison =>
  compare(run('before', base, 'a.x'), run('after|<b>', candidate, 'a.x a.z'), {
    metrics,
    confirmatory: ['solved', 'polls'],
  })

test('Markdown for a pull request: what differs first, the rest folded, names never markup', () => {
  const comparison = small(40, 30)
  const [head = '', ...rest] = markdownComparison(comparison, gate(comparison, 'change')).split('\n\n')
  expect(head).toBe(
    '### sora-bench: 10 of 40 deterministic trials changed; 1 worse among 2 confirmatory metrics of 1 group.',
  )
  expect(rest.slice(0, 7)).toEqual([
    'before (run, 40 trials) → after\\|&lt;b> (run, 40 trials)',
    'The gate fails:',
    [
      '- kettle/react-polling/sim:typical: solved is worse (1 → 0.75).',
      '- kettle/react-polling/sim:typical: 10 of 40 trials changed (solved in 10); the first difference is step 2: calls \\`a.z\\` where the base calls \\`a.y\\` (10 trials).',
    ].join('\n'),
    [
      '| group | metric | n | base | candidate | change \\[95 %\\] | p | verdict |',
      '| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |',
      '| kettle/react-polling/sim:typical | solved | 40 | 100 % | 75 % | -25 pts \\[-40.2, -11.1\\] | – | WORSE |',
    ]
      .join('\n')
      .replaceAll('<', '&lt;'),
    '<details><summary>kettle/react-polling/sim:typical: 10 of 40 trials changed, 1 worse, 1 unchanged</summary>',
    expect.stringContaining('- 10 × step 2: calls'),
    expect.stringContaining('| solved | 40 |'),
  ])
})

test('one of a kind is told as one', () => {
  const one = (name: string, polls: number[]) =>
    side(
      name,
      trialsOf(polls.length, (scenario) => ({ metrics: { polls: polls[scenario] ?? 0 } })),
    )
  const told = (base: number[], candidate: number[]) => {
    const comparison = compare(one('before', base), one('after', candidate), { metrics, confirmatory: ['polls'] })
    const text = consoleComparison(comparison, { columns: 200, colour: noColour })
    return [...text.split('\n').slice(0, 2), ...gate(comparison, 'change').failures.map(({ sentence }) => sentence)]
  }
  expect(told([1], [1])).toEqual([
    'before (run, 1 trial) → after (run, 1 trial)',
    'No change: the only trial is identical in outcome, behaviour and figures.',
  ])
  expect(told([1, 2], [3])).toEqual([
    'before (run, 2 trials) → after (run, 1 trial)',
    '1 of 1 deterministic trial changed; no evidence of a change among 1 confirmatory metric of 1 group.',
    'kettle/react-polling/sim:typical: 1 of 1 trial changed (polls in 1); the first difference is the same steps with other figures: polls (1 trial).',
    'kettle/react-polling/sim:typical: 1 scenario is on one side only, 1 on both.',
  ])
})

test('the console shows a group with its verdicts and the first diverging step', () => {
  const text = consoleComparison(small(40, 30), { columns: 160, colour: noColour })
  expect(text.split('\n').slice(0, 11)).toEqual([
    'before (run, 40 trials) → after|<b> (run, 40 trials)',
    '10 of 40 deterministic trials changed; 1 worse among 2 confirmatory metrics of 1 group.',
    '',
    'kettle/react-polling/sim:typical · 40 scenarios (simulated model)',
    'metric   n   base  candidate           change [95 %]  p  verdict',
    'solved  40  100 %       75 %  -25 pts [-40.2, -11.1]  –  WORSE',
    'polls   40      2          2                       –  –  unchanged',
    expect.stringMatching(/^ {2}10 of 40 trials changed: outcome 0, path 10, solved 10\. Neither react-polling/),
    '  10 × step 2: calls `a.z` where the base calls `a.y`, e.g. kettle/react-polling/sim:typical/30',
    '',
    expect.stringMatching(/^Paired by scenario/),
  ])
})

test('two equal runs are told in one sentence', () => {
  expect(consoleComparison(small(40, 40), { columns: 200, colour: noColour })).toContain(
    '\nNo change: all 40 trials are identical in outcome, behaviour and figures.\n\nPaired by scenario',
  )
})

test('JUnit has a case per confirmatory metric and one for the behaviour; what fails the gate is a failure', () => {
  const comparison = small(40, 30)
  const xml = junitComparison(comparison, gate(comparison, 'change')).split('\n')
  expect(xml.slice(2)).toEqual([
    '  <testsuite name="kettle/react-polling/sim:typical" tests="3" failures="2" errors="0" skipped="0">',
    '    <testcase classname="kettle/react-polling/sim:typical" name="polls"/>',
    '    <testcase classname="kettle/react-polling/sim:typical" name="solved"><failure message="kettle/react-polling/sim:typical: solved is worse (1 → 0.75). WORSE: -25 pts [-40.2, -11.1]"/></testcase>',
    expect.stringMatching(/name="behaviour"><failure message=".*10 of 40 trials changed.*step 2: calls `a\.z`/),
    '  </testsuite>',
    '</testsuites>',
    '',
  ])
})

test('who costs less is told of two runs in all pricings, or in which it depends', () => {
  const spent = (cached: number) =>
    trialsOf(8, () => ({
      metrics: {
        solved: true,
        model_calls: 10,
        prompt_tokens: 20_000 + cached,
        cached_tokens: cached,
        cache_write_tokens: 20_000,
        completion_tokens: 500,
      },
    }))
  const told = (base: number, candidate: number) =>
    consoleComparison(compare(side('a', spent(base)), side('b', spent(candidate)), { metrics }), {
      columns: 400,
      colour: noColour,
    })
  expect(told(20_000, 10_000)).toMatch(/ {2}Billed tokens: cheaper in all pricings \(×0\.\d\d to ×0\.\d\d\)\.\n/)
  expect(told(20_000, 20_000)).not.toContain('Billed tokens')
})
