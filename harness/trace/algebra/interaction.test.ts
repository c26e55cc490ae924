import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Happening, JsonObject, Trace } from '../../contract/index.js'
import { story } from '../../testing/trace-builder.js'
import type { Story } from '../../testing/trace-builder.js'
import { artifactsOf, reconstruct } from './artifacts.js'
import { interactionsOf } from './interaction.js'
import type { Interaction } from './interaction.js'
import { formsOf } from './print.js'

const goal = 'Make it hot, operator.'

/** A request that offers tools as endpoints read them; `actions` for those that aggregate operations. */
function offers(tale: Story, tools: [name: string, actions?: string[]][], hash = 'tools'): Story {
  const text = JSON.stringify(
    tools.map(([name, actions]) => ({
      type: 'function',
      function: {
        name,
        description: '',
        parameters: {
          type: 'object',
          properties: actions === undefined ? {} : { action: { type: 'string', enum: actions } },
        },
      },
    })),
  )
  return tale.add(
    { kind: 'text', hash, text },
    { kind: 'request', call: 1, phase: 'turn', model: 'm', messages: [], tools: hash, schema: null },
  )
}

function only(trace: Trace): Interaction {
  const interactions = interactionsOf(trace)
  const [interaction] = interactions
  if (interaction === undefined || interactions.length > 1) throw new Error(`${interactions.length} activities.`)
  return interaction
}

/** σ with names. */
const named = ({ tools, cycles }: Interaction): string[][] =>
  cycles.map(({ calls }) => calls.map(({ tool }) => tools[tool - 1] ?? '?'))

const boilFillBoil = (tale: Story): Story => tale.operate('kettle.boil').operate('kettle.fill').operate('kettle.boil')

const ack = (op: string, message: string): Happening => ({
  kind: 'acknowledgement',
  op,
  outcome: 'accepted',
  message,
  rule: null,
})

const told = (signal: string): JsonObject => ({ signal, tool: 'plant', payload: {} })

const suspend = (signal: string): Happening => ({ kind: 'suspend', signals: [signal], when: null, timeoutMs: 500 })

describe('the tools', () => {
  test('are the functions of the first offer in its order, one for each action, then what was called unoffered', () => {
    const tale = offers(story().as('operator'), [['kettle', ['fill', 'boil']], ['manual_retrieval'], ['decline']])
    tale.operate('kettle.boil').add({ kind: 'invalid', tool: 'kettle', args: { action: 'fly', x: 1 }, message: 'no' })
    tale.add({ kind: 'invalid', tool: 'manual_retrieval', args: { action: 'x' }, message: 'no' }).operate('kettle.fill')
    const { tools, cycles } = only(tale.trace)
    expect(tools).toEqual(['kettle.fill', 'kettle.boil', 'manual_retrieval', 'decline', 'kettle.fly'])
    expect(cycles[0]?.calls).toEqual([
      { tool: 2, q: {}, r: { outcome: 'accepted', message: 'Done.', rule: null } },
      { tool: 5, q: { x: 1 }, r: { invalid: 'no' } },
      { tool: 3, q: { action: 'x' }, r: { invalid: 'no' } },
      { tool: 1, q: {}, r: { outcome: 'accepted', message: 'Done.', rule: null } },
    ])
  })

  test('are those called, in the order of their first call, where nothing was ever offered or the offer is damaged', () => {
    expect(only(boilFillBoil(story().as('operator')).trace).tools).toEqual(['kettle.boil', 'kettle.fill'])
    const damaged = story()
      .as('operator')
      .add({ kind: 'text', hash: 'h', text: '[{' })
      .add({ kind: 'request', call: 1, phase: 'p', model: 'm', messages: [], tools: 'h', schema: null })
    expect(only(boilFillBoil(damaged).trace).tools).toEqual(['kettle.boil', 'kettle.fill'])
  })
})

describe('the calls', () => {
  test('are all that went through the door; looking by the runtime is none', () => {
    const { trace } = story()
      .as('operator')
      .add({ kind: 'read', what: 'catalogue', document: null, found: true })
      .add({ kind: 'read', what: 'document', document: 'x', found: false })
      .add({ kind: 'focus', tool: 'kettle' }, { kind: 'sync', tool: 'kettle', values: { heat: 1 } }, { kind: 'resync' })
      .add({ kind: 'invalid', tool: 'pot', args: {}, message: 'No tool named "pot" to focus.' })
      .poll({ 'kettle.heat': 20, 'kettle.lid': 'OPEN', 'lamp.on': true })
      .add({ kind: 'sleep', delayMs: 50 })
      .operate('kettle.boil', { outcome: 'refused', message: 'Refused.', rule: 'r', args: { to: 100 } })
    const interaction = only(trace)
    expect(named(interaction)).toEqual([
      ['system_discovery', 'manual_retrieval', 'read_properties', 'sleep', 'kettle.boil'],
    ])
    const { q, r } = artifactsOf(interaction.cycles)
    expect(q).toEqual([{}, { document: 'x' }, { tools: ['kettle', 'lamp'] }, { ms: 50 }, { to: 100 }])
    expect(r).toEqual([
      { found: true },
      { found: false },
      { 'kettle.heat': 20, 'kettle.lid': 'OPEN', 'lamp.on': true },
      { slept: 50 },
      { outcome: 'refused', message: 'Refused.', rule: 'r' },
    ])
  })

  test('of one answer keep their order, whichever was acknowledged first', () => {
    const { trace } = story()
      .as('operator')
      .add({ kind: 'operation', op: 'a', tool: 'kettle', action: 'fill', args: {} })
      .add({ kind: 'operation', op: 'b', tool: 'kettle', action: 'boil', args: {} })
      .add(ack('b', 'boiling'), ack('a', 'filled'))
      .add({ kind: 'operation', op: 'c', tool: 'kettle', action: 'fill', args: {} })
    expect(only(trace).cycles[0]?.calls.map(({ tool, r }) => [tool, r])).toEqual([
      [1, { outcome: 'accepted', message: 'filled', rule: null }],
      [2, { outcome: 'accepted', message: 'boiling', rule: null }],
      [1, null],
    ])
  })

  test('after the end of the trial are none', () => {
    const tale = story().as('operator').operate('kettle.boil').verdict('solved').as('operator').operate('kettle.fill')
    expect(named(only(tale.trace))).toEqual([['kettle.boil']])
  })
})

describe('the cycles', () => {
  test('of an agent that never suspends are one: the goal, and what it claimed', () => {
    const { trace } = story()
      .as('operator')
      .call()
      .operate('kettle.boil')
      .call()
      .add({ kind: 'claim', claim: 'achieved', text: 'Hot.' })
      .verdict('solved')
    expect(only(trace).cycles).toEqual([
      {
        u: goal,
        v: { claim: 'achieved', text: 'Hot.' },
        calls: [{ tool: 1, q: {}, r: { outcome: 'accepted', message: 'Done.', rule: null } }],
      },
    ])
  })

  test('end with a suspension and begin with the wake-up and its signals; one without a call is a row of zeros', () => {
    const tale = story().as('operator').call().operate('kettle.fill').operate('kettle.boil').add(suspend('hot'))
    tale.at(3_000).signal('hot', 7, { tool: 'kettle', payload: { c: 100 } })
    tale.add({ kind: 'wake', reason: 'signal', signals: ['hot'] }, { kind: 'consumed', seqs: [7] }).call()
    tale.add(suspend('cold')).at(9_000).add({ kind: 'wake', reason: 'timeout', signals: [] }).call()
    tale.operate('kettle.fill').add({ kind: 'claim', claim: 'gave_up', text: 'No.' })
    const interaction = only(tale.trace)
    expect(interaction.cycles.map(({ u, v }) => [u, v])).toEqual([
      [goal, { suspended: { signals: ['hot'], when: null, timeoutMs: 500 } }],
      [
        { woken: 'signal', signals: [{ signal: 'hot', tool: 'kettle', payload: { c: 100 } }] },
        { suspended: { signals: ['cold'], when: null, timeoutMs: 500 } },
      ],
      [
        { woken: 'timeout', signals: [] },
        { claim: 'gave_up', text: 'No.' },
      ],
    ])
    expect(formsOf(interaction.cycles, interaction.tools.length).sigma).toEqual([
      [1, 2],
      [0, 0],
      [1, 0],
    ])
    expect(interaction.replayKey).toEqual({
      cycles: [
        { at: 0, signals: [], calls: [1_000, 1_000] },
        { at: 3_000, signals: [{ seq: 7, at: 3_000 }], calls: [] },
        { at: 9_000, signals: [], calls: [10_000] },
      ],
    })
  })

  test('begin with signals that a guard let in between, and signals that nobody thought about yet are one input', () => {
    const tale = story({}, ['operator'], { guard: { means: 'value' } })
      .as('operator')
      .signal('a', 1)
      .signal('b', 2)
      .signal('c', 3)
    tale
      .add({ kind: 'consumed', seqs: [1] })
      .call()
      .note('guard', { value: { diverted: 'action' }, signals: ['b'] })
    tale
      .add({ kind: 'consumed', seqs: [2] }, { kind: 'consumed', seqs: [3] })
      .call()
      .operate('kettle.boil')
    expect(only(tale.trace).cycles.map(({ u, v, calls }) => ({ u, v, calls: calls.length }))).toEqual([
      { u: { goal, signals: [told('a')] }, v: { diverted: 'action' }, calls: 0 },
      { u: { signals: [told('b'), told('c')] }, v: null, calls: 1 },
    ])
  })
})

test('activities stand in the order of the roles, and each has its own tools and calls', () => {
  const tale = story({}, ['odd', 'even'])
  tale.as('even').note('phase', { label: 'observation', cycle: 1 }).operate('counter.inc')
  tale.as('odd').add({ kind: 'resync' }).as('even').operate('counter.dec')
  const interactions = interactionsOf(tale.trace)
  expect(interactions.map(({ role, tools }) => [role, tools])).toEqual([
    ['odd', []],
    ['even', ['counter.inc', 'counter.dec']],
  ])
  expect(interactionsOf(story().trace)).toEqual([])
})

/** Answers with one or several calls, and a wait behind some of them. */
const answers = fc.array(
  fc.record({
    calls: fc.array(fc.record({ tool: fc.integer({ min: 0, max: 3 }), arg: fc.integer() }), { maxLength: 4 }),
    waits: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

test('any trace gives artifacts from which its cycles and calls come back, calls side by side included', () => {
  fc.assert(
    fc.property(answers, (given) => {
      const tale = offers(story().as('operator'), [['plant', ['a0', 'a1', 'a2', 'a3']]])
      const expected: [number, JsonObject][][] = [[]]
      let seq = 0
      for (const { calls, waits } of given) {
        tale.call()
        const ops = calls.map(({ tool, arg }, index): Happening => {
          expected.at(-1)?.push([tool + 1, { arg }])
          return {
            kind: 'operation',
            op: `op-${tale.trace.length}-${index}`,
            tool: 'plant',
            action: `a${tool}`,
            args: { arg },
          }
        })
        tale.add(...ops)
        if (!waits) continue
        tale.add(suspend('s')).signal('s', ++seq)
        tale.add({ kind: 'wake', reason: 'signal', signals: ['s'] }, { kind: 'consumed', seqs: [seq] })
        expected.push([])
      }
      const { cycles, replayKey } = only(tale.trace)
      expect(cycles.map(({ calls }) => calls.map(({ tool, q }) => [tool, q]))).toEqual(expected)
      expect(replayKey.cycles.map(({ calls }) => calls.length)).toEqual(expected.map(({ length }) => length))
      expect(reconstruct(artifactsOf(cycles))).toEqual(cycles)
    }),
    { numRuns: 1_000 },
  )
})
