import { describe, expect, it } from 'vitest'
import { deliverySchema } from '../contract/index.js'
import type { Delivery, Door, TraceRecord } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { UUID, codeOf, play } from './fixtures/stage.js'
import type { Scene } from './fixtures/stage.js'
import { createReadFates } from './reads.js'

const faults = (params: Partial<Delivery>, seed = 'reads') => ({
  delivery: { params: deliverySchema.parse(params), random: createRandom(seed) },
})
const told = (trace: readonly TraceRecord[]) =>
  trace.flatMap((line) =>
    line.kind === 'read_fault' ? [[line.at, line.what, line.by, line.ms, ...line.tools] as const] : [],
  )

async function boiling(scene: Scene, door: Door): Promise<void> {
  await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
  await door.call('kettle', { action: 'heat' })
}

describe('a read', () => {
  it('that fails tells so in a sentence, costs no time, and is no poll', async () => {
    const { trace } = await play(
      async ({ session, self, clock }) => {
        const door = await session.open('poll', UUID, self)
        expect(await door.call('read_properties', { tools: ['kettle'] })).toEqual({
          kind: 'poll',
          outcome: 'failed',
          text: '{"notRead":["kettle"],"reason":"The read failed: what holds now is not known.","at":0}',
          data: { notRead: ['kettle'], reason: 'The read failed: what holds now is not known.', at: 0 },
          operationId: null,
          at: 0,
        })
        expect(clock.now()).toBe(0)
      },
      faults({ readFail: 1 }),
    )
    expect(told(trace)).toEqual([[0, 'failed', 'poll', 0, 'kettle']])
    expect(trace.some(({ kind }) => kind === 'poll')).toBe(false)
  })

  it('that gets no answer is waited for, and then tells so', async () => {
    const { trace } = await play(
      async ({ session, self }) => {
        const door = await session.open('poll', UUID, self)
        const { outcome, text, at } = await door.call('read_properties', {})
        expect([outcome, at]).toEqual(['failed', 2_000])
        expect(text).toContain('The read had no answer within 2000 ms: what holds now is not known.')
      },
      faults({ readTimeout: 1, readTimeoutMs: 2_000 }),
    )
    expect(told(trace)).toEqual([[0, 'timed_out', 'poll', 2_000]])
  })

  it('that is slow brings what is true when it ends', async () => {
    const { trace } = await play(
      async (scene) => {
        const door = await scene.session.open('poll', UUID, scene.self)
        await boiling(scene, door)
        await door.call('read_properties', { tools: ['kettle'] })
      },
      faults({ readSlowMs: 60_000 }),
    )
    const [[, what, , ms] = []] = told(trace)
    expect(what).toBe('slow')
    expect(ms).toBeGreaterThan(2_000)
    expect(trace.find(({ kind }) => kind === 'poll')).toMatchObject({ at: ms, values: { 'kettle.temp': 100 } })
  })

  it('that is stale brings what was true before, and says of when it is', async () => {
    const { trace } = await play(
      async (scene) => {
        const door = await scene.session.open('poll', UUID, scene.self)
        await scene.self.sleep(30_000)
        await boiling(scene, door)
        await scene.self.sleep(5_000)
        const { text, at } = await door.call('read_properties', { tools: ['kettle'] })
        expect(text).toContain(`"at":${at}}`)
        expect(at).toBeLessThan(30_000)
        expect(text).toContain('"power":{"value":"OFF","at":0}')
      },
      faults({ readStaleMs: 35_000 }, 'old'),
    )
    expect(told(trace)).toMatchObject([[35_000, 'stale', 'poll', expect.any(Number), 'kettle']])
  })

  it('of a tool in focus that fails leaves what was known, says so, and is tried again at the next sync', async () => {
    const { trace } = await play(
      async (scene) => {
        const door = await scene.session.open('push', UUID, scene.self)
        await door.focus('kettle')
        for (let look = 0; look < 2; look += 1) {
          const readings = await door.sync()
          expect(readings).toEqual([
            {
              tool: 'kettle',
              properties: {},
              readAt: 0,
              notRead: 'The read failed: what holds now is not known.',
            },
          ])
        }
      },
      faults({ readFail: 1 }),
    )
    expect(told(trace)).toEqual([
      [0, 'failed', 'sync', 0, 'kettle'],
      [0, 'failed', 'sync', 0, 'kettle'],
    ])
  })

  it('for the condition of a wait that fails ends no wait, and the result says what is not known', async () => {
    await play(
      async (scene) => {
        const door = await scene.session.open('await', UUID, scene.self)
        const when = { tool: 'kettle', property: 'power', op: 'is', value: 'OFF' }
        const { outcome, text, at } = await door.call('wait_for', { when, timeoutMs: 1_000 })
        expect([outcome, at]).toEqual(['waited', 1_000])
        expect(text).toContain('"ended":"timeout"')
        expect(text).toContain('"observed":[],"notRead":["kettle"],"reason":"The read failed')
      },
      faults({ readFail: 1 }),
    )
  })

  it('of the log of signals never fails: what came is told', async () => {
    await play(
      async (scene) => {
        const door = await scene.session.open('push', UUID, scene.self)
        await door.focus('kettle')
        await boiling(scene, door)
        await scene.self.sleep(5_000)
        expect(await door.drain()).toHaveLength(1)
      },
      faults({ readFail: 1, readStaleMs: 60_000 }),
    )
  })
})

describe('fates of reads', () => {
  const fatesOf = (params: Partial<Delivery>) => createReadFates(deliverySchema.parse(params), createRandom('fates'))

  it('are not drawn where every read succeeds', () => {
    expect(fatesOf({ doorbellDrop: 0.5, readTimeoutMs: 1 })).toBeNull()
  })

  it('are keyed by activity, tools and ordinal: what fails at 10 % fails at 30 %, whoever else reads between', () => {
    const few = fatesOf({ readFail: 0.1 })
    const many = fatesOf({ readFail: 0.3, readSlowMs: 100 })
    const fails = Array.from({ length: 500 }, () => {
      const rarely = few?.('a', ['kettle']).brings ?? {}
      many?.('a', ['cup'])
      const often = many?.('a', ['kettle']).brings ?? {}
      return ['rarely', 'often'].filter((_, index) => 'reason' in (index === 0 ? rarely : often)).join(' and ')
    })
    expect(new Set(fails)).toEqual(new Set(['', 'often', 'rarely and often']))
    expect(fails.filter((each) => each === 'often').length).toBeGreaterThan(70)
  })
})
