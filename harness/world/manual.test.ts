import { expect, test } from 'vitest'
import { z } from 'zod'
import { kettle } from './fixtures/kettle.js'
import { manualOf, sketch, stage } from './fixtures/stage.js'

const KETTLE = `# TOOL SPECIFICATION: Tea Set

**Category:** Kitchen
**Version:** 1.2.0
**Tool ID:** \`kettle\`
**Role:** active actuator

## 1. Functional Description

Makes hot water.

## 2. Usage Interface

### 2.1 Observable Properties

| Property | Type | Range | Description |
| :--- | :--- | :--- | :--- |
| \`power\` | String | \`OFF\`, \`HEATING\`, \`HOT\` | What the heater does. |
| \`temp\` | Integer | \`0\` - \`100\` °C | Heat of the water. |
| \`locked\` | Boolean | \`true\`, \`false\` | Child lock. |

### 2.2 Operations

* **Operation:** \`unlock\`
* **Description:** Releases the child lock.
* **Behavior:** **Immediate.** Takes the code of the label.
* **Preconditions:** None.
* **Effects:** \`locked\` becomes \`false\`.
* **Payload:** \`{"action":"unlock","code":"<LOCK_CODE>","beep":"<beep: Boolean>"}\`

* **Operation:** \`heat\`
* **Description:** Heats the water.
* **Behavior:** **Latent.** Water warms by and by. Completion is indicated by the \`kettle.hot\` signal.
* **Preconditions:** \`locked\` of \`kettle\` is \`false\` (release the child lock); \`power\` of \`kettle\` is \`OFF\`.
* **Effects:** \`power\` becomes \`HEATING\`. On \`kettle.hot\`: \`power\` becomes \`HOT\`; \`temp\` rises above \`89\` °C.
* **Payload:** \`{"action":"heat"}\`

* **Operation:** \`pour\`
* **Description:** Pours water into the cup.
* **Behavior:** **Immediate.**
* **Preconditions:** \`power\` of \`kettle\` is \`HOT\` (wait for hot water).
* **Effects:** \`level\` of \`cup\` rises by \`1\` ml.
* **Payload:** \`{"action":"pour","amount":"<amount: Integer>"}\`

### 2.3 Signals

* **Signal:** \`kettle.hot\`
* **Trigger:** The water is hot (\`power\` of \`kettle\` is \`HOT\`; \`temp\` of \`kettle\` is above \`89\` °C).
* **Payload:** \`{ "temp": Integer, "msg": String }\`

# TOOL SPECIFICATION: Tea Set

**Category:** Kitchen
**Version:** 1.2.0
**Tool ID:** \`cup\`
**Role:** active actuator

## 1. Functional Description

Holds tea.

## 2. Usage Interface

### 2.1 Observable Properties

| Property | Type | Range | Description |
| :--- | :--- | :--- | :--- |
| \`level\` | Number | at least \`0\` ml | Filling \\| amount. |

### 2.2 Operations

None.

### 2.3 Signals

* **Signal:** \`cup.overflow\`
* **Trigger:** The cup overflows (\`level\` of \`cup\` is above \`300\` ml).
* **Payload:** \`{}\`

## 3. Protocol & Safety

1. Unlock it first.
2. Never pour while it heats.

**Integration Note:** The cup stands below.

## 4. Label

| Name | Value |
| :--- | :--- |
| \`<LOCK_CODE>\` | \`1820\` |`

test('a manual is generated from the declarations, word for word as docs/wire.md has it', () => {
  const { documents } = stage(kettle).world
  expect(documents.map(({ id, covers, text }) => ({ id, covers, text }))).toEqual([
    { id: 'kettle_manual', covers: ['kettle', 'cup'], text: KETTLE },
    { id: 'biscuits', covers: ['biscuit_tin'], text: '# Biscuits\n\nGinger and butter.' },
  ])
})

const hashes = () => stage(kettle).world.documents.map(({ hash }) => hash)

test('a document keeps its hash from one world of a seed to the next', () => {
  expect(hashes()).toEqual(hashes())
  expect(new Set(hashes()).size).toBe(2)
  expect(hashes().every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
})

test('every comparison and every effect has its own words', () => {
  const { world } = stage(
    sketch((kit) => {
      const box = kit.artifact('box', '')
      const other = kit.artifact('other', '')
      const load = box.property('load', z.number(), 0, 'Load.', { unit: 'kg', range: 'what it bears' })
      const open = other.property('open', z.boolean(), true, 'Lid.')
      const done = box.signal('done', z.array(z.number()), 'Done')
      box.operation(
        'work',
        {
          summary: 'Works.',
          behaviour: 'Slowly.',
          requires: [load.below(1), load.above(-1), load.atLeast(0), load.atMost(2), open.is(true)],
          effects: [load.rises(), load.falls({ by: 2, below: 3 }), open.becomes(false)],
          completes: [{ signal: done, effects: [load.rises({ by: 4, above: 5 })] }],
        },
        () => '',
      )
      kit.document('manual', manualOf(box))
    }),
  )
  const lines = world.documents[0]?.text.split('\n') ?? []
  expect(lines.filter((line) => /^\| `|Precond|Effects|Trigger|Payload/.test(line))).toEqual([
    '| `load` | Number | what it bears | Load. |',
    '* **Preconditions:** `load` of `box` is below `1` kg; `load` of `box` is above `-1` kg; `load` of `box` is at least `0` kg; `load` of `box` is at most `2` kg; `open` of `other` is `true`.',
    '* **Effects:** `load` rises; `load` falls by `2` kg below `3` kg; `open` of `other` becomes `false`. On `done`: `load` rises by `4` kg above `5` kg.',
    '* **Payload:** `{"action":"work"}`',
    '* **Trigger:** Done (`load` of `box` is above `5` kg).',
    '* **Payload:** `[Number]`',
  ])
})

test('a signal that ends several operations promises only what holds whichever it was', () => {
  const { world } = stage(
    sketch((kit) => {
      const box = kit.artifact('box', '')
      const state = box.property('state', z.enum(['IDLE', 'DONE', 'LOST']), 'IDLE', '')
      const busy = box.property('busy', z.boolean(), false, '')
      const ended = box.signal('ended', z.null(), 'It is over.')
      for (const [name, outcome] of [
        ['make', 'DONE'],
        ['drop', 'LOST'],
      ] as const)
        box.operation(
          name,
          {
            summary: '',
            behaviour: '',
            completes: [{ signal: ended, effects: [state.becomes(outcome), busy.becomes(false)] }],
          },
          () => '',
        )
      kit.document('manual', manualOf(box))
    }),
  )
  expect(world.tools[0]?.signals[0]?.when).toEqual([{ tool: 'box', property: 'busy', op: 'is', value: false }])
})
