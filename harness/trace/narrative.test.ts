import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import { narrate } from './story.js'
import { clean, fold } from './text.js'

const RULE = '`state` of `kettle` is `READY` (the water is hot)'

/** An agent that pours while the kettle still heats, without having looked since the start. */
const scalded = () =>
  story()
    .as('operator')
    .add({ kind: 'read', what: 'document', document: 'kettle_manual', found: true })
    .poll({ 'kettle.state': 'OFF' })
    .call({ lastsMs: 2_000, tool: { name: 'kettle', args: '{"action":"heat"}' }, usage: { promptTokens: 1_204 } })
    .operate('kettle.heat', { message: 'Heating has begun.' })
    .change('kettle.state', 'OFF', 'HEATING', 'op-1')
    .asks()
    .at(3_000)
    .change('kettle.degrees', 20, 40)
    .at(4_000)
    .change('kettle.degrees', 40, 1_060)
    .change('kettle.litres', 2, 1)
    .at(4_500)
    .add({ kind: 'limit', limit: 'operations', value: 3 })
    .operate('kettle.pour', { outcome: 'harmed', message: 'Scalded.\u001b[31m', rule: RULE })
    .add({ kind: 'violation', violation: 'scalding', op: 'op-2' })
    .add({ kind: 'claim', claim: 'achieved', text: `Poured.\n${'x'.repeat(200)}` })
    .add({ kind: 'end', how: 'ended' })
    .at(9_000)
    .change('kettle.state', 'HEATING', 'READY', 'op-1')
    .add({ kind: 'settled', reached: false, violations: ['scalding'] })
    .add({ kind: 'verdict', outcome: 'violated', reached: false, solved: false, violations: ['scalding'] }).trace

test('the story of a failed trial is told line by line, and says why it failed', () => {
  expect(narrate(scalded())).toEqual([
    'Trial kettle/react-polling/sim:typical/0',
    '  environment  kettle 1, scenario 0, seed seed-0',
    '  parameters   {"litres":1}',
    '  agent        react-polling 1',
    '  model        sim:typical, thinking fixed:1000, virtual clock, replica 0',
    '  goal         operator: Make it hot, operator.',
    '  outcome      violated (scalding) · 4.5 s · 2 model calls · 2 operations',
    '',
    '0.00 s  operator  reads the document kettle_manual',
    '0.00 s  operator  polls: kettle.state = OFF',
    '2.00 s  operator  call 1 react, thought 2 s, 1 204 + 10 tokens → kettle {"action":"heat"}',
    '2.00 s  operator  kettle.heat → accepted: Heating has begun.',
    '2.00 s  world     kettle.state OFF → HEATING',
    '2.00 s  operator  call 2 is asked, and never answered',
    '4.00 s  world     kettle.degrees 20 → 1 060 in 2 steps since 3 s (1 s)',
    '4.00 s  world     kettle.litres 2 → 1',
    '4.50 s  operator  limit reached: operations 3',
    `4.50 s  operator  kettle.pour → harmed: Scalded.[31m (rule: ${RULE})`,
    '4.50 s  operator  !! VIOLATION scalding (by op-2)',
    `4.50 s  operator  claims success: “Poured. ${'x'.repeat(112)}… (208 chars)”`,
    '4.50 s  operator  the trial ends: every agent has ended',
    '9.00 s  world     kettle.state HEATING → READY',
    '9.00 s  operator  left alone, the world does not reach the goal (violations: scalding)',
    '',
    'Why',
    `  \`scalding\` at 4.5 s: operator called \`pour\` of \`kettle\`; the rule is: ${RULE}`,
    '  `state` was `HEATING` since 2 s; operator had last observed it at 0 s as `OFF`, 4.5 s before. It became `READY` 4.5 s later, at 9 s.',
    '  operator claimed success at 4.5 s; the goal was not reached.',
  ])
})

test('without a rule the states that still moved explain the harm, and what a blind agent had heard', () => {
  const told = narrate(
    story()
      .as('operator')
      .operate('kettle.heat', { message: 'Heating has begun.' })
      .change('kettle.state', 'OFF', 'HEATING', 'op-1')
      .change('kettle.lid', 'OPEN', 'SHUT', 'op-1')
      .at(3_000)
      .operate('kettle.pour', { outcome: 'harmed', message: 'Scalded.' })
      .add({ kind: 'violation', violation: 'scalding', op: 'op-2' })
      .at(8_000)
      .change('kettle.state', 'HEATING', 'READY', 'op-1')
      .verdict('violated', ['scalding']).trace,
  )
  expect(told.slice(told.indexOf('Why'))).toEqual([
    'Why',
    '  `scalding` at 3 s: operator called `pour` of `kettle`; “Scalded.”',
    '  `state` was `HEATING` since 0 s; operator had never observed it. It became `READY` 5 s later, at 8 s.',
    '  All it had heard of `kettle` was “Heating has begun.” after `heat`, 3 s before.',
  ])
})

test('an agent that ended too early, refused on its way, is told so', () => {
  const tale = story().as('operator').at(1_000)
  tale
    .operate('kettle.pour', { outcome: 'refused', rule: RULE })
    .operate('kettle.pour', { outcome: 'refused', rule: RULE })
  tale.operate('kettle.heat').add({ kind: 'claim', claim: 'achieved', text: 'Hot.' }, { kind: 'end', how: 'ended' })
  tale.at(9_000).change('kettle.state', 'HEATING', 'READY', 'op-3')
  tale.add({ kind: 'settled', reached: true, violations: [] })
  tale.add({ kind: 'verdict', outcome: 'unsolved', reached: false, solved: false, violations: [] })
  const told = narrate(tale.trace)
  expect(told.slice(told.indexOf('Why') + 1)).toEqual([
    '  The last agent ended too early, at 1 s: left alone, the world reached the goal 8 s later.',
    `  \`pour\` of \`kettle\` was refused 2 times: ${RULE}`,
    '  operator claimed success at 1 s; the goal was not reached.',
  ])
})

test('a deadlock names who waits for what since when, and whether it was ever emitted', () => {
  const tale = story().as('operator').at(2_000).signal('kettle.hot', 1).at(5_000)
  tale.add(
    { kind: 'suspend', signals: ['kettle.hot'], when: null, timeoutMs: null },
    { kind: 'end', how: 'deadlocked' },
  )
  tale.add({ kind: 'verdict', outcome: 'deadlocked', reached: false, solved: false, violations: [] })
  const told = narrate(tale.trace)
  expect(told.slice(told.indexOf('Why') + 1)).toEqual([
    '  From 5 s on nothing could happen any more: everybody waited, without a time-out.',
    '  operator waited since 5 s until kettle.hot. The last such signal was emitted at 2 s.',
  ])
})

test('untrusted text keeps neither escapes, line breaks nor direction overrides', () => {
  expect(clean('a\u001b[2J\u0007b\r\nc\u202Ed\u2028e\u0085f')).toBe('a[2Jb cd ef')
  expect(fold('é'.repeat(10), 4)).toBe('éééé… (10 chars)')
  const told = narrate(story({ id: '\u001b]0;x\u0007evil' }).verdict('solved').trace)
  expect(told.join('')).not.toMatch(/\p{Cc}/u)
})
