import { describe, expect, it } from 'vitest'
import { UUID, codeOf, plain, play } from '../fixtures/stage.js'
import type { Scene } from '../fixtures/stage.js'
import type { PushDoor } from './push.js'

async function pushed(body: (door: PushDoor, scene: Scene) => Promise<void>): ReturnType<typeof play> {
  return play(async (scene) => body(await scene.session.open('push', UUID, scene.self), scene))
}

async function heat(door: PushDoor, scene: Scene): Promise<void> {
  await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
  await door.call('kettle', { action: 'heat' })
}

const hot = {
  seq: 6,
  at: 2_000,
  signal: 'kettle.hot',
  tool: 'kettle',
  payload: { temp: 100, msg: 'Ready for op-2.' },
  operationId: 'op-2',
}

/** The kettle's reading in the course of its heating. */
function kettle(temp: number, power: string, at: number) {
  const properties = {
    power: { value: power, at: 0 },
    temp: { value: temp, at },
    locked: { value: power === 'OFF', at: 0 },
  }
  return { tool: 'kettle', properties, readAt: at }
}

describe('a signal', () => {
  it('rings, is pending until it is drained, and is drained exactly once', async () => {
    const { trace } = await pushed(async (door, scene) => {
      const { session, self } = scene
      await door.focus('kettle')
      await heat(door, scene)
      let rings = 0
      while ((await door.pending()).length === 0) {
        session.bell.reset()
        expect(await self.wait(session.bell, 10_000)).toBe('rung')
        rings += 1
      }
      expect(rings).toBe(2)
      expect(await door.pending()).toEqual([hot])
      expect(await door.drain()).toEqual([hot])
      expect(await door.drain()).toEqual([])
      await door.resync()
      expect(await door.drain()).toEqual([])
    })
    const heard = plain(trace).filter(
      (line) => 'kind' in line && ['signal', 'delivered', 'consumed', 'resync'].includes(String(line.kind)),
    )
    expect(heard).toEqual([
      { at: 2_000, kind: 'signal', seq: 6, tool: 'kettle', signal: 'kettle.hot', payload: hot.payload, op: 'op-2' },
      { at: 2_000, kind: 'delivered', seq: 6 },
      { at: 2_000, kind: 'consumed', seqs: [6] },
      { at: 2_000, kind: 'resync' },
    ])
    expect(trace.find((line) => line.kind === 'delivered')).toMatchObject({ role: 'host', activity: UUID })
  })

  it('is seen by both of two looks at once, and doubled for neither', async () => {
    await pushed(async (door, scene) => {
      await door.focus('kettle')
      await heat(door, scene)
      await scene.self.sleep(3_000)
      await door.resync()
      expect(await Promise.all([door.pending(), door.drain()])).toEqual([[hot], [hot]])
      expect(await door.drain()).toEqual([])
    })
  })

  it('of a tool out of focus reaches nobody', async () => {
    await pushed(async (door, scene) => {
      await door.focus('kettle')
      await heat(door, scene)
      await door.unfocus('kettle')
      await scene.self.sleep(3_000)
      await door.resync()
      expect([await door.drain(), await door.sync(), door.focused()]).toEqual([[], [], []])
    })
  })
})

describe('a sync', () => {
  it('reads what is dirty alone, and answers with all that is in focus, in its order', async () => {
    const { trace } = await pushed(async (door, scene) => {
      await door.focus('kettle')
      await door.focus('cup')
      await door.focus('kettle')
      expect(door.focused()).toEqual(['kettle', 'cup'])
      const cup = { tool: 'cup', properties: { level: { value: 0, at: 0 } }, readAt: 0 }
      expect(await door.sync()).toEqual([kettle(20, 'OFF', 0), cup])
      await heat(door, scene)
      await scene.self.sleep(1_000)
      expect(await door.sync()).toEqual([kettle(60, 'HEATING', 1_000), cup])
      expect(await door.sync()).toEqual([kettle(60, 'HEATING', 1_000), cup])
    })
    expect(trace.flatMap((line) => (line.kind === 'sync' ? [[line.at, line.tool]] : []))).toEqual([
      [0, 'kettle'],
      [0, 'cup'],
      [1_000, 'kettle'],
    ])
  })

  it('after a resync reads everything again', async () => {
    const { trace } = await pushed(async (door) => {
      await door.focus('cup')
      await door.sync()
      await door.sync()
      await door.resync()
      await door.sync()
    })
    const values = { 'cup.level': 0 }
    expect(plain(trace)).toEqual([
      { at: 0, kind: 'focus', tool: 'cup' },
      { at: 0, kind: 'sync', tool: 'cup', values },
      { at: 0, kind: 'resync' },
      { at: 0, kind: 'sync', tool: 'cup', values },
    ])
  })
})

it('a tool that does not exist cannot be focused, which is recorded and breaks nothing', async () => {
  const { trace } = await pushed(async (door) => {
    await door.focus('teapot')
    await door.unfocus('teapot')
    expect([door.focused(), await door.sync()]).toEqual([[], []])
  })
  expect(plain(trace)).toEqual([
    { at: 0, kind: 'invalid', tool: 'teapot', args: {}, message: 'No tool named "teapot" to focus.' },
  ])
})

it('focus is per activity: of two doors only the one that looks is rung', async () => {
  await play(async (scene) => {
    const { session, self } = scene
    const looking = await session.open('push', UUID, self)
    const other = await session.open('push', 'another', self)
    await looking.focus('kettle')
    await other.focus('cup')
    await heat(looking, scene)
    await self.sleep(3_000)
    expect([await looking.drain(), await other.drain()]).toEqual([[hot], []])
  })
})

describe('its verbs', () => {
  const timeoutMs = 5_000

  it('are carried out, though no agent is offered them unasked', async () => {
    await pushed(async (door, scene) => {
      expect(door.tools().filter(({ name }) => door.verbs.some((verb) => verb.name === name))).toEqual([])
      expect((await door.call('focus', { tools: ['kettle', 'cup'] })).text).toBe('{"focused":["kettle","cup"],"at":0}')
      expect((await door.call('unfocus', { tools: ['cup'] })).text).toBe('{"unfocused":["cup"],"at":0}')
      expect(door.focused()).toEqual(['kettle'])
      await heat(door, scene)
      const waited = await door.call('wait', { signals: ['kettle.hot'], timeoutMs })
      expect(waited).toMatchObject({ kind: 'wait', outcome: 'waited', at: 2_000 })
      expect(waited.data).toEqual({ waited: { signals: ['kettle.hot'] }, ended: 'signal', at: 2_000 })
      // The wait consumes nothing: signals are shown as they come.
      expect(await door.drain()).toEqual([hot])
    })
  })

  it('let a condition on a tool in focus end a wait, and a time-out the others', async () => {
    await pushed(async (door, scene) => {
      await door.call('focus', { tools: ['kettle'] })
      await heat(door, scene)
      const when = { tool: 'kettle', property: 'temp', op: 'at_least', value: 60 }
      expect((await door.call('wait', { when, timeoutMs })).data).toMatchObject({ ended: 'condition', at: 1_000 })
      expect((await door.call('wait', { signals: ['cup.overflow', 'kettle.hot'], timeoutMs })).at).toBe(2_000)
      await door.drain()
      const again = await door.call('wait', { signals: ['kettle.hot'], timeoutMs })
      expect(again.data).toMatchObject({ ended: 'timeout', at: 2_000 + timeoutMs })
    })
  })

  it.each([
    ['focus', { tools: ['kettle', 'oven'] }, 'No tool named "oven". Known: kettle, cup.'],
    ['wait', { signals: [], timeoutMs }, 'signals: name at least one, or a condition in when'],
    [
      'wait',
      { signals: ['cup.overflow'], timeoutMs },
      'signals: nothing would end a wait for "cup.overflow". No document that you have read names a signal.',
    ],
    [
      'wait',
      { when: { tool: 'cup', property: 'level', op: 'is', value: 1 }, timeoutMs },
      'when.tool: cup is not in focus',
    ],
  ])('turn away %s with %j, and nothing is done', async (name, args, error) => {
    await pushed(async (door, scene) => {
      await door.focus('kettle')
      expect(await door.call(name, args)).toMatchObject({ outcome: 'invalid', data: { error } })
      expect([scene.clock.now(), door.focused()]).toEqual([0, ['kettle']])
    })
  })
})

describe('a narrowed focus', () => {
  it('reads what it names, is recorded with it, and is refused where the tool has no such thing', async () => {
    const { trace } = await pushed(async (door, scene) => {
      await door.focus('kettle', ['power', 'kettle.hot'])
      expect(await door.sync()).toEqual([{ tool: 'kettle', properties: { power: { value: 'OFF', at: 0 } }, readAt: 0 }])
      await door.focus('kettle', ['steam'])
      await heat(door, scene)
      await door.focus('kettle')
      expect(Object.keys((await door.sync())[0]?.properties ?? {})).toEqual(['power', 'temp', 'locked'])
      await door.unfocus('kettle')
      expect(door.focused()).toEqual([])
    })
    const told = plain(trace).filter(
      (line) => 'kind' in line && ['focus', 'unfocus', 'invalid'].includes(String(line.kind)),
    )
    expect(told).toMatchObject([
      { kind: 'focus', tool: 'kettle', only: ['power', 'kettle.hot'] },
      { kind: 'invalid', message: 'No tool named "kettle" with steam to focus.' },
      { kind: 'focus', tool: 'kettle' },
      { kind: 'unfocus', tool: 'kettle' },
    ])
  })
})
