import { expect, test } from 'vitest'
import type { Happening } from '../define/index.js'
import { story } from '../testing/trace-builder.js'
import { narrate } from './narrative.js'

const sync = (degrees: number, state: string): Happening => ({
  kind: 'sync',
  tool: 'kettle',
  values: { 'kettle.degrees': degrees, 'kettle.state': state },
})

const heating = () =>
  story()
    .as('operator')
    .add(sync(20, 'OFF'))
    .at(1_000)
    .change('kettle.degrees', 20, 40)
    .add(sync(40, 'OFF'))
    .at(2_000)
    .change('kettle.degrees', 40, 60)
    .add(sync(60, 'OFF'))
    .at(3_000)
    .change('kettle.state', 'OFF', 'READY')
    .change('kettle.degrees', 60, 80)
    .add(sync(80, 'READY')).trace

const happenings = (full: boolean) => {
  const lines = narrate(heating(), { full })
  return lines.slice(lines.indexOf('') + 1, lines.lastIndexOf(''))
}

test('numbers and the syncs that bring nothing else are folded, and words never are', () => {
  expect(happenings(false)).toEqual([
    '0.00 s  operator  syncs kettle: degrees = 20, state = OFF',
    '2.00 s  world     kettle.degrees 20 → 60 in 2 steps since 1 s (1 s)',
    '2.00 s  operator  syncs kettle 2 times since 1 s: no news but numbers',
    '3.00 s  world     kettle.state OFF → READY',
    '3.00 s  world     kettle.degrees 60 → 80',
    '3.00 s  operator  syncs kettle: degrees = 80, state = READY',
  ])
})

test('in full every change and every sync has its line', () => {
  expect(happenings(true)).toEqual([
    '0.00 s  operator  syncs kettle: degrees = 20, state = OFF',
    '1.00 s  world     kettle.degrees 20 → 40',
    '1.00 s  operator  syncs kettle: degrees = 40, state = OFF',
    '2.00 s  world     kettle.degrees 40 → 60',
    '2.00 s  operator  syncs kettle: degrees = 60, state = OFF',
    '3.00 s  world     kettle.state OFF → READY',
    '3.00 s  world     kettle.degrees 60 → 80',
    '3.00 s  operator  syncs kettle: degrees = 80, state = READY',
  ])
})
