import { expect, test } from 'vitest'
import { z } from 'zod'
import { manualOf, play, sketch, stage } from './fixtures/stage.js'
import type { Doorbell, LiveWorld } from './live.js'

/** Two tools; one operation of `left` changes both twice and emits three signals. */
const pair = sketch((kit) => {
  const left = kit.artifact('left', '')
  const right = kit.artifact('right', '')
  const [a, b] = [left.property('a', z.int(), 0, ''), left.property('b', z.int(), 0, '')]
  const c = right.property('c', z.int(), 0, '')
  const ping = left.signal('ping', z.int(), '')
  const pong = right.signal('pong', z.int(), '')
  left.operation('go', { summary: '', behaviour: '' }, () => {
    ping.emit(a.value)
    c.value += 1
    a.value += 1
    b.value += 1
    pong.emit(c.value)
    ping.emit(a.value)
    return 'Gone.'
  })
  kit.document('manual', manualOf(left, right))
})
/** A tool of two signals and two properties, of which one changes. */
const noisy = sketch((kit) => {
  const bell = kit.artifact('bell', '')
  const signals = ['ding', 'dong'].map((name) => bell.signal(name, z.int(), ''))
  const rung = bell.property('rung', z.int(), 0, '')
  bell.property('colour', z.string(), 'brass', '')
  bell.operation('ring', { summary: '', behaviour: '' }, () => {
    for (const signal of signals) signal.emit(1)
    rung.value += 1
    return 'Rung.'
  })
  kit.document('manual', manualOf(bell))
})
const go = (world: LiveWorld) => world.execute({ tool: 'left', action: 'go', args: {}, activity: 'x' })
const heard = (world: LiveWorld, activity: string, seq = 0) =>
  world.signalsAfter(activity, seq).map((entry) => [entry.seq, entry.signal, entry.payload])

test('a log starts at the first focus, holds focused tools alone, and survives an unfocus', () => {
  const { world } = stage(pair)
  go(world)
  world.focus('one', 'left')
  world.focus('two', 'right')
  world.focus('two', 'left')
  go(world)
  world.unfocus('one', 'left')
  world.unfocus('two', 'left')
  go(world)
  world.focus('one', 'left')
  expect(heard(world, 'one')).toEqual([
    [10, 'ping', 1],
    [12, 'ping', 2],
  ])
  expect(heard(world, 'two')).toEqual([
    [10, 'ping', 1],
    [11, 'pong', 2],
    [12, 'ping', 2],
    [17, 'pong', 3],
  ])
  expect(heard(world, 'two', 11)).toEqual([
    [12, 'ping', 2],
    [17, 'pong', 3],
  ])
  expect(heard(world, 'two', 17)).toEqual([])
  expect(heard(world, 'nobody')).toEqual([])
})

test('a step rings at most once per activity and tool, and once per log: properties first', () => {
  const { world, lines } = stage(pair)
  const bells: (Doorbell & { lines: number; heard: number })[] = []
  const stop = world.onDoorbells((rung) => {
    for (const bell of rung) bells.push({ ...bell, lines: lines.length, heard: heard(world, 'one').length })
  })
  world.focus('two', 'right')
  world.focus('one', 'left')
  world.focus('one', 'right')
  go(world)
  stop()
  go(world)
  const committed = { lines: 7, heard: 3 }
  expect(bells).toEqual([
    { activity: 'two', tool: 'right', ...committed },
    { activity: 'one', tool: 'right', ...committed },
    { activity: 'one', tool: 'left', ...committed },
    { activity: 'two', tool: null, ...committed },
    { activity: 'one', tool: null, ...committed },
  ])
})

test('a reading carries the time of each last change, and is a copy', async () => {
  await play(pair, async (world, self) => {
    await self.sleep(7)
    const before = world.read('left')
    go(world)
    await self.sleep(3)
    expect(before).toEqual({ tool: 'left', properties: { a: { value: 0, at: 0 }, b: { value: 0, at: 0 } }, readAt: 7 })
    expect(world.read('right')).toEqual({ tool: 'right', properties: { c: { value: 1, at: 7 } }, readAt: 10 })
  })
})

test('a tool that does not exist can be neither read nor focused', () => {
  const { world } = stage(pair)
  expect(() => world.read('up')).toThrow('No tool named "up". Known: left, right.')
  expect(() => world.focus('one', 'up')).toThrow('No tool named "up". Known: left, right.')
})

test('a narrowed focus rings, logs and shows what it names alone; of a kind that it does not name it lets all through', () => {
  const { world } = stage(pair)
  const bells: Doorbell[] = []
  world.onDoorbells((rung) => bells.push(...rung))
  expect(world.focus('one', 'left', ['a'])).toBe(true)
  expect(world.focus('two', 'left', ['ping'])).toBe(true)
  expect(world.focus('two', 'right', ['pong'])).toBe(true)
  expect(world.focus('three', 'left', ['a', 'pong'])).toBe(false)
  go(world)
  expect(bells).toEqual([
    { activity: 'one', tool: 'left' },
    { activity: 'two', tool: 'right' },
    { activity: 'two', tool: 'left' },
    { activity: 'one', tool: null },
    { activity: 'two', tool: null },
  ])
  expect(Object.keys(world.read('left', 'one', 0, ['a']).properties)).toEqual(['a'])
  expect(heard(world, 'one').map(([, signal]) => signal)).toEqual(['ping', 'ping'])
  expect(heard(world, 'two').map(([, signal]) => signal)).toEqual(['ping', 'pong', 'ping'])
})

test('a later focus takes the place of an earlier one, whatever that was narrowed to', () => {
  const { world } = stage(noisy)
  const bells: Doorbell[] = []
  world.onDoorbells((told) => bells.push(...told))
  world.focus('one', 'bell', ['ding', 'colour'])
  world.execute({ tool: 'bell', action: 'ring', args: {}, activity: 'x' })
  expect(heard(world, 'one').map(([, signal]) => signal)).toEqual(['ding'])
  expect(bells).toEqual([{ activity: 'one', tool: null }])
  world.focus('one', 'bell')
  world.execute({ tool: 'bell', action: 'ring', args: {}, activity: 'x' })
  expect(heard(world, 'one').map(([, signal]) => signal)).toEqual(['ding', 'ding', 'dong'])
})
