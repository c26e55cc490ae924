import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { TraceRecord } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { watchHandles } from '../testing/handles.js'
import { inMemoryWire } from './connection.js'
import type { Wire } from './connection.js'
import { boxWorld } from './fixtures/box.js'
import { slowWire } from './fixtures/slow-wire.js'
import { UUID, codeOf, play, stage } from './fixtures/stage.js'

/** Two agents with a session each, in one kettle's world: one acts, the other looks, and both wake each other. */
async function duet(wire: () => Wire): Promise<TraceRecord[]> {
  const set = stage()
  const { clock } = set
  const host = await set.open({ wire })
  const guest = await set.open({ wire, role: 'guest' })
  clock.spawn('guest', async (self) => {
    const door = await guest.open('push', 'guest-1', self)
    await door.focus('kettle')
    await door.focus('cup')
    for (let seen = 0; seen < 4; seen += 1) {
      guest.bell.reset()
      await door.sync()
      await door.drain()
      await self.wait(guest.bell, 5_000)
    }
  })
  clock.spawn('host', async (self) => {
    const door = await host.open('push', 'host-1', self)
    await door.focus('kettle')
    await self.sleep(0)
    await door.call('kettle', { action: 'unlock', code: codeOf(set) })
    await door.call('kettle', { action: 'heat' })
    await door.call('system_discovery', {})
    host.bell.reset()
    while ((await door.drain()).length === 0) {
      await self.wait(host.bell, null)
      host.bell.reset()
    }
    await door.call('kettle', { action: 'pour', amount: 301 })
    await door.call('kettle', { action: 'pour', amount: 20 })
  })
  const { failed } = await clock.run({ untilMs: 60_000 })
  expect(failed).toEqual([])
  await host.close()
  await guest.close()
  return set.trace
}

describe('the trace', () => {
  it('is the same on a wire without delay and on fifty wires with random ones', async () => {
    const expected = await duet(inMemoryWire)
    expect(expected.map(({ kind }) => kind)).toContain('delivered')
    for (let repetition = 0; repetition < 50; repetition += 1) {
      const wire = slowWire(createRandom('delays').stream(repetition))
      expect(await duet(wire)).toEqual(expected)
    }
  })
})

describe('a hand', () => {
  it('solves the world by its signals', async () => {
    const { trace } = await play(async ({ session, self, world, clock }) => {
      await world.oracle(await session.hand(UUID, self, 'signal'))
      expect([world.reached(), world.violations(), clock.now()]).toEqual([true, [], 2_000])
    })
    expect(trace.flatMap((line) => (line.kind === 'consumed' ? line.seqs : []))).toEqual([6])
  })

  it('that sleeps blindly pours when its sleep is over, and follows nothing', async () => {
    const { trace } = await play(async ({ session, self, world, clock }) => {
      await world.oracle(await session.hand(UUID, self, { sleepMs: 1_500 }))
      expect([world.reached(), world.violations(), clock.now()]).toEqual([false, ['scald'], 1_500])
    })
    expect(trace.map(({ kind }) => kind).filter((kind) => kind === 'focus' || kind === 'sleep')).toEqual(['sleep'])
  })

  it('keeps a signal that came before the one it waited for only until then, and later ones for later', async () => {
    const environment = boxWorld((box, kit) => {
      const [a, b, c] = [
        box.signal('a', z.strictObject({}), 'First.'),
        box.signal('b', z.strictObject({}), 'Second.'),
        box.signal('c', z.strictObject({}), 'Third.'),
      ]
      const start = box.operation('start', { summary: 'Starts.', behaviour: '' }, () => {
        for (const signal of [a, b, c]) kit.after(10, () => signal.emit({}))
        return 'Started.'
      })
      return async (hand) => {
        expect(await hand.operate(start)).toEqual({ accepted: true, message: 'Started.' })
        await hand.sleep(20)
        await hand.waitFor(b)
        await hand.waitFor(c)
      }
    })
    const { trace } = await play(
      async ({ session, self, world }) => world.oracle(await session.hand(UUID, self, 'signal')),
      { environment },
    )
    expect(trace.flatMap((line) => (line.kind === 'consumed' ? [line.seqs] : []))).toEqual([[1, 2], [3]])
  })
})

describe('a session', () => {
  it('has one door per activity', async () => {
    await play(async ({ session, self }) => {
      await session.open('act', UUID, self)
      await expect(session.open('push', UUID, self)).rejects.toThrow(`The activity ${UUID} has a door already.`)
    })
  })

  it('notices a call that was not awaited before a wait', async () => {
    await play(async ({ session, self }) => {
      const door = await session.open('poll', UUID, self)
      const forgotten = door.call('system_discovery', {})
      expect(() => session.assertAwaited()).toThrow('A call of a door was not awaited before a wait.')
      await expect(door.call('sleep', { ms: 1 })).rejects.toThrow('A call of a door was not awaited before a wait.')
      await forgotten
      session.assertAwaited()
    })
  })

  it('lets an error of the world through as it was thrown', async () => {
    const bug = new Error('The author divided by zero.')
    const environment = boxWorld((box) => {
      box.operation('open', { summary: 'Opens.', behaviour: '' }, () => {
        throw bug
      })
    })
    await play(
      async ({ session, self }) => {
        const door = await session.open('act', UUID, self)
        await expect(door.call('box', { action: 'open' })).rejects.toBe(bug)
      },
      { environment },
    )
  })

  it('may be closed under a call, which then never settles', async () => {
    const { clock, open } = stage()
    const session = await open({ wire: slowWire(createRandom('delays').stream(0)) })
    const answers: string[] = []
    clock.spawn('host', async (self) => {
      const door = await session.open('act', UUID, self)
      void door.call('system_discovery', {}).then(
        () => answers.push('settled'),
        () => answers.push('failed'),
      )
      await session.close()
    })
    await clock.run({ untilMs: 10 })
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(answers).toEqual([])
  })

  it('leaves nothing behind: no timers, and no doorbell for whoever has gone', async () => {
    const { clock, trace, world, open } = stage()
    const opened = watchHandles()
    let sent = 0
    clock.spawn('host', async (self) => {
      for (let count = 0; count < 100; count += 1) {
        const session = await open()
        const door = await session.open('push', `activity-${count}`, self)
        await door.focus('kettle')
        await session.close()
      }
      const send = clock.sent.bind(clock)
      clock.sent = () => {
        sent += 1
        send()
      }
      world.execute({ tool: 'kettle', action: 'unlock', args: { code: codeOf({ world }) }, activity: UUID })
    })
    const { failed } = await clock.run({ untilMs: 10 })
    expect(failed).toEqual([])
    expect(trace.at(-2)).toMatchObject({ kind: 'change', property: 'locked' })
    expect(sent).toBe(0)
    expect(opened()).toEqual([])
  })
})
