import { expect, test } from 'vitest'
import type { Happening } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import { narrate } from './story.js'

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

const bells = () => {
  const bell = { kind: 'doorbell', tool: 'kettle', delayMs: 0, count: 1 } as const
  return story()
    .as('operator')
    .add({ ...bell, what: 'dropped' })
    .at(1_000)
    .add({ ...bell, what: 'dropped' })
    .at(2_000)
    .add({ ...bell, what: 'dropped', tool: null })
    .add({ ...bell, what: 'dropped', tool: null })
    .add({ ...bell, what: 'delayed', delayMs: 700 })
    .add({ ...bell, what: 'duplicated', delayMs: 900 })
    .add({ ...bell, what: 'reordered' })
    .add({ ...bell, what: 'telemetry' })
    .add({ ...bell, what: 'storm', count: 20, delayMs: 700 }).trace
}
const told = (full: boolean) => {
  const lines = narrate(bells(), { full })
  return lines.slice(lines.indexOf('') + 1, lines.lastIndexOf(''))
}

test('doorbells of tools are folded, those of the log never are, and telemetry is told in full alone', () => {
  const rest = [
    '2.00 s  operator  the doorbell of kettle will ring in 0.7 s',
    '2.00 s  operator  the doorbell of kettle rings once more in 0.9 s',
    '2.00 s  operator  the doorbell of kettle is overtaken by others',
  ]
  const storm = '2.00 s  operator  a storm: the doorbell of kettle rings 20 times without news in 0.7 s'
  expect(told(false)).toEqual([
    '1.00 s  operator  the doorbell of kettle is lost, 2 times since 0 s',
    '2.00 s  operator  the doorbell of the log is lost',
    '2.00 s  operator  the doorbell of the log is lost',
    ...rest,
    storm,
  ])
  expect(told(true).slice(-5)).toEqual([
    ...rest,
    '2.00 s  operator  telemetry: the doorbell of kettle rings without news',
    storm,
  ])
})
