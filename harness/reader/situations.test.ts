import { expect, it } from 'vitest'
import { decide, inSections, inTurns, intentIn, manual } from './fixtures/situation.js'
import type { Situation } from './fixtures/situation.js'

const POLL = 'discover, read, observe, operate, sleep, claim'
const PUSH = 'discover, read, observe, operate, wait, claim'
const BLIND = 'discover, read, operate, claim'

const accepted = (tool: string, action: string, at: number, operationId = `op-${at}`) => ({
  tool,
  action,
  accepted: true,
  operationId,
  at,
  message: 'Done.',
})
const refused = (tool: string, action: string, at: number, rule: string) => ({
  ...accepted(tool, action, at),
  accepted: false,
  rule,
})
const seen = (tool: string, properties: Record<string, string | number>, at: number) => ({
  observed: [
    { tool, properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value, at }])) },
  ],
  at,
})

type History = NonNullable<Situation['history']>
const within =
  (situation: Situation) =>
  (...history: History) =>
    intentIn({ ...situation, history })
const ended = (signal: string, operationId: string) => ({
  signal,
  tool: 'press',
  payload: {},
  seq: 1,
  at: 99,
  operationId,
})
const doorCall = (action: string) => ({ do: 'operate', tool: 'door', action, args: {}, wait: null })

const tally: Situation = {
  goal: 'You are the ODD agent: find the counter and increment it only if the number is ODD, continue until it exceeds 5.',
  documents: {
    tally: manual({
      tool: 'tally',
      properties: ['`total` | Integer | any | The shared number.'],
      operations: [
        'inc | **Immediate.** | None. | `total` rises by `1`. | {"action":"inc","expected":"<expected: Integer>"}',
      ],
      signals: ['tally.change | `total` has changed.'],
    }),
  },
  catalogue: [{ id: 'tally', summary: 'The shared number.', covers: ['tally'] }],
  verbs: POLL,
}
const inc = (expected: number) => ({ do: 'operate', tool: 'tally', action: 'inc', args: { expected }, wait: null })
const look = { do: 'observe', tools: ['tally'] }

it('pauses longer before each further look where its pauses grow, and anew after an operation', () => {
  const even = (at: number) => seen('tally', { total: 4 }, at)
  const pauseAfter = (...history: History) =>
    intentIn({ ...tally, verbs: POLL, history }, 'sim:careful?pollMs=1000&pollGrowth=3')
  const waited: History = [even(10), { slept: 1_000, at: 1_010 }, even(1_010), { slept: 3_000, at: 4_010 }, even(4_010)]
  expect(pauseAfter(even(10))).toEqual({ do: 'sleep', ms: 1_000 })
  expect(pauseAfter(...waited.slice(0, 3))).toEqual({ do: 'sleep', ms: 3_000 })
  expect(pauseAfter(...waited)).toEqual({ do: 'sleep', ms: 9_000 })
  expect(pauseAfter(...waited, accepted('tally', 'inc', 5_000), even(5_000))).toEqual({ do: 'sleep', ms: 1_000 })
})

it('looks before it acts on a guard, acts while the guard holds, waits for others while it does not, and ends', () => {
  expect(within({ ...tally, verbs: POLL })()).toEqual(look)
  expect(within({ ...tally, verbs: POLL })(seen('tally', { total: 3 }, 10))).toEqual(inc(3))
  expect(within({ ...tally, verbs: POLL })(seen('tally', { total: 3 }, 10), accepted('tally', 'inc', 20))).toEqual({
    do: 'sleep',
    ms: 2_000,
  })
  expect(within({ ...tally, verbs: POLL })(seen('tally', { total: 4 }, 10), { slept: 2_000, at: 2_010 })).toEqual(look)
  expect(within({ ...tally, verbs: PUSH })(seen('tally', { total: 4 }, 10))).toEqual({
    do: 'wait',
    signals: ['tally.change'],
    when: null,
    timeoutMs: 300_000,
  })
  expect(within({ ...tally, verbs: BLIND })(seen('tally', { total: 4 }, 10))).toEqual(inc(4))
  expect(within({ ...tally, verbs: POLL })(seen('tally', { total: 6 }, 10))).toEqual({ do: 'claim', achieved: true })
})

it('looks when it hears that somebody else has moved what it waits for, and not after its own echo', () => {
  const at = within({ ...tally, verbs: PUSH })
  const wait = { do: 'wait', signals: ['tally.change'], when: null, timeoutMs: 300_000 }
  const changed = (seq: number, operationId: string | null, time: number) => ({
    signal: 'tally.change',
    tool: 'tally',
    payload: {},
    seq,
    at: time,
    operationId,
  })
  const woken = (signal: ReturnType<typeof changed>) => ({
    waited: { signals: ['tally.change'] },
    ended: 'signal',
    signals: [signal],
    at: signal.at,
  })
  const before = [seen('tally', { total: 3 }, 10), accepted('tally', 'inc', 20, 'op-1')]
  const echoed = [...before, woken(changed(1, 'op-1', 20))]
  expect(at(...echoed)).toEqual(wait)
  for (const other of ['op-2', null]) {
    const told = [...echoed, woken(changed(2, other, 30))]
    expect(at(...told)).toEqual(look)
    expect(at(...told, seen('tally', { total: 4 }, 40))).toEqual(wait)
    expect(at(...told, seen('tally', { total: 5 }, 40))).toEqual(inc(5))
  }
})

const plant: Situation = {
  goal: 'Heat the water to at least 90 °C, and keep the pressure below 4 bar.',
  documents: {
    plant: manual({
      tool: 'plant',
      properties: [
        '`burner` | String | `OFF`, `ON` | The flame.',
        '`heat` | Number | `0` - `120` °C | Temperature of the water.',
        '`load` | Number | `0` - `9` bar | Pressure inside.',
      ],
      operations: [
        'fire | **Immediate.** The water warms slowly. | `burner` of `plant` is `OFF` (no flame). | `burner` becomes `ON`; `heat` rises; `load` rises.',
        'vent | **Immediate.** | None. | `load` falls by `1` bar.',
      ],
      signals: ['plant.alarm | Pressure is too high (`load` of `plant` is above `4`).'],
    }),
  },
  catalogue: [{ id: 'plant', summary: 'Water and heat.', covers: ['plant'] }],
  verbs: PUSH,
}

it('starts a drift, waits until its end or an alarm, and answers the alarm first', () => {
  const at = within(plant)
  const wait = {
    signals: ['plant.alarm'],
    when: { tool: 'plant', property: 'heat', op: 'at_least', value: 90 },
    timeoutMs: 300_000,
  }
  expect(at()).toEqual({ do: 'operate', tool: 'plant', action: 'fire', args: {}, wait })
  const burning = [seen('plant', { burner: 'OFF', heat: 20, load: 1 }, 1), accepted('plant', 'fire', 10)]
  expect(at(...burning)).toEqual({ do: 'wait', ...wait })
  const alarm = { signal: 'plant.alarm', tool: 'plant', payload: {}, seq: 3, at: 500, operationId: null }
  const vent = { do: 'operate', tool: 'plant', action: 'vent', args: {}, wait: null }
  expect(at(...burning, alarm)).toEqual(vent)
  expect(at(...burning, seen('plant', { burner: 'ON', heat: 60, load: 4.2 }, 500))).toEqual(vent)
  expect(at(...burning, seen('plant', { burner: 'ON', heat: 91, load: 3 }, 500))).toEqual({
    do: 'claim',
    achieved: true,
  })
})

const ship: Situation = {
  goal: 'Keep the water in the hold below 30 cm, until the tide is HIGH.',
  documents: {
    hold: manual({
      tool: 'hold',
      properties: ['`bilge` | Integer | `0` - `200` cm | Water in the hold.'],
      operations: ['pump | **Immediate.** | None. | `bilge` falls by `10` cm.'],
      signals: ['hold.flood | Water comes in (`bilge` of `hold` is at least `30`).'],
    }),
    tide: manual({
      tool: 'tide',
      properties: ['`level` | String | `LOW`, `HIGH` | State of the tide.'],
      operations: [],
      signals: ['tide.turn | The tide has turned (`level` of `tide` is `HIGH`).'],
    }),
  },
  catalogue: [
    { id: 'hold', summary: 'The hold.', covers: ['hold'] },
    { id: 'tide', summary: 'The tide.', covers: ['tide'] },
  ],
  verbs: POLL,
}

it('watches over what it maintains on another tool while it waits for what nobody here brings about', () => {
  const low = seen('tide', { level: 'LOW' }, 10)
  const polling = within(ship)
  expect(polling(low)).toEqual({ do: 'sleep', ms: 2_000 })
  expect(polling(low, { slept: 2_000, at: 2_010 })).toEqual({ do: 'observe', tools: ['tide', 'hold'] })
  const wet = [low, seen('hold', { bilge: 34 }, 20)]
  const pump = { do: 'operate', tool: 'hold', action: 'pump', args: {}, wait: null }
  expect(polling(...wet)).toEqual(pump)
  expect(polling(...wet, accepted('hold', 'pump', 30))).toEqual({ do: 'sleep', ms: 2_000 })
  expect(polling(low, seen('hold', { bilge: 4 }, 40), seen('tide', { level: 'HIGH' }, 50))).toEqual({
    do: 'claim',
    achieved: true,
  })

  const waiting = within({ ...ship, verbs: `${PUSH}, focus` })
  expect(waiting(low)).toEqual({ do: 'focus', tools: ['hold'] })
  const both = [low, { focused: ['tide', 'hold'], at: 12 }]
  expect(waiting(...both)).toEqual({
    do: 'wait',
    signals: ['tide.turn', 'hold.flood'],
    when: { tool: 'tide', property: 'level', op: 'is', value: 'HIGH' },
    timeoutMs: 300_000,
  })
  const flood = { signal: 'hold.flood', tool: 'hold', payload: {}, seq: 1, at: 60, operationId: null }
  expect(waiting(...both, flood)).toEqual(pump)
})

const jobs: Situation = {
  goal: 'Have the film "tide-9" converted, then verify that the job is DONE.',
  documents: {
    press: manual({
      tool: 'press',
      properties: ['`job` | String | `IDLE`, `BUSY`, `DONE`, `FAILED` | State of the job.'],
      operations: [
        'convert | **Latent.** Completion is indicated by the `press.done` or `press.failed` signal. | None. | `job` becomes `BUSY`. On `press.done`: `job` becomes `DONE`. On `press.failed`: `job` becomes `FAILED`. | {"action":"convert","film":"<FILM>"}',
      ],
    }),
  },
  catalogue: [{ id: 'press', summary: 'Films.', covers: ['press'] }],
  verbs: PUSH,
}

it('puts the quoted words of the goal where they belong, waits for either end, and tries again after the wrong one', () => {
  const at = within(jobs)
  const wait = {
    signals: ['press.done', 'press.failed'],
    when: { tool: 'press', property: 'job', op: 'is', value: 'DONE' },
    timeoutMs: 300_000,
  }
  const convert = { do: 'operate', tool: 'press', action: 'convert', args: { film: 'tide-9' }, wait }
  expect(at()).toEqual(convert)
  expect(at(accepted('press', 'convert', 5, 'op-1'))).toEqual({ do: 'wait', ...wait })
  expect(at(accepted('press', 'convert', 5, 'op-1'), ended('press.failed', 'op-1'))).toEqual(convert)
  expect(at(accepted('press', 'convert', 5, 'op-1'), ended('press.done', 'op-1'))).toEqual({
    do: 'claim',
    achieved: true,
  })
  // Another's job has ended: mine is as it was.
  expect(at(accepted('press', 'convert', 5, 'op-1'), ended('press.failed', 'op-9'))).toEqual({ do: 'wait', ...wait })
})

it('does what a refusal asks for where it can, and gives up after equal refusals where it cannot', () => {
  const door: Situation = {
    goal: 'Verify that the door is OPEN.',
    documents: {
      door: manual({
        tool: 'door',
        properties: ['`bolt` | String | `SHUT`, `FREE` | The bolt.', '`leaf` | String | `CLOSED`, `OPEN` | The door.'],
        operations: [
          'pull | **Immediate.** | `bolt` of `door` is `FREE` (bolt drawn). | `leaf` becomes `OPEN`.',
          'unbolt | **Immediate.** | None. | `bolt` becomes `FREE`.',
        ],
      }),
    },
    catalogue: [{ id: 'door', summary: 'The door.', covers: ['door'] }],
    verbs: BLIND,
  }
  const at = within(door)
  expect(at()).toEqual(doorCall('unbolt'))
  expect(at(accepted('door', 'unbolt', 1))).toEqual(doorCall('pull'))
  expect(
    at(accepted('door', 'unbolt', 1), refused('door', 'pull', 2, '`bolt` of `door` is `FREE` (bolt drawn)')),
  ).toEqual(doorCall('unbolt'))
  const harm = { ...accepted('door', 'pull', 2), accepted: false }
  expect(at(accepted('door', 'unbolt', 1), harm)).toEqual(doorCall('pull'))
  expect(at(accepted('door', 'unbolt', 1), harm, harm)).toEqual({ do: 'claim', achieved: false })
})

it('gives up for ignorance only when nothing is left to read', () => {
  const lost: Situation = { goal: 'Verify that the moon is BLUE.', documents: {}, verbs: BLIND }
  const catalogue = [
    { id: 'soup', summary: 'Soup of the day.', covers: ['canteen'] },
    { id: 'moon', summary: 'The moon.', covers: ['sky'] },
  ]
  expect(intentIn(lost)).toEqual({ do: 'discover' })
  expect(intentIn({ ...lost, catalogue })).toEqual({ do: 'read', document: 'moon' })
  expect(intentIn({ ...lost, catalogue, documents: { moon: 'It is far.' } })).toEqual({ do: 'read', document: 'soup' })
  expect(intentIn({ ...lost, catalogue, documents: { moon: 'It is far.', soup: 'Hot.' } })).toEqual({
    do: 'claim',
    achieved: false,
  })
})

it('means the same on both wires where facts and verbs are the same', () => {
  const moments = [tally, plant, jobs].flatMap((situation) =>
    [POLL, PUSH, BLIND].flatMap((verbs) =>
      [
        [],
        [accepted('press', 'convert', 5), accepted('plant', 'fire', 6), accepted('tally', 'inc', 7)],
        [
          seen('tally', { total: 2 }, 4),
          seen('plant', { burner: 'ON', heat: 5, load: 8 }, 4),
          seen('press', { job: 'BUSY' }, 4),
        ],
        [refused('press', 'convert', 5, '`job` of `press` is `IDLE`'), { slept: 2_000, at: 2_005 }],
      ].map((history): Situation => ({ ...situation, verbs, history })),
    ),
  )
  for (const model of ['sim:careful', 'sim:careful?patience=0&impasse=stall', 'sim:careful?impasse=give-up']) {
    for (const moment of moments) {
      const sections = inSections(moment)
      const turns = inTurns(moment)
      expect(decide(turns.facts, sections.verbs, model)).toEqual(decide(sections.facts, sections.verbs, model))
    }
  }
  expect(moments).toHaveLength(36)
})

const desk: Situation = {
  goal: 'Keep watch so that the number of open alarms stays below 1. Stay until the watch is OVER.',
  documents: {
    desk: manual({
      tool: 'desk',
      properties: ['`open` | Integer | any | Number of open alarms.', '`watch` | String | `ON`, `OVER` | The watch.'],
      operations: [
        'settle | **Immediate.** | `open` of `desk` is at least `1`. | `open` falls by `1`. | {"action":"settle"}',
      ],
      signals: [
        'desk.raised | An alarm (`open` of `desk` is at least `1`).',
        'desk.over | The end (`watch` of `desk` is `OVER`).',
      ],
    }),
  },
  catalogue: [{ id: 'desk', summary: 'The desk.', covers: ['desk'] }],
  verbs: PUSH,
}
const raised = (seq: number, at: number) => ({
  signal: 'desk.raised',
  tool: 'desk',
  payload: {},
  seq,
  at,
  operationId: null,
})

it('looks again at what it must maintain where its own call has left it open, as in a storm of alarms', () => {
  const settle = { do: 'operate', tool: 'desk', action: 'settle', args: {}, wait: null }
  const first = [seen('desk', { open: 0, watch: 'ON' }, 5), raised(1, 10)]
  expect(within(desk)(...first)).toEqual(settle)
  // The second came while the answer to the first was thought out, and is told after it.
  const both = [...first, accepted('desk', 'settle', 12), raised(2, 11)]
  expect(within(desk)(...both)).toEqual({ do: 'observe', tools: ['desk'] })
  expect(within(desk)(...both, seen('desk', { open: 1, watch: 'ON' }, 14))).toEqual(settle)
  expect(within(desk)(...both, seen('desk', { open: 0, watch: 'ON' }, 14))).toMatchObject({ do: 'wait' })
})

it('reads first what an experience says was needed, last what was idle, and the best by its words where it says nothing', () => {
  const catalogue = ['counter_hall', 'shared_number', 'number_games'].map((id) => ({
    id,
    summary: id === 'counter_hall' ? 'The hall.' : 'The shared counter: a number.',
    covers: [],
  }))
  const first = (needed: string[], idle: string[]) => {
    const experience = { experience: { goal: '', outcome: 'achieved', needed, idle } }
    return intentIn({ ...tally, documents: {}, catalogue, memories: [JSON.stringify(experience)] })
  }
  expect([
    first([], []),
    first(['counter_hall'], []),
    first([], ['shared_number']),
    first(['gone'], ['number_games']),
  ]).toEqual(
    ['shared_number', 'counter_hall', 'number_games', 'shared_number'].map((document) => ({ do: 'read', document })),
  )
})
