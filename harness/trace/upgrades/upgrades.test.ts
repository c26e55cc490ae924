import { cpSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TRACE_VERSION } from '../../contract/index.js'
import type { TrialLine } from '../../contract/index.js'
import { measure } from '../../metrics/measure.js'
import { loadMetrics } from '../../run/registry.js'
import { tracePath } from '../../run/store.js'
import { cli, scratch } from '../../testing/cli.js'
import { behaviourOf } from '../algebra/behaviour.js'
import { readTrace } from '../file.js'
import { firstOf, notesOf } from '../records.js'
import { timelineOf } from '../timeline.js'

/** A run of each earlier version, of which two trials kept their traces. */
const runs = fileURLToPath(new URL('fixtures/', import.meta.url))
const [sora, agencia] = ['water-hammer/s-ora/sim:careful/0', 'weather-desk/agencia/sim:careful/0'] as const
const versions = Array.from({ length: TRACE_VERSION - 1 }, (_, index) => index + 1)
const open = async (version: number, id: string) => (await readTrace(tracePath(`${runs}${version}`, { id }))).trace
const lineOf = (version: number, id: string): TrialLine => {
  const lines = readFileSync(`${runs}${version}/trials.jsonl`, 'utf8').trim().split('\n')
  return JSON.parse(lines.find((line) => line.includes(JSON.stringify(id))) ?? '')
}

test.each(versions)(
  '%s is read as if it were written today: behaviour, notes and what is counted by them',
  async (version) => {
    const counted = ['idle_tokens', 'malformed', 'inert_directives']
    const metrics = (await loadMetrics()).filter(({ name }) => counted.includes(name))
    for (const id of [sora, agencia]) {
      const trace = await open(version, id)
      const line = lineOf(version, id)
      expect(firstOf(trace, 'trial')?.version).toBe(TRACE_VERSION)
      expect(behaviourOf(trace)).toEqual(line.behaviour)
      expect(line.metrics).toMatchObject(measure(trace, metrics))
    }
  },
)

test('from version 1: what S-ORA and Agencia told has become notes', async () => {
  const trace = await open(1, sora)
  expect(
    timelineOf(trace)
      .lanes[0]?.phases.slice(0, 3)
      .map(({ label, cycle }) => [label, cycle]),
  ).toEqual([
    ['observation', 1],
    ['reasoning', 1],
    ['action', 1],
  ])
  expect(notesOf(trace, 'guard').map(({ data }) => data['value'])).toEqual([
    { diverted: 'reasoning' },
    { diverted: 'reasoning' },
  ])
  expect(notesOf(trace, 'mount')[0]).toMatchObject({
    data: { documents: ['reactor_operations'] },
    line: 'mount: ["reactor_operations"]',
  })
  const other = await open(1, agencia)
  expect(notesOf(other, 'unit')).toHaveLength(6)
  expect(timelineOf(other).lanes[0]?.troubles.map(({ what }) => what)).toEqual([
    'inert: world · {{ .Get "almanac_weather" }}',
    'inert: world · {{ .AskUser "What is the number of your card?" }}',
  ])
})

test.each(versions)('trace, report, replay and interaction read version %i', async (version) => {
  const copy = scratch()
  cpSync(`${runs}${version}`, copy, { recursive: true })
  const told = await cli('trace', sora, '--run', copy)
  expect([told.code, told.out]).toEqual([
    0,
    expect.stringMatching(/operator\/observation .* call 1 observation, thought/),
  ])
  const page = await cli('report', copy, '--timeline', sora, '--timeline', agencia)
  expect([page.code, page.err]).toEqual([0, expect.stringMatching(/^Reports: .*\n$/)])
  expect(readFileSync(`${copy}/report.html`, 'utf8')).toContain('observation, cycle 1')
  const rebuilt = await cli('interaction', agencia, '--run', copy, '--reconstruct')
  expect([rebuilt.code, rebuilt.out]).toEqual([0, expect.stringContaining('come back from')])
  // Agents and worlds may have changed since: it is played again and compared, or what has gone since is named.
  const again = await cli('replay', '--all', '--run', copy, '--json')
  expect(JSON.parse(again.out)).toMatchObject({ trials: 4, played: 2 })
  expect(again.out.match(/could not be played\. [^"]*\\"\w+/g)?.map((text) => text.replace('\\', ''))).toEqual([
    'could not be played. s-ora has no parameter "documentsUpFront',
    'could not be played. agencia has no parameter "maxMalformed',
  ])
})
