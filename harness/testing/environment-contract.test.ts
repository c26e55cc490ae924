import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineEnvironment } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { openWorld } from '../world/open.js'
import { environmentContract, manualMismatches } from './environment-contract.js'
import { misreadings } from './environment/misreadings.js'
import { corners, drawParams, parameterSpace } from './environment/parameter-space.js'
import { HORIZON_MS, play } from './environment/play.js'

/** A kettle that boils, and whose faults can be planted. */
const kettle = defineEnvironment({
  name: 'kettle',
  version: '1',
  summary: 'Water that takes its time.',
  params: z.object({
    boilMs: z.int().min(1_000).max(600_000).default(60_000).describe('Time to the boil (ms).'),
    fault: z.enum(['none', 'stays off', 'stays cold', 'never rests', 'cannot boil']).default('none').describe('Plant.'),
  }),
  roles: () => [{ name: 'cook', goal: 'Boil the water.' }],
  setup(kit) {
    const { params } = kit
    const tool = kit.artifact('kettle', 'Boils water.')
    const power = tool.property('power', z.enum(['OFF', 'ON']), 'OFF', 'Its switch.')
    const water = tool.property('water', z.int().min(0).max(100), 20, 'Its water.', { unit: '°C' })
    const boiled = tool.signal('kettle.boiled', z.object({ celsius: z.int() }), 'The water boils.')
    const scald = kit.violation('scald', 'Hot water was touched.')
    const light = tool.operation(
      'switch_on',
      {
        summary: 'Starts to heat.',
        behaviour: 'Heats for a while.',
        requires: [kit.requires(power.is('OFF'), { reason: 'a cold start' })],
        effects: [power.becomes('ON')],
        completes: [{ signal: boiled, effects: [water.rises({ above: 90 })] }],
      },
      () => {
        if (params.fault !== 'stays off') power.value = 'ON'
        kit.after(Math.round(kit.random.stream('boil').uniform(0.9, 1.1) * params.boilMs), () => {
          if (params.fault === 'cannot boil') return
          water.value = params.fault === 'stays cold' ? 21 : 100
          boiled.emit({ celsius: 100 })
        })
        return 'Heating.'
      },
    )
    const touch = tool.operation(
      'touch',
      { summary: 'Touches the water.', behaviour: 'Hurts.', args: z.strictObject({ finger: z.int().min(1).max(10) }) },
      () => {
        scald.commit()
        return 'Ouch.'
      },
    )
    const heartbeat = () => void kit.after(3_600_000, heartbeat)
    if (params.fault === 'never rests') heartbeat()
    kit.document('kettle_manual', {
      kind: 'manual',
      title: 'Kettle',
      summary: 'How to boil.',
      category: 'Kitchen',
      version: '1.0.0',
      covers: [tool],
      role: 'active actuator',
      description: 'Boils.',
      protocol: ['Do not touch.'],
    })
    return {
      reached: () => water.value > 90,
      oracle: async (hand) => {
        await hand.operate(light)
        await hand.waitFor(boiled)
      },
      saboteurs: {
        scald: async (hand) => {
          await hand.operate(touch, { finger: 3 })
        },
      },
    }
  },
})

const sound = {
  ...kettle,
  params: kettle.params.omit({ fault: true }).extend({ fault: z.literal('none').default('none').describe('Plant.') }),
}
environmentContract(sound, { draws: 20 })

function played(fault: string) {
  return play({ environment: kettle, params: { fault }, seed: 'planted' }, (world) => world.oracle)
}

describe('a planted fault is found', () => {
  test('an effect that does not hold after the acknowledgement', async () => {
    expect((await played('stays off')).brokenEffects).toEqual([
      'kettle.switch_on: {"tool":"kettle","property":"power","kind":"becomes","value":"ON"} does not hold after its acknowledgement.',
    ])
  })

  test('an effect that does not hold when the completion is signalled', async () => {
    expect((await played('stays cold')).brokenEffects).toEqual([
      'kettle.switch_on: {"tool":"kettle","property":"water","kind":"rises","above":90,"unit":"°C"} does not hold on kettle.boiled.',
    ])
  })

  test('a world that never comes to rest', async () => {
    expect(await played('never rests')).toMatchObject({ solved: true, settledAt: HORIZON_MS })
  })

  test('a world that its oracle cannot solve', async () => {
    expect(await played('cannot boil')).toMatchObject({ solved: false, how: 'deadlocked', violations: [] })
  })
})

describe('manualMismatches', () => {
  const world = openWorld(kettle, {
    params: kettle.params.parse({}),
    random: createRandom('manual'),
    clock: createVirtualClock(),
    record: () => {},
  })
  const [tool] = world.tools
  const text = world.documents[0]?.text ?? ''
  if (!tool) throw new Error('The kettle has no tool.')

  test('finds nothing between a tool and its own document', () => {
    expect(manualMismatches(tool, text)).toEqual([])
  })

  test.each([
    [
      'a removed precondition',
      '`power` of `kettle` is `OFF` (a cold start).',
      'None.',
      ['The document lacks: operation switch_on requires kettle.power OFF.'],
    ],
    [
      'an inverted comparison',
      'rises above `90`',
      'rises below `90`',
      [
        'The document lacks: operation switch_on on kettle.boiled kettle.water rises above 90.',
        'Only the document says: operation switch_on on kettle.boiled kettle.water rises below 90.',
      ],
    ],
    [
      'a renamed signal',
      '* **Signal:** `kettle.boiled`',
      '* **Signal:** `kettle.ready`',
      [
        'The document lacks: signal kettle.boiled.',
        'The document lacks: signal kettle.boiled carries celsius Integer.',
        'The document lacks: signal kettle.boiled requires kettle.water above 90.',
        'Only the document says: signal kettle.ready.',
        'Only the document says: signal kettle.ready carries celsius Integer.',
        'Only the document says: signal kettle.ready requires kettle.water above 90.',
      ],
    ],
    [
      'an extra operation',
      '### 2.3 Signals',
      '* **Operation:** `descale`\n* **Payload:** `{"action":"descale"}`\n\n### 2.3 Signals',
      [
        'Only the document says: operation descale.',
        'Only the document says: operation descale is immediate.',
        'Only the document says: operation descale payload action descale.',
      ],
    ],
    [
      'a latent operation that is called immediate',
      '**Latent.**',
      '**Immediate.**',
      [
        'The document lacks: operation switch_on is latent.',
        'Only the document says: operation switch_on is immediate.',
      ],
    ],
    [
      'a lost argument',
      ',"finger":"<finger: Integer>"',
      '',
      ['The document lacks: operation touch payload takes finger.'],
    ],
    ['a lost property value', '`OFF`, `ON`', '`ON`', ['The document lacks: property power may be OFF.']],
    [
      'another tool',
      '**Tool ID:** `kettle`',
      '**Tool ID:** `teapot`',
      ['The document has no specification of kettle.'],
    ],
  ])('reports %s', (_, from, to, mismatches) => {
    expect(text).toContain(from)
    expect(manualMismatches(tool, text.replace(from, to))).toEqual(mismatches)
  })
})

describe('the parameter space', () => {
  const schema = z.object({
    ms: z.int().min(1).max(9).nullable().default(null).describe('A time.'),
    on: z.boolean().default(false).describe('A switch.'),
  })

  test('has as corners the defaults, all extremes, and their pairs', () => {
    expect(corners(parameterSpace(schema))).toEqual([
      {},
      { ms: 1 },
      { ms: 9 },
      { ms: null },
      { on: false },
      { on: true },
      { ms: 1, on: false },
      { ms: 1, on: true },
      { ms: 9, on: false },
      { ms: 9, on: true },
      { ms: null, on: false },
      { ms: null, on: true },
      { ms: 1, on: false },
      { ms: null, on: true },
    ])
  })

  test('draws only what the schema accepts', () => {
    const space = parameterSpace(schema)
    const draws = Array.from({ length: 200 }, (_, index) => drawParams(space, createRandom('space').stream(index)))
    expect(draws.filter((params) => !schema.safeParse(params).success)).toEqual([])
    expect(new Set(draws.map(({ ms }) => ms)).size).toBe(10)
  })

  test('demands that every parameter is bounded', () => {
    expect(() => parameterSpace(z.object({ name: z.string().default('') }))).toThrow(
      'Parameter "name" is {"default":"","type":"string"}: it must be a bounded number, an enum, a boolean or null.',
    )
  })
})

test('what the simulated model misreads in a manual is told', () => {
  const { tools, documents } = openWorld(kettle, {
    params: kettle.params.parse({}),
    random: createRandom('manual'),
    clock: createVirtualClock(),
    record: () => {},
  })
  const [[tool], [document]] = [tools, documents]
  if (tool === undefined || document === undefined) throw new Error('The kettle has a tool and a manual.')
  expect(misreadings(tool, document.text)).toEqual([])
  const faults = misreadings(tool, document.text.replace('`power` of `kettle` is `OFF` (a cold start).', 'Be careful.'))
  expect(faults).toHaveLength(3)
  expect(faults[0]).toMatch(/^not parsed: .*Be careful/)
})
