import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Kit } from '../contract/index.js'
import { sketch, stage } from './fixtures/stage.js'

/** A club: whoever has joined may ring, and hears the others. */
const club = sketch((kit: Kit<unknown>) => {
  const tool = kit.artifact('club', 'A club.')
  const member = tool.property('member', z.boolean(), false, 'Is the caller a member?', { personal: true })
  const rings = tool.property('rings', z.int().min(0), 0, 'How often it was rung.')
  const welcome = tool.signal('welcome', z.object({}), 'The caller has joined.')
  const ring = tool.signal('ring', z.object({}), 'Somebody rings.')
  const about = { behaviour: '', summary: '' }
  tool.operation('join', { ...about, effects: [member.becomes(true)] }, (_args, { activity }) => {
    member.of(activity).value = true
    welcome.emit({}, { to: activity })
    return 'Joined.'
  })
  tool.operation('ring', { ...about, requires: [member.is(true)] }, (_args, { activity }) => {
    rings.value += 1
    ring.emit({}, { except: activity })
    return 'Rung.'
  })
  tool.operation('declare', about, () => {
    member.value = true
    return ''
  })
  kit.document('manual', {
    kind: 'manual',
    title: 'Club',
    summary: 'A club.',
    category: 'Clubs',
    version: '1',
    covers: [tool],
    role: 'active actuator',
    description: '',
    protocol: [],
  })
})

function open() {
  const { world, lines } = stage(club)
  const rung: string[] = []
  world.onDoorbells((bells) => rung.push(...bells.map(({ activity, tool }) => `${activity} ${tool ?? 'log'}`)))
  for (const activity of ['a', 'b']) world.focus(activity, 'club')
  const act = (activity: string, action: string) => world.execute({ tool: 'club', action, args: {}, activity }).outcome
  const sees = (activity?: string) => world.read('club', activity).properties['member']
  const hears = (activity: string) => world.signalsAfter(activity, 0).map(({ signal }) => signal)
  return { lines, rung, act, sees, hears }
}

test('a personal property is what its activity made of it, for requirements, readers and doorbells', () => {
  const { lines, rung, act, sees } = open()
  expect([act('a', 'ring'), act('a', 'join'), act('a', 'ring'), act('b', 'ring')]).toEqual([
    'refused',
    'accepted',
    'accepted',
    'refused',
  ])
  expect([sees('a'), sees('b'), sees()]).toEqual([
    { value: true, at: 0 },
    { value: false, at: 0 },
    { value: false, at: 0 },
  ])
  expect(rung).toEqual(['a club', 'a log', 'a club', 'b club', 'b log'])
  const changes = lines.flatMap((line) => (line.kind === 'change' ? [[line.property, line.activity]] : []))
  expect(changes).toEqual([
    ['member', 'a'],
    ['rings', null],
  ])
})

test('a signal reaches the one it is for, and all but the one it leaves out', () => {
  const { lines, act, hears } = open()
  act('a', 'join')
  act('a', 'ring')
  expect([hears('a'), hears('b')]).toEqual([['welcome'], ['ring']])
  const told = lines.flatMap((line) => (line.kind === 'signal' ? [[line.signal, line.activity]] : []))
  expect(told).toEqual([
    ['welcome', 'a'],
    ['ring', null],
  ])
})

test('nobody assigns a personal property for everybody', () => {
  const { act } = open()
  expect(() => act('a', 'declare')).toThrow('`member` of `club` is personal: assign it by `of(activity)`.')
})
