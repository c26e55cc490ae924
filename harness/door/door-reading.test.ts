import { describe, expect, it } from 'vitest'
import type { CallResult, Door } from '../contract/index.js'
import { UUID, codeOf, plain, play, stage } from './fixtures/stage.js'
import type { Scene } from './fixtures/stage.js'
import type { PushDoor } from './surfaces/index.js'

async function calls(
  surface: 'act' | 'poll',
  body: (door: Door, scene: Scene) => Promise<void>,
): ReturnType<typeof play> {
  return play(async (scene) => body(await scene.session.open(surface, UUID, scene.self), scene))
}

describe('reading', () => {
  it('lists tools and documents, fences a document, and says which documents there are', async () => {
    const { trace } = await calls('act', async (door, { world }) => {
      const tools = [
        { name: 'kettle', summary: 'Boils water.' },
        { name: 'cup', summary: 'Holds tea.' },
      ]
      const documents = [
        { id: 'kettle_manual', summary: 'How to make tea.', covers: ['kettle', 'cup'] },
        { id: 'biscuits', summary: 'Which biscuits there are.', covers: ['biscuit_tin'] },
      ]
      const [, biscuits] = world.documents
      expect(await door.call('system_discovery', {})).toMatchObject({ data: { tools, documents, at: 0 } })
      expect(await door.call('manual_retrieval', { document: 'biscuits' })).toEqual({
        kind: 'document',
        outcome: 'read',
        text: `<document id="biscuits">\n${biscuits?.text.trim()}\n</document>`,
        data: { document: 'biscuits', found: true, text: biscuits?.text, hash: biscuits?.hash, at: 0 },
        operationId: null,
        at: 0,
      })
      const missing = await door.call('manual_retrieval', { document: 'x' })
      expect(missing.text).toBe('{"document":"x","found":false,"known":["kettle_manual","biscuits"],"at":0}')
    })
    expect(plain(trace)).toEqual([
      { at: 0, kind: 'read', what: 'catalogue', document: null, found: true },
      { at: 0, kind: 'read', what: 'document', document: 'biscuits', found: true },
      { at: 0, kind: 'read', what: 'document', document: 'x', found: false },
    ])
  })

  it('of properties gives values with the time of their change, and each is recorded as a poll', async () => {
    const { trace } = await calls('poll', async (door, scene) => {
      await door.call('sleep', { ms: 500 })
      await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
      const first = await door.call('read_properties', { tools: ['kettle'] })
      const expected = {
        observed: [
          {
            tool: 'kettle',
            properties: {
              power: { value: 'OFF', at: 0 },
              temp: { value: 20, at: 0 },
              locked: { value: false, at: 500 },
            },
          },
        ],
        at: 500,
      }
      expect(first).toMatchObject({ outcome: 'read', text: JSON.stringify(expected), data: expected })
    })
    const values = { 'kettle.power': 'OFF', 'kettle.temp': 20, 'kettle.locked': false }
    expect(plain(trace).at(-1)).toEqual({ at: 500, kind: 'poll', values })
  })
})

describe('time', () => {
  it('passes while a door sleeps, and the sleep is recorded when it begins', async () => {
    const { trace } = await calls('poll', async (door) => {
      expect(await door.call('sleep', { ms: 5_000 })).toEqual({
        kind: 'sleep',
        outcome: 'slept',
        text: '{"slept":5000,"at":5000}',
        data: { slept: 5_000, at: 5_000 },
        operationId: null,
        at: 5_000,
      } satisfies CallResult)
    })
    expect(plain(trace)).toEqual([{ at: 0, kind: 'sleep', delayMs: 5_000 }])
  })

  it('must pass after a thousand calls', async () => {
    await calls('poll', async (door) => {
      for (let count = 0; count < 1_000; count += 1) await door.call('nothing', {})
      await expect(door.call('nothing', {})).rejects.toThrow(
        'More than 1000 calls of one door at 0 ms: no time passes between them.',
      )
    })
  })

  it('once over, leaves every call of a door without an answer and the world as it was', async () => {
    const { clock, trace, open } = stage()
    const session = await open()
    const answers: string[] = []
    const doors: PushDoor[] = []
    clock.spawn('host', async (self) => void doors.push(await session.open('push', UUID, self)))
    await clock.run({ untilMs: 10 })
    const late = doors.flatMap((door) => [
      door.call('kettle', { action: 'heat' }),
      door.focus('kettle'),
      door.sync(),
      door.drain(),
      door.resync(),
    ])
    for (const one of late) {
      void one.then(
        () => answers.push('settled'),
        () => answers.push('failed'),
      )
    }
    await session.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect([late.length, answers, trace]).toEqual([5, [], []])
  })
})
