import { expect, test } from 'vitest'
import { suiteSchema } from '../../contract/index.js'
import type { TrialLine } from '../../contract/index.js'
import { createRandom } from '../../sim/random.js'
import { packBaseline, unpackBaseline } from './baseline.js'
import { compare } from './comparison.js'
import { metrics, noisyTrial, side, trialsOf } from './fixtures/sides.js'

const suite = suiteSchema.parse({ name: 't', seed: 1, scenarios: 12, agents: ['a'], environments: ['kettle'] })
const source = { suite, follows: 't', graders: { solved: '1' } }

const stream = createRandom('baseline').stream()
const lines: TrialLine[] = [
  ...trialsOf(12, (scenario) => ({
    ...noisyTrial(stream, 0.7),
    behaviour: { structural: `s${scenario % 3}`, full: `f${scenario}`, path: `a.x a.y*${(scenario % 3) + 2}` },
  })),
  ...trialsOf(12, () => ({ outcome: 'agent_error' as const, error: 'It "fell"\nover', metrics: { solved: false } }), {
    agent: 'other',
    id: 'kettle/other/0',
    model: null,
    replica: 1,
  }).map((line, index) => ({ ...line, identity: { ...line.identity, id: `kettle/other/${index}/r1` } })),
]

test('a baseline gives back every line that it was made from', () => {
  const { header, lines: back } = unpackBaseline('here', packBaseline({ ...source, lines }))
  expect(header).toMatchObject({ kind: 'baseline', suite, follows: 't', graders: { solved: '1' } })
  // A column that only another line has is absent there, which is null.
  const none = Object.fromEntries(lines.flatMap((line) => Object.keys(line.metrics)).map((name) => [name, null]))
  const byId = new Map(back.map((line) => [line.identity.id, line]))
  for (const line of lines) {
    expect(byId.get(line.identity.id)).toEqual({ ...line, metrics: { ...none, ...line.metrics } })
  }
  const { groups } = compare(side('kept', back), side('run', lines), { metrics })
  expect(groups.map(({ changes }) => [changes?.trials, changes?.changed])).toEqual([
    [12, 0],
    [12, 0],
  ])
})

test('the same trials give the same bytes, in whatever order they ended', () => {
  expect(packBaseline({ ...source, lines: lines.toReversed() })).toEqual(packBaseline({ ...source, lines }))
})

test('one trial is one line: a change of it changes no other', () => {
  const [first, ...rest] = lines
  if (first === undefined) throw new Error('There are lines.')
  const changed = { ...first, metrics: { ...first.metrics, model_calls: 99 } }
  const split = (of: TrialLine[]) => packBaseline({ ...source, lines: of })['trials.jsonl'].split('\n')
  const [before, after] = [split(lines), split([changed, ...rest])]
  expect(after.filter((line, index) => line !== before[index])).toHaveLength(1)
})

test('a damaged or newer baseline is refused with its place', () => {
  const files = packBaseline({ ...source, lines })
  const open = (changes: Partial<typeof files>) => () => unpackBaseline('here', { ...files, ...changes })
  expect(open({ 'trials.jsonl': files['trials.jsonl'].slice(0, -20) })).toThrow(
    /^The baseline "here" is damaged \(trials\.jsonl:\d+\)\. Restore it/,
  )
  expect(open({ 'trials.jsonl': '{}\n' })).toThrow('The baseline "here" is damaged (trials.jsonl:1)')
  expect(open({ 'run.json': files['run.json'].replace('"version": 1', '"version": 2') })).toThrow(
    'The baseline "here" was written by a newer version (format 2, this one reads 1). Update sora-bench.',
  )
  expect(open({ 'run.json': files['run.json'].replace('"seed": 1', '"seed": -1') })).toThrow(/run\.json: suite\.seed/)
})
