import { describe, expect, it } from 'vitest'
import { PERFECT_DELIVERY } from '../contract/index.js'
import type { Door, JsonObject } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { UUID, codeOf, plain, play } from './fixtures/stage.js'
import type { Scene } from './fixtures/stage.js'
import type { AsyncDoor, BlockDoor } from './surfaces/index.js'

const heat = { action: 'heat' }
const unlock = (door: Door, scene: Scene) => door.call('kettle', { action: 'unlock', code: codeOf(scene) })
const hot = (seq: number, at: number, of: string) => ({
  seq,
  at,
  signal: 'kettle.hot',
  tool: 'kettle',
  payload: { temp: 100, msg: `Ready for ${of}.` },
  operationId: of,
})
const lossy = { params: { ...PERFECT_DELIVERY, doorbellDrop: 1 }, random: createRandom('loss') }
const waits = (trace: Awaited<ReturnType<typeof play>>['trace']) =>
  plain(trace.filter(({ kind }) => ['suspend', 'wake', 'consumed', 'resync'].includes(kind)))

describe('a door that blocks', () => {
  const blocked = (body: (door: BlockDoor, scene: Scene) => Promise<void>, options = {}) =>
    play(async (scene) => body(await scene.session.open('block', UUID, scene.self), scene), options)

  it('returns an operation with the signals of its own end, when that has come', async () => {
    const { trace } = await blocked(async (door, scene) => {
      await unlock(door, scene)
      const { data, at } = await door.call('kettle', heat)
      expect(data).toMatchObject({ at: 0, completed: true, signals: [hot(6, 2_000, 'op-2')], returnedAt: 2_000 })
      expect(at).toBe(2_000)
    })
    expect(waits(trace)).toEqual([
      { at: 0, kind: 'suspend', signals: ['kettle.hot'], when: null, timeoutMs: 1_200_000 },
      { at: 2_000, kind: 'wake', reason: 'signal', signals: ['kettle.hot'] },
      { at: 2_000, kind: 'consumed', seqs: [6] },
    ])
  })

  it('does not wait for what was refused, or is not latent', async () => {
    await blocked(async (door, scene) => {
      expect((await door.call('kettle', heat)).outcome).toBe('refused')
      await unlock(door, scene)
      expect(scene.clock.now()).toBe(0)
    })
  })

  it('reads the log at its time-out, although the doorbell was lost', async () => {
    const { trace } = await blocked(
      async (door, scene) => {
        door.waitAtMost(5_000)
        await unlock(door, scene)
        expect((await door.call('kettle', heat)).data).toMatchObject({ completed: true, returnedAt: 5_000 })
      },
      { delivery: lossy },
    )
    expect(waits(trace).map((record) => 'kind' in record && record.kind)).toEqual([
      'suspend',
      'resync',
      'wake',
      'consumed',
    ])
  })
})

describe('wait_for', () => {
  const awaited = (body: (door: Door, scene: Scene) => Promise<void>) =>
    play(async (scene) => body(await scene.session.open('await', UUID, scene.self), scene))
  const signals = ['kettle.hot']

  it('ends at once with a signal that came before it and was not shown, and shows it once', async () => {
    await awaited(async (door, scene) => {
      await unlock(door, scene)
      await door.call('kettle', heat)
      await door.call('sleep', { ms: 10_000 })
      const first = await door.call('wait_for', { signals, timeoutMs: 1_000 })
      expect(first.data).toEqual({
        waited: { signals },
        ended: 'signal',
        signals: [hot(6, 2_000, 'op-2')],
        at: 10_000,
      })
      const second = await door.call('wait_for', { signals, timeoutMs: 1_000 })
      expect(second.data).toEqual({ waited: { signals }, ended: 'timeout', signals: [], at: 11_000 })
    })
  })

  it('tells the trace that a call waits, not the runtime', async () => {
    const { trace } = await awaited(async (door) => void (await door.call('wait_for', { signals, timeoutMs: 1_000 })))
    expect(waits(trace)[0]).toEqual({ at: 0, kind: 'suspend', signals, when: null, timeoutMs: 1_000, verb: 'wait_for' })
  })

  it('ends with a condition, tells the property, and shows signals that nobody named', async () => {
    const when = { tool: 'kettle', property: 'temp', op: 'at_least', value: 100 }
    const { trace } = await awaited(async (door, scene) => {
      await unlock(door, scene)
      await door.call('kettle', heat)
      const { data } = await door.call('wait_for', { when, timeoutMs: 60_000 })
      expect(data).toEqual({
        waited: { signals: [], when },
        ended: 'condition',
        signals: [hot(6, 2_000, 'op-2')],
        observed: [{ tool: 'kettle', properties: { temp: { value: 100, at: 2_000 } } }],
        at: 2_000,
      })
    })
    expect(trace.filter(({ kind }) => kind === 'poll')).toEqual([])
  })

  it('finds at its time-out what no doorbell told, be it a signal or a condition', async () => {
    const when = { tool: 'kettle', property: 'temp', op: 'at_least', value: 100 }
    for (const [args, reason] of [
      [{ signals, timeoutMs: 5_000 }, 'signal'],
      [{ when, timeoutMs: 5_000 }, 'condition'],
    ] as const) {
      const { trace } = await play(
        async (scene) => {
          const door = await scene.session.open('await', UUID, scene.self)
          await unlock(door, scene)
          await door.call('kettle', heat)
          expect((await door.call('wait_for', args)).data).toMatchObject({ ended: reason, at: 5_000 })
        },
        { delivery: lossy },
      )
      expect(waits(trace).map((record) => 'kind' in record && record.kind)).toEqual([
        'suspend',
        'resync',
        'wake',
        'consumed',
      ])
    }
  })

  it.each([
    [{ signals: [], timeoutMs: 5 }, 'signals: name at least one, or a condition in when'],
    [{ when: { tool: 'oven', property: 'temp', op: 'is', value: 1 }, timeoutMs: 5 }, 'when.tool: no tool named "oven"'],
    [
      { when: { tool: 'kettle', property: 'colour', op: 'is', value: 1 }, timeoutMs: 5 },
      'when.property: kettle has no property "colour"; known: power, temp, locked',
    ],
  ])('turns away %j, and no time passes', async (args, error) => {
    await awaited(async (door, { clock }) => {
      expect(await door.call('wait_for', args)).toMatchObject({ kind: 'wait', outcome: 'invalid', data: { error } })
      expect(clock.now()).toBe(0)
    })
  })

  it('turns away a wait that no signal of the world ends, and names those of documents that were read', async () => {
    await awaited(async (door, { clock, world }) => {
      const cold = { signals: ['kettle.cold'], timeoutMs: 5 }
      const refused = (told: string) => ({
        outcome: 'invalid',
        data: { error: `signals: nothing would end a wait for "kettle.cold". ${told}` },
      })
      expect(await door.call('wait_for', cold)).toMatchObject(refused('No document that you have read names a signal.'))
      await door.call('manual_retrieval', { document: world.documents[0]?.id ?? '' })
      expect(await door.call('wait_for', cold)).toMatchObject(refused('Known: kettle.hot, cup.overflow.'))
      expect(clock.now()).toBe(0)
    })
  })

  it.each<JsonObject>([
    { signals: ['kettle.cold', 'kettle.hot'], timeoutMs: 5 },
    { signals: ['kettle.cold'], when: { tool: 'kettle', property: 'temp', op: 'is', value: 1 }, timeoutMs: 5 },
  ])('accepts a wait with one possible end: %j', async (args) => {
    await awaited(async (door) => {
      expect(await door.call('wait_for', args)).toMatchObject({ outcome: 'waited', data: { ended: 'timeout', at: 5 } })
    })
  })
})

describe('a door that tells completions', () => {
  it('does not look without a doorbell: what was lost on the way is not told', async () => {
    const { trace } = await play(
      async (scene) => {
        const door: AsyncDoor = await scene.session.open('async', UUID, scene.self)
        await unlock(door, scene)
        await door.call('kettle', heat)
        await scene.self.sleep(3_000)
        expect(await door.completions()).toEqual([])
      },
      { delivery: lossy },
    )
    expect(waits(trace)).toEqual([])
  })

  it('tells each end of its own operations once, and nothing else', async () => {
    await play(async (scene) => {
      const door: AsyncDoor = await scene.session.open('async', UUID, scene.self)
      await unlock(door, scene)
      await door.call('kettle', heat)
      expect(await door.completions()).toEqual([])
      await scene.self.sleep(3_000)
      expect(await door.completions()).toEqual([hot(6, 2_000, 'op-2')])
      expect(await door.completions()).toEqual([])
    })
  })
})

describe('what a surface offers', () => {
  it('is its verbs and no others', async () => {
    const offered: Record<string, string[]> = {}
    for (const surface of ['act', 'block', 'poll', 'await', 'async', 'push'] as const) {
      await play(async ({ session, self }) => {
        offered[surface] = (await session.open(surface, UUID, self))
          .tools()
          .flatMap(({ kind, name }) => (kind === 'operation' ? [] : [name]))
      })
    }
    const documents = ['system_discovery', 'manual_retrieval']
    expect(offered).toEqual({
      act: documents,
      block: documents,
      poll: [...documents, 'read_properties', 'sleep'],
      await: [...documents, 'read_properties', 'sleep', 'wait_for'],
      async: [...documents, 'read_properties'],
      push: documents,
    })
  })
})
