import { expect, test } from 'vitest'
import { story } from '../../testing/trace-builder.js'
import type { Story } from '../../testing/trace-builder.js'
import {
  behaviourOf,
  distance,
  divergenceInWords,
  firstDivergence,
  fullHash,
  readPath,
  structuralHash,
} from './behaviour.js'
import { FIVE_CYCLES, cyclesOf } from './fixtures/paper.js'
import type { Interaction } from './interaction.js'

function interaction(changes: Partial<Interaction> = {}): Interaction {
  const cycles = cyclesOf(FIVE_CYCLES)
  return { role: 'r', activity: 'a', tools: ['x', 'y', 'z'], cycles, replayKey: { cycles: [] }, ...changes }
}

const parting = (one: string, other: string): string | null => {
  const at = firstDivergence(one, other)
  return at === null ? null : divergenceInWords(at)
}

test('the structural hash sees tools, order and cycles, and nothing else; the full hash sees all but time', () => {
  const words = interaction({ cycles: cyclesOf(FIVE_CYCLES).map((cycle) => ({ ...cycle, v: 'other words' })) })
  const order = interaction({ cycles: cyclesOf([[1, 2], ...FIVE_CYCLES.slice(1)]) })
  const cycles = interaction({ cycles: cyclesOf([[2], [1, 1, 3, 2, 2], ...FIVE_CYCLES.slice(2)]) })
  const tools = interaction({ tools: ['x', 'y', 'w'] })
  const time = interaction({ replayKey: { cycles: [{ at: 5, signals: [], calls: [7] }] } })
  const differs = (hash: (of: Interaction) => string) =>
    [words, order, cycles, tools, time].map((other) => hash(other) !== hash(interaction()))
  expect(differs(structuralHash)).toEqual([false, true, true, true, false])
  expect(differs(fullHash)).toEqual([true, true, true, true, false])
})

test('the structural hash is SHA-256 of canonical JSON: equal on every machine and in every version', () => {
  // printf '{"sigma":[[2,1,0,0],[1,3,2,2],[3,1,2,0],[0,0,0,0],[1,2,0,0]],"tools":["x","y","z"]}' | sha256sum
  expect(structuralHash(interaction())).toBe('3ac548bd46f22170a4a9a25e72b01dc722140adfcfa6d75054500be5974a1b2c')
})

test('half a surrogate pair in what a model wrote breaks no hash', () => {
  const odd = interaction({
    tools: ['x', 'y', '\uD800'],
    cycles: [{ u: { '\uDFFF': ['\uD800'] }, v: null, calls: [] }],
  })
  expect(fullHash(odd)).toMatch(/^[0-9a-f]{64}$/)
})

const play = (tale: Story, ...steps: string[]): Story => {
  for (const step of steps) tale.operate(step)
  return tale
}

test('the path names calls and cycles in little room, and roles only where there are several', () => {
  const alone = play(story().as('operator'), 'kettle.fill', 'kettle.fill', 'kettle.boil')
  alone
    .add({ kind: 'suspend', signals: ['s'], when: null, timeoutMs: 1 })
    .add({ kind: 'wake', reason: 'timeout', signals: [] })
  play(alone, 'kettle.boil').add({ kind: 'claim', claim: 'achieved', text: '' })
  expect(behaviourOf(alone.trace)?.path).toBe('kettle.fill*2 kettle.boil | kettle.boil')
  const both = play(story({}, ['odd', 'even']).as('even').add({ kind: 'resync' }), 'counter.inc')
  play(both.as('odd').add({ kind: 'resync' }), 'counter.inc', 'counter.inc')
  expect(behaviourOf(both.trace)?.path).toBe('@odd counter.inc*2 @even counter.inc')
  const idle = play(story().as('operator', 'script'), 'kettle.fill').as('operator', 'idle')
  expect(behaviourOf(idle.add({ kind: 'claim', claim: 'gave_up', text: '' }).trace)?.path).toBe('kettle.fill')
  const silent = play(
    story({}, ['odd', 'even']).as('odd').add({ kind: 'resync' }).as('even').add({ kind: 'resync' }),
    'c.inc',
  )
  expect(behaviourOf(silent.trace)?.path).toBe('@even c.inc')
  expect(behaviourOf(story().trace)).toBe(null)
})

test('no name that a model makes up can be read as another path', () => {
  const names = ['a b', '|', '@odd', 'x*3', '', '%7c;', 'ünï', '\uD800', 'ok-1.b_2']
  const tale = story().as('operator')
  for (const tool of names) tale.add({ kind: 'invalid', tool, args: {}, message: 'no' })
  const path = behaviourOf(tale.trace)?.path ?? ''
  expect(path).toBe('a%20;b %7c; %40;odd x%2a;3 %; %25;7c%3b; %fc;n%ef; %d800; ok-1.b_2')
  expect(readPath(path)).toEqual(names.map((name) => ({ kind: 'call', name })))
  expect(readPath('a*2 | a')).toEqual([
    { kind: 'call', name: 'a' },
    { kind: 'call', name: 'a' },
    { kind: 'cycle' },
    { kind: 'call', name: 'a' },
  ])
})

test.each([
  ['a.x b.y', 'a.x b.y', null],
  ['a.x b.y*2 v.open', 'a.x b.y*2 read_properties', 'step 4: calls `v.open` where the other reads properties'],
  ['a.x | b.y', 'a.x b.y', 'step 2: takes in new input where the other calls `b.y`'],
  ['a.x', 'a.x sleep', 'step 2: ends where the other sleeps'],
  ['', 'system_discovery', 'step 1: ends where the other reads the catalogue'],
  [
    '@odd a.x b.y @even a.x',
    '@odd a.x b.y @even a.x manual_retrieval',
    'step 2 of even: ends where the other reads a document',
  ],
  ['@odd a.x @even', '@odd a.x*2 @even', 'step 2 of odd: is done, and even begins where the other calls `a.x`'],
])('%j and %j part: %s', (one, other, words) => {
  expect(parting(one, other)).toBe(words)
})

test.each([
  ['a b c', 'a b c', 0],
  ['a b c', 'a c', 1],
  ['a b c', 'a | b c', 1],
  ['a*3', 'b', 3],
  ['', 'a | b', 3],
  ['a b c d', 'b c d e', 2],
  ['@odd a @even b', '@odd a b', 1],
])('from %j to %j it is %i edits of calls and boundaries, and as many back', (one, other, edits) => {
  expect([distance(one, other), distance(other, one)]).toEqual([edits, edits])
})
