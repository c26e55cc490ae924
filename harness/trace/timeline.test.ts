import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import { timelineOf } from './timeline.js'

const lane = {
  role: 'operator',
  number: 1,
  phases: [],
  calls: [],
  operations: [],
  looks: [],
  waits: [],
  consumed: [],
  doorbells: [],
  claims: [],
  troubles: [],
}

test('states and numbers begin at 0 with the value they changed from, and what never changed has no track', () => {
  const { trace } = story()
  const told = story()
    .at(1_000)
    .change('kettle.power', 'OFF', 'ON')
    .at(2_000)
    .change('kettle.celsius', 20, 55)
    .at(3_000)
    .change('kettle.celsius', 55, 100)
    .signal('kettle.boils', 7, { tool: 'kettle' })
    .verdict('solved')
    .at(9_000)
    .change('kettle.power', 'ON', 'OFF').trace
  expect(timelineOf(told)).toMatchObject({
    endsAt: 3_000,
    lastsMs: 9_000,
    properties: [
      {
        tool: 'kettle',
        property: 'power',
        kind: 'state',
        steps: [
          { at: 0, value: 'OFF' },
          { at: 1_000, value: 'ON' },
          { at: 9_000, value: 'OFF' },
        ],
      },
      {
        tool: 'kettle',
        property: 'celsius',
        kind: 'number',
        steps: [
          { at: 0, value: 20 },
          { at: 2_000, value: 55 },
          { at: 3_000, value: 100 },
        ],
      },
    ],
    signals: [{ at: 3_000, signal: 'kettle.boils', tool: 'kettle', seq: 7 }],
    violations: [],
    lanes: [],
  })
  expect(timelineOf(trace)).toMatchObject({ endsAt: 0, lastsMs: 0, properties: [], lanes: [], verdict: null })
})

test('a lane holds phases cut by suspensions, thinking, operations, looks and waits', () => {
  const { trace } = story({}, ['operator'], { phase: { means: 'phase' } })
    .as('operator')
    .note('phase', { label: 'reasoning', cycle: 1 })
    .call({ phase: 'reasoning', lastsMs: 2_000, text: 'words' })
    .note('phase', { label: 'action' })
    .call({ phase: 'action', lastsMs: 1_000, tool: { name: 'kettle', args: '{}' } })
    .operate('kettle.heat', { outcome: 'harmed', message: 'Bang.' })
    .add({ kind: 'suspend', signals: ['kettle.boils'], when: null, timeoutMs: 5_000 })
    .at(6_000)
    .add({ kind: 'wake', reason: 'signal', signals: ['kettle.boils'] }, { kind: 'consumed', seqs: [3] })
    .add({ kind: 'sync', tool: 'kettle', values: {} }, { kind: 'sleep', delayMs: 500 })
    .at(6_500)
    .add({ kind: 'claim', claim: 'achieved', text: 'Done.' })
    .verdict('violated')
  expect(timelineOf(trace).lanes).toEqual([
    {
      ...lane,
      phases: [
        { from: 0, to: 2_000, label: 'reasoning', cycle: 1 },
        { from: 2_000, to: 3_000, label: 'action', cycle: null },
      ],
      calls: [
        { from: 0, to: 2_000, call: 1, phase: 'reasoning', state: 'answered', said: null, tokens: 110 },
        { from: 2_000, to: 3_000, call: 2, phase: 'action', state: 'answered', said: 'kettle {}', tokens: 110 },
      ],
      operations: [{ at: 3_000, tool: 'kettle', action: 'heat', outcome: 'harmed', message: 'Bang.' }],
      looks: [{ at: 6_000, kind: 'sync', what: 'kettle' }],
      waits: [
        { from: 3_000, to: 6_000, kind: 'suspension', until: 'kettle.boils, or 5 s have passed' },
        { from: 6_000, to: 6_500, kind: 'sleep', until: 'time passed' },
      ],
      consumed: [{ at: 6_000, seqs: [3] }],
      claims: [{ at: 6_500, claim: 'achieved', text: 'Done.' }],
    },
  ])
})

test('a call that is never answered, and a wait that never ends, last until the trial is ended', () => {
  const { trace } = story({}, ['odd', 'even'])
    .as('odd')
    .asks()
    .as('even')
    .add({ kind: 'suspend', signals: [], when: null, timeoutMs: null })
    .at(4_000)
    .verdict('deadlocked')
  expect(timelineOf(trace).lanes).toEqual([
    {
      ...lane,
      role: 'odd',
      calls: [{ from: 0, to: 4_000, call: 1, phase: 'react', state: 'unanswered', said: null, tokens: 0 }],
    },
    {
      ...lane,
      role: 'even',
      waits: [{ from: 0, to: 4_000, kind: 'suspension', until: 'nothing named' }],
    },
  ])
})

test('what became of doorbells stands in the lane, telemetry does not', () => {
  const bell = { kind: 'doorbell', tool: null, delayMs: 0, count: 1 } as const
  const { trace } = story()
    .as('odd')
    .at(1_000)
    .add({ ...bell, what: 'dropped', tool: 'kettle' })
    .add({ ...bell, what: 'telemetry', tool: 'kettle' })
    .at(2_000)
    .add({ ...bell, what: 'delayed', delayMs: 500 })
    .add({ ...bell, what: 'storm', count: 20 })
    .verdict('unsolved')
  expect(timelineOf(trace).lanes).toEqual([
    {
      ...lane,
      role: 'odd',
      doorbells: [
        { at: 1_000, what: 'dropped', tool: 'kettle', delayMs: 0, count: 1 },
        { at: 2_000, what: 'delayed', tool: null, delayMs: 500, count: 1 },
        { at: 2_000, what: 'storm', tool: null, delayMs: 0, count: 20 },
      ],
    },
  ])
})
