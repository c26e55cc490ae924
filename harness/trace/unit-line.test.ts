import { expect, test } from 'vitest'
import type { UnitNote } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import { tell } from './story.js'
import { timelineOf } from './timeline.js'

const notes: UnitNote[] = [
  { kind: 'unit', unit: 'lookup', by: 'model', round: 2, depth: 1, input: { city: 'Paris' } },
  { kind: 'inert', where: 'world', directive: '{{ .Get "plant" }}' },
  { kind: 'expansion', unit: 'lookup', depth: 1, directive: '{{ .Get "almanac" }}' },
  { kind: 'unit', unit: 'almanac', by: 'template', round: 2, depth: 2, input: {} },
  { kind: 'unit_result', unit: 'almanac', depth: 2, ran: true, ended: 'output', detail: '' },
  { kind: 'unit_result', unit: 'empty', depth: 2, ran: true, ended: 'soft', detail: 'offline' },
  { kind: 'unit_result', unit: 'echo', depth: 6, ran: false, ended: 'soft', detail: 'depth_limit' },
  { kind: 'unit_result', unit: 'lookup', depth: 1, ran: false, ended: 'output', detail: '' },
  { kind: 'unit_result', unit: 'station', depth: 2, ran: true, ended: 'hard', detail: 'Burnt\u001b[31m down.' },
  { kind: 'ask', question: 'Which season?', choices: [] },
  { kind: 'ask', question: 'Which?', choices: ['AUTUMN', 'WINTER'] },
  { kind: 'told', answer: 'WINTER' },
  { kind: 'told', answer: null },
  { kind: 'depth_limit', limit: 5 },
]
const trace = story()
  .as('operator')
  .add(...notes)
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
    'left as text, from the world: {{ .Get "plant" }}',
    'station failed: Burnt\u001b[31m down.',
    'depth limit: 5 rounds',
  ])
})
