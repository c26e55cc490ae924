import { expect, test } from 'vitest'
import { defineEnvironment, z } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { createActivity } from './activity.js'
import { act, cycle, finish, observe, reason, setup } from './fixtures/script.js'
import { mismatchesIn } from './ranges.js'
import sora from './s-ora.agent.js'
import { createSemanticMemory } from './semantic-memory.js'

const manual = `<document id="boiler">
**Tool ID:** \`boiler\`

| Property | Type | Range | Description |
| :--- | :--- | :--- | :--- |
| \`mode\` | String | \`ON\`, \`OFF\` | Mode. |
| \`pressure\` | Integer | \`0\` - \`3000\` PSI | Pressure. |
| \`level\` | Number | at least \`1.5\`, below \`9\` m | Level. |
| \`note\` | String | any | A note. |
| \`open\` | Boolean | \`true\`, \`false\` | Door. |

| Name | Value |
| :--- | :--- |
| \`code\` | \`1\` |
</document>`

const mismatches = (tool: string, values: Record<string, string | number | boolean>) => {
  const memory = createSemanticMemory({ catalogue: null, documents: [{ id: 'boiler', text: manual, hash: null }] })
  const properties = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, at: 0 }]))
  // No door is asked.
  const activity = { memory, mounted: new Set(['boiler']) } satisfies Partial<ReturnType<typeof createActivity>>
  return mismatchesIn(activity, [{ tool, properties, readAt: 0 }]).map(({ property, range }) => [property, range])
}

test('A value within its range, or of a property that no document or no range speaks of, is no mismatch.', () => {
  expect(
    mismatches('boiler', { mode: 'ON', pressure: 3_000, level: 1.5, note: 'x', open: true, code: 7, age: 3 }),
  ).toEqual([])
  expect(mismatches('stove', { mode: 'LOW', pressure: -1 })).toEqual([])
})

test('A value that is not listed, beyond a bound, or of another type is a mismatch, with the range as printed.', () => {
  expect(mismatches('boiler', { mode: 'HALF', pressure: 3_001, level: 9, open: 'yes' })).toEqual([
    ['mode', '`ON`, `OFF`'],
    ['pressure', '`0` - `3000` PSI'],
    ['level', 'at least `1.5`, below `9` m'],
    ['open', '`true`, `false`'],
  ])
  expect(mismatches('boiler', { pressure: 'high', level: 1 })).toEqual([
    ['pressure', '`0` - `3000` PSI'],
    ['level', 'at least `1.5`, below `9` m'],
  ])
})

/** Its manual says less than its thermometer shows. */
const sauna = defineEnvironment({
  name: 'sauna',
  version: '1',
  summary: 'A sauna that gets hotter than its manual says.',
  params: z.strictObject({}),
  roles: () => [{ name: 'guest', goal: 'Heat the sauna.' }],
  setup({ artifact, document }) {
    const stove = artifact('stove', 'Heats the sauna.')
    const warmth = stove.property('warmth', z.number(), 20, 'How warm it is.', { unit: '°C', range: '`0` - `90` °C' })
    const heat = stove.operation('heat', { summary: 'Heats it.', behaviour: 'It gets hot.' }, () => {
      warmth.value = 110
      return 'Hot.'
    })
    document('stove_manual', {
      kind: 'manual',
      title: 'Stove',
      summary: 'How to heat.',
      category: 'Wellness',
      version: '1',
      covers: [stove],
      role: 'active actuator',
      description: 'Heats.',
      protocol: [],
    })
    return {
      reached: () => warmth.value > 80,
      async oracle(hand) {
        await hand.operate(heat)
      },
      saboteurs: {},
    }
  },
})

test('A belief that its document does not allow is told once in the trace and stands in each prompt while it lasts.', async () => {
  const script = [
    ...cycle('system_discovery'),
    ...cycle('manual_retrieval', { document: 'stove_manual' }),
    observe(),
    reason('SETUP'),
    setup({
      mount: ['stove_manual'],
      focus: ['stove'],
    }),
    reason('ACT'),
    act('stove', { action: 'heat' }),
    observe(),
    reason('OBSERVE'),
    ...finish,
  ]
  const stage = { agent: sora, environment: sauna, script }
  const { records, prompts } = await playAgent(stage)
  expect(story(records, 'mismatch')).toEqual([
    { at: 11_000, kind: 'mismatch', tool: 'stove', property: 'warmth', value: 110, range: '`0` - `90` °C' },
  ])
  const line = '{"mismatch":{"tool":"stove","property":"warmth","value":110,"range":"`0` - `90` °C"}}'
  const told = prompts.map(({ messages }) => messages[1]?.content?.includes(line))
  expect(told.slice(-5)).toEqual([false, true, true, true, false])
  const careless = await playAgent({ ...stage, params: { validateBeliefs: false } })
  expect(story(careless.records, 'mismatch')).toEqual([])
})

test('A belief from before its document was mounted is told as well, once, at the mount.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: sauna,
    params: { knowledgeConstraint: false },
    script: [
      ...cycle('system_discovery'),
      ...cycle('manual_retrieval', { document: 'stove_manual' }),
      observe(),
      reason('SETUP'),
      setup({ focus: ['stove'] }),
      reason('ACT'),
      act('stove', { action: 'heat' }),
      observe(),
      reason('SETUP'),
      setup({ mount: ['stove_manual'] }),
      reason('ACT'),
      act('stove', { action: 'heat' }),
      observe(),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(story(records, 'mismatch')).toEqual([
    { at: 14_000, kind: 'mismatch', tool: 'stove', property: 'warmth', value: 110, range: '`0` - `90` °C' },
  ])
})
