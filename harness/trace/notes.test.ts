import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import { tell } from './story.js'
import { noColour } from './text.js'
import { timelineOf } from './timeline.js'

const painted = {
  ...noColour,
  dim: (text: string) => `<dim>${text}</dim>`,
  red: (text: string) => `<red>${text}</red>`,
}
const notes = { thought: { colour: 'dim' }, broken: { colour: 'red', means: 'trouble' } } as const

test('a note has the line that its author gave it, in the colour that he declared, and none without a line', () => {
  const { trace } = story({}, ['operator'], notes)
    .as('operator')
    .note('thought', { depth: 2 }, '  deeper\u001B[31m')
    .note('broken', {}, 'a fuse blew')
    .note('broken')
    .note('constructor', {}, 'nobody declared this')
  expect(tell(trace, { colour: painted }).map(({ text }) => text)).toEqual([
    '<dim>  deeper[31m</dim>',
    '<red>a fuse blew</red>',
    'nobody declared this',
  ])
  expect(timelineOf(trace).lanes[0]?.troubles.map(({ what }) => what)).toEqual(['a fuse blew', 'broken'])
})

test('what stands before and behind the first dot in the middle is cut by itself, and in full nothing is', () => {
  const line = `${'a'.repeat(200)} · ${'b'.repeat(200)} · c`
  const { trace } = story().as('operator').note('plan', {}, line)
  const [short, long] = [tell(trace), tell(trace, { full: true })].map((told) => told.map(({ text }) => text))
  expect(short).toEqual([`${'a'.repeat(120)}… (200 chars) · ${'b'.repeat(120)}… (204 chars)`])
  expect(long).toEqual([line])
})

test('what one agent declares says nothing of the notes of another', () => {
  const { trace } = story({}, ['odd', 'even'], { turn: { means: 'phase' } })
    .as('odd')
    .note('turn', { label: 'mine' })
  const stranger = trace.map((record) =>
    record.kind === 'trial'
      ? { ...record, roles: record.roles.map((role) => (role.name === 'odd' ? { ...role, notes: {} } : role)) }
      : record,
  )
  expect([trace, stranger].map((each) => timelineOf(each).lanes[0]?.phases)).toEqual([
    [{ from: 0, to: 0, label: 'mine', cycle: null }],
    [],
  ])
})
