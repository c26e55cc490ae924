import { expect, test } from 'vitest'
import { story } from '../../../testing/trace-builder.js'
import { timelineOf } from '../../../trace/timeline.js'
import { ticks } from './frame.js'
import { timelineSvg } from './svg.js'

const blind = story({ agent: 'react-sync' })
  .as('operator')
  .call({ lastsMs: 2_000, tool: { name: 'kettle', args: '{}' } })
  .operate('kettle.open', { outcome: 'harmed', message: 'Bang <b>.' })
  .change('kettle.valve', 'SHUT', '<i>BROKEN</i>', 'op-1')
  .add({ kind: 'violation', violation: 'hammer', op: 'op-1' })
  .verdict('violated', ['hammer']).trace
const patient = story({ agent: 's-ora' }, ['operator'], { phase: { means: 'phase' } })
  .as('operator')
  .note('phase', { label: 'observation', cycle: 1 })
  .call({ lastsMs: 4_000 })
  .add({ kind: 'suspend', signals: ['kettle.boils'], when: null, timeoutMs: null })
  .at(20_000)
  .signal('kettle.boils', 4, { tool: 'kettle' })
  .as('operator')
  .add({ kind: 'wake', reason: 'signal', signals: ['kettle.boils'] })
  .verdict('solved').trace

/** The texts that the picture shows, without those that only a pointer brings up. */
const textsOf = (svg: string) =>
  [...svg.replaceAll(/<title>.*?<\/title>/gs, '').matchAll(/<text[^>]*>(.*?)<\/text\s*>/gs)].map(([, text = '']) =>
    text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

test('two trials stand above each other on one scale, with verdicts, names of tracks and a legend of what is there', () => {
  const texts = textsOf(timelineSvg([timelineOf(blind), timelineOf(patient)]).source)
  expect(texts.filter((text) => !/^[\d ]*$/.test(text))).toEqual([
    'react-sync violated, hammer after 2 s · scenario 0 · sim:typical (simulated model) · thinking fixed:1000',
    'the agent has ended',
    'world',
    'valve',
    'SHUT',
    '&lt;i&gt;BROKEN&lt;/i&gt;',
    'signals, violations',
    'hammer',
    'operator',
    'thinking (1 calls)',
    'operations',
    'open',
    'virtual time (s)',
    's-ora solved after 20 s · scenario 0 · sim:typical (simulated model) · thinking fixed:1000',
    'world',
    'signals, violations',
    'kettle.boils',
    'operator',
    'phase',
    'thinking (1 calls)',
    'waits',
    'suspended',
    'operations',
    'virtual time (s)',
    'observation',
    'model call: thinking time',
    'suspended',
    'violation',
    'signal',
  ])
})

test('the same moment has the same place in both trials, and a violation is marked across all tracks of its own', () => {
  const { source } = timelineSvg([timelineOf(blind), timelineOf(patient)])
  const [harm, ...others] = [...source.matchAll(/class="harm" d="M([\d.]+) /g)].map(([, x]) => Number(x))
  expect([harm, others]).toEqual([Math.round((190 + (2 / 20) * 896) * 10) / 10, []])
  expect([...source.matchAll(/<text x="([\d.]+)"[^>]*class="t a"[^>]*>10</g)].map(([, x]) => x)).toEqual(['638', '638'])
})

test('ticks are round numbers, at most a dozen and one, for spans from milliseconds to hours', () => {
  for (const span of [3, 950, 13_770, 80_810, 1_800_000, 86_400_000]) {
    const marks = ticks(span)
    expect(marks.length).toBeGreaterThan(3)
    expect(marks.length).toBeLessThanOrEqual(13)
    expect(marks.at(-1)).toBeLessThanOrEqual(span)
  }
  expect(ticks(80_810)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000])
})

test('agents of one name are told apart by the parameters in which they differ', () => {
  const variant = (guard: boolean) =>
    timelineOf(
      story({ agent: 's-ora', agentParams: { guard, window: 7 } })
        .as('operator')
        .verdict('solved').trace,
    )
  const heads = textsOf(timelineSvg([variant(true), variant(false)]).source).filter((text) => text.startsWith('s-ora'))
  expect(heads.map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
    's-ora guard=true solved',
    's-ora guard=false solved',
  ])
})
