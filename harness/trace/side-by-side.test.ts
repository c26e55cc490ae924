import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import type { Story } from '../testing/trace-builder.js'
import { narrativeOf, sideBySide } from './side-by-side.js'
import { columnsOf, wrap } from './text.js'

const heated = (): Story =>
  story()
    .as('operator')
    .call({ lastsMs: 2_000, tool: { name: 'kettle', args: '{"action":"heat"}' } })
    .operate('kettle.heat', { message: 'Heating has begun.' })

const scalded = () =>
  heated()
    .at(3_000)
    .operate('kettle.pour', { outcome: 'harmed', message: 'Scalded by steam.' })
    .add({ kind: 'violation', violation: 'scalding', op: 'op-2' })
    .at(4_000)
    .add({ kind: 'claim', claim: 'gave_up', text: 'No.' })
    .verdict('violated', ['scalding']).trace

const poured = () =>
  heated()
    .at(2_500)
    .change('kettle.state', 'OFF', 'READY', 'op-1')
    .at(3_000)
    .operate('kettle.pour', { message: 'Poured.' })
    .at(4_000)
    .add({ kind: 'claim', claim: 'achieved', text: 'Hot.' })
    .verdict('solved').trace

test('the same past is told once across the page, what differs in two columns in the order of time, then both verdicts', () => {
  const lines = sideBySide(narrativeOf(scalded(), 'recorded'), narrativeOf(poured(), 'what if'), { width: 91 })
  expect(lines).toEqual([
    'recorded                                     │ what if',
    `${'─'.repeat(45)}┼${'─'.repeat(45)}`,
    '2.00 s  operator  call 1 react, thought 2 s, 100 + 10 tokens → kettle {"action":"heat"}',
    '2.00 s  operator  kettle.heat → accepted: Heating has begun.',
    '                                             │ 2.50 s  world  kettle.state OFF → READY',
    '3.00 s  operator  kettle.pour → harmed:      │ 3.00 s  operator  kettle.pour → accepted:',
    '        Scalded by steam.                    │         Poured.',
    '3.00 s  operator  !! VIOLATION scalding (by  │',
    '        op-2)                                │',
    '4.00 s  operator  claims to give up: “No.”   │ 4.00 s  operator  claims success: “Hot.”',
    '4.00 s  world  the trial ends: every agent has ended',
    '4.00 s  world  left alone, the world does    │ 4.00 s  world  left alone, the world ends up',
    '        not reach the goal (violations:      │         at the goal',
    '        scalding)                            │',
    `${'─'.repeat(45)}┼${'─'.repeat(45)}`,
    'violated (scalding) · 4 s · 1 model calls ·  │ solved · 4 s · 1 model calls · 2 operations',
    '  2 operations                               │',
    expect.stringMatching(/^`scalding` at 3 s: .* │ The goal was reached without a violation, in$/),
    expect.stringMatching(/ │ {3}4 s and 1 model calls\.$/),
    expect.stringMatching(/^operator gave up/),
    '',
    'solved instead of violated',
  ])
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(91)
})

test('a story beside itself needs no second column, and its outcome stays', () => {
  const same = narrativeOf(scalded(), 'it')
  const lines = sideBySide(same, same, { width: 200 })
  const rule = lines.indexOf(lines.find((line) => line.startsWith('─')) ?? '')
  const body = lines.slice(
    rule + 1,
    lines.findLastIndex((line) => line.startsWith('─')),
  )
  expect(body).toHaveLength(same.told.length)
  expect(body.filter((line) => line.includes('│'))).toEqual([])
  expect(lines.at(-1)).toBe('violated, as before')
})

test('a trace without its verdict is beside one that has it', () => {
  const torn = narrativeOf(scalded().slice(0, 5), 'torn')
  expect(sideBySide(torn, narrativeOf(poured(), 'whole'), { width: 60 }).at(-1)).toBe(
    'solved instead of without a verdict',
  )
})

test('lines break at spaces, inside long words, and count wide characters twice', () => {
  expect(wrap('one two  three', 8, 2)).toEqual(['one two', '  three'])
  expect(wrap('abcdefghij k', 6, 2)).toEqual(['abcdef', '  ghij', '  k'])
  expect(wrap('水が沸いた', 6, 2)).toEqual(['水が沸', '  いた'])
  expect(wrap('', 6)).toEqual([''])
  expect(columnsOf('👍🏽 e\u0301')).toBe(4)
})
