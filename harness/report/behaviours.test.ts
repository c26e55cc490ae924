import { expect, test } from 'vitest'
import { trialLine } from '../testing/trial-line.js'
import { noColour } from '../trace/text.js'
import { behaviourSentences, createBehaviourTally } from './behaviours.js'
import { consoleReport } from './console.js'
import { markdownReport } from './formats/md.reporter.js'
import { summarise } from './summary.js'

const trial = (scenario: number, path: string | null) =>
  trialLine(
    { scenario, id: `kettle/s-ora/${scenario}` },
    { behaviour: path === null ? null : { structural: `s ${path}`, full: `f ${scenario}`, path } },
  )
const summaryOf = (paths: (string | null)[]) =>
  summarise(
    paths.map((path, index) => trial(index, path)),
    { metrics: [] },
  )
const sentences = (paths: (string | null)[]) => summaryOf(paths).groups.flatMap(behaviourSentences)

test('most trials take one path, and every other path is told by its first diverging step', () => {
  const common = 'a.x*2 b.y | c.z'
  const paths = [common, common, 'a.x*2 read_properties', common, 'a.x*2 read_properties', `${common} sleep`, null]
  expect(sentences(paths)).toEqual([
    '3 of 6 trials take the same path: a.x*2 b.y | c.z',
    '2 differ at step 3: reads properties where the common path calls `b.y` (kettle/s-ora/2, kettle/s-ora/4)',
    '1 differs at step 5: sleeps where the common path ends (kettle/s-ora/5)',
  ])
})

test('many paths are counted, a few of them and of their trials named, and chance alone is not spelled out', () => {
  const many = ['a', 'a', ...Array.from({ length: 40 }, (_, index) => `a b${index % 8}`)]
  expect(sentences(many)).toEqual([
    '5 of 42 trials take the same path: a b0',
    ...[1, 2, 3, 4, 5].map(
      (index) =>
        `5 differ at step 2: calls \`b${index}\` where the common path calls \`b0\` (kettle/s-ora/${index + 2}, kettle/s-ora/${index + 10}, kettle/s-ora/${index + 18}, …)`,
    ),
    'and 3 more paths',
  ])
  expect(sentences(['a', 'b', 'c'])).toEqual(['no two of 3 trials take the same path'])
  expect(sentences([''])).toEqual(['one trial: no call'])
  expect(sentences([null, null])).toEqual([])
})

test('report.md has a section of behaviours in which no name becomes markup, and the console a line of counts', () => {
  const summary = summaryOf(['a', 'a', 'b<i>'])
  expect(markdownReport(summary, { title: 't', facts: [], codebook: 'c.md' })).toContain(
    [
      '### Behaviours',
      '',
      '- react-polling: 2 of 3 trials take the same path: a',
      '  - 1 differs at step 1: calls \\`b&lt;i>\\` where the common path calls \\`a\\` (kettle/s-ora/2)',
      '',
    ].join('\n'),
  )
  expect(consoleReport(summary, { colour: noColour })).toContain(
    'Distinct paths of calls per trials: react-polling 2/3.\n',
  )
  expect(consoleReport(summaryOf([null]), { colour: noColour })).not.toContain('Distinct paths')
})

test('trials fall into their distinct behaviours, each told from the most frequent one', () => {
  const tally = createBehaviourTally()
  expect(tally.behaviours()).toBe(null)
  for (const [index, path] of ['a b', 'a c', 'a b', 'a b | c', 'a b', 'a c', 'a b'].entries())
    tally.add(trial(index, path))
  expect(tally.behaviours()).toEqual({
    trials: 7,
    distinct: 3,
    paths: [
      {
        structural: 's a b',
        path: 'a b',
        trials: 4,
        members: ['kettle/s-ora/0', 'kettle/s-ora/2', 'kettle/s-ora/4'],
        differs: null,
      },
      {
        structural: 's a c',
        path: 'a c',
        trials: 2,
        members: ['kettle/s-ora/1', 'kettle/s-ora/5'],
        differs: { step: 2, role: null, one: 'calls `c`', other: 'calls `b`', distance: 1 },
      },
      {
        structural: 's a b | c',
        path: 'a b | c',
        trials: 1,
        members: ['kettle/s-ora/3'],
        differs: { step: 3, role: null, one: 'takes in new input', other: 'ends', distance: 2 },
      },
    ],
  })
})
