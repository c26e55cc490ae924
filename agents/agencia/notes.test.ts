import { expect, test } from 'vitest'
import { story } from '../../harness/testing/trace-builder.js'
import { tell } from '../../harness/trace/story.js'
import { timelineOf } from '../../harness/trace/timeline.js'
import { noteStyles, notes } from './notes.js'

const trace = story({}, ['operator'], noteStyles)
  .as('operator')
  .add(
    notes.unit({ unit: 'lookup', by: 'model', round: 2, depth: 1, input: { city: 'Paris' } }),
    notes.inert({ where: 'world', directive: '{{ .Get "plant" }}' }),
    notes.expansion({ unit: 'lookup', depth: 1, directive: '{{ .Get "almanac" }}' }),
    notes.unit({ unit: 'almanac', by: 'template', round: 2, depth: 2, input: {} }),
    notes.unitResult({ unit: 'almanac', depth: 2, ran: true, ended: 'output', detail: '' }),
    notes.unitResult({ unit: 'empty', depth: 2, ran: true, ended: 'soft', detail: 'offline' }),
    notes.unitResult({ unit: 'echo', depth: 6, ran: false, ended: 'soft', detail: 'depth_limit' }),
    notes.unitResult({ unit: 'lookup', depth: 1, ran: false, ended: 'output', detail: '' }),
    notes.unitResult({ unit: 'station', depth: 2, ran: true, ended: 'hard', detail: 'Burnt\u001b[31m down.' }),
    notes.ask({ question: 'Which season?', choices: [] }),
    notes.ask({ question: 'Which?', choices: ['AUTUMN', 'WINTER'] }),
    notes.told('WINTER'),
    notes.told(null),
    notes.depthLimit(5),
  )
  .verdict('solved').trace

test('the story of agents that call each other is told at their depths', () => {
  const told = tell(trace).map(({ text }) => text)
  expect(told.slice(0, 13)).toEqual([
    'agent lookup {"city":"Paris"} (round 2)',
    'leaves as text, from the world: {{ .Get "plant" }}',
    'expands {{ .Get "almanac" }} of lookup',
    '  agent almanac (recruited, depth 2)',
    '  agent empty has no result: offline',
    '          agent echo did not run and has no result: depth_limit',
    'agent lookup did not run and answers what was wrong',
    '  agent station fails: Burnt[31m down.',
    'asks the user: “Which season?”',
    'asks the user: “Which?” (AUTUMN | WINTER)',
    'the user says: “WINTER”',
    'the user gives no answer of use',
    'the depth limit of 5 rounds ends the turn',
  ])
})

test('a timeline marks what went wrong among them', () => {
  expect(timelineOf(trace).lanes[0]?.troubles.map(({ what }) => what)).toEqual([
    'leaves as text, from the world: {{ .Get "plant" }}',
    '  agent station fails: Burnt\u001b[31m down.',
    'the depth limit of 5 rounds ends the turn',
  ])
})
