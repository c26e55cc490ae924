import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readManual } from './manual.js'

const rule = (
  tool: string | null,
  property: string | null,
  op: string,
  value: unknown,
  unit: string | null,
  prose: string,
) => ({
  tool,
  property,
  op,
  value,
  unit,
  prose,
})
const becomes = (tool: string, property: string, value: unknown) => ({
  tool,
  property,
  kind: 'becomes',
  value,
  by: null,
  bound: null,
})

it('reads Appendix A of the thesis as it stands: operations, rules, effects, the completion of a latent one', () => {
  const manual = readManual(readFileSync(new URL('../fixtures/appendix-a.md', import.meta.url), 'utf8'))
  const tool = 'hydraulic_control'
  expect(
    manual.operations.map(({ action, requires, effects, completions, args }) => ({
      action,
      requires,
      effects,
      completions,
      args,
    })),
  ).toEqual([
    {
      action: 'power_on_pump',
      requires: [
        rule(tool, 'pump_status', 'is', 'OFF', null, ''),
        rule('security_terminal', null, 'is', 'ADMIN', null, 'authentication level'),
      ],
      effects: [becomes(tool, 'pump_status', 'RAMPING')],
      completions: [{ signal: 'pump.pressure_nominal', effects: [becomes(tool, 'pump_status', 'NOMINAL')] }],
      args: [],
    },
    {
      action: 'open_valve',
      requires: [rule(tool, 'pump_status', 'is', 'NOMINAL', null, 'Pressure > 2500 PSI')],
      effects: [becomes(tool, 'valve_status', 'OPEN')],
      completions: [],
      args: [],
    },
  ])
  expect(manual.properties.map(({ name, values, unit }) => ({ name, values, unit }))).toEqual([
    { name: 'pump_status', values: ['OFF', 'RAMPING', 'NOMINAL'], unit: null },
    { name: 'hydraulic_pressure', values: [], unit: 'PSI' },
    { name: 'valve_status', values: ['CLOSED', 'OPEN'], unit: null },
  ])
  expect(manual.signals).toEqual([{ tool, name: 'pump.pressure_nominal', when: [], mentions: [] }])
  expect({ tools: manual.tools, facts: manual.facts, unparsed: manual.unparsed }).toEqual({
    tools: [tool],
    facts: [],
    unparsed: [],
  })
})

const DASHED = `# TOOL SPECIFICATION: Line

**Tool ID:** \`mixer\`

### 2.1 Observable Properties

| Property | Type | Range | Description |
| :--- | :--- | :--- | :--- |
| \`level\` | Number | \`0\` - \`100\` l | Content of the tank. |
| \`lid\` | Boolean | \`true\`, \`false\` | Whether the lid is on. |

### 2.2 Operations

- Operation: \`fill\`
- Description: Fills the tank.
- Behavior: **Latent.** Slow; see \`level\`. Completion is indicated by the \`mixer.full\` or \`mixer.leak\` signal.
- Preconditions: \`lid\` of \`mixer\` is \`false\` (lid off); \`level\` of \`mixer\` is below \`90.5\` l; the moon is full.
- Effects: \`level\` rises by \`2\` l; \`heat\` of \`boiler\` falls. On \`mixer.full\`: \`level\` rises above \`95\` l; \`lid\` becomes \`true\`. On \`mixer.leak\`: \`level\` vanishes.
- Payload: \`{"action":"fill","from":"<SOURCE>","amount":"<amount: Integer>","mode":"fast"}\`

## 4. Sources

| Name | Value |
| :--- | :--- |
| \`<SOURCE>\` | \`tank | 7\` |
`.replace('tank | 7', 'tank \\| 7')

it('reads dash bullets, numbers with units, several completions, payloads and facts, and records what it cannot read', () => {
  const manual = readManual(DASHED)
  expect(manual.operations).toEqual([
    {
      tool: 'mixer',
      action: 'fill',
      prose: 'Fills the tank. **Latent.** Slow; see _. Completion is indicated by the _ or _ signal.',
      args: [
        { name: 'from', source: 'placeholder', key: 'SOURCE' },
        { name: 'amount', source: 'typed', type: 'integer' },
        { name: 'mode', source: 'literal', value: 'fast' },
      ],
      requires: [rule('mixer', 'lid', 'is', false, null, 'lid off'), rule('mixer', 'level', 'below', 90.5, 'l', '')],
      effects: [
        { tool: 'mixer', property: 'level', kind: 'rises', value: null, by: 2, bound: null },
        { tool: 'boiler', property: 'heat', kind: 'falls', value: null, by: null, bound: null },
      ],
      completions: [
        {
          signal: 'mixer.full',
          effects: [
            { tool: 'mixer', property: 'level', kind: 'rises', value: null, by: null, bound: 95 },
            becomes('mixer', 'lid', true),
          ],
        },
        { signal: 'mixer.leak', effects: [] },
      ],
      creates: [],
    },
  ])
  expect(manual.facts).toEqual([['SOURCE', 'tank | 7']])
  expect(manual.unparsed).toEqual(['the moon is full', '`level` vanishes'])
})

it('takes from a text that is no manual nothing but its facts tables', () => {
  expect(readManual('# Canteen\n\nSoup is `HOT`.\n\n| Day | Dish |\n| --- | --- |\n| `Monday` | Soup |\n')).toEqual({
    tools: [],
    properties: [],
    operations: [],
    signals: [],
    facts: [['Monday', 'Soup']],
    unparsed: [],
  })
})
