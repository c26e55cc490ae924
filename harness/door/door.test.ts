import { describe, expect, it } from 'vitest'
import type { CallResult, Door } from '../contract/index.js'
import { UUID, codeOf, plain, play } from './fixtures/stage.js'
import type { Scene } from './fixtures/stage.js'

async function calls(
  surface: 'act' | 'poll',
  body: (door: Door, scene: Scene) => Promise<void>,
): ReturnType<typeof play> {
  return play(async (scene) => body(await scene.session.open(surface, UUID, scene.self), scene))
}

async function kinds(surface: 'act' | 'poll' | 'push'): Promise<string[]> {
  let seen: string[] = []
  await play(async ({ session, self }) => {
    seen = (await session.open(surface, UUID, self)).tools().map((tool) => tool.kind)
  })
  return seen
}

describe('the tools that a door shows', () => {
  it('are one per artifact that has operations, then those that read; a uuid is in none', async () => {
    await calls('act', async (door) => {
      expect(door.tools()).toEqual([
        {
          kind: 'operation',
          name: 'kettle',
          description: [
            'Boils water.',
            '- unlock: Releases the child lock.',
            '- heat: Heats the water.',
            '- pour: Pours water into the cup.',
          ].join('\n'),
          parameters: {
            type: 'object',
            properties: {
              action: { type: 'string', enum: ['unlock', 'heat', 'pour'] },
              code: { type: 'string', minLength: 1 },
              beep: { type: 'boolean' },
              amount: { type: 'integer', minimum: 1, maximum: 500 },
            },
            required: ['action'],
            additionalProperties: false,
          },
          actions: [
            { name: 'unlock', summary: 'Releases the child lock.' },
            { name: 'heat', summary: 'Heats the water.' },
            { name: 'pour', summary: 'Pours water into the cup.' },
          ],
        },
        {
          kind: 'catalogue',
          name: 'system_discovery',
          description: 'Lists the tools of the system and the documents that can be retrieved.',
          parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
          actions: [],
        },
        {
          kind: 'document',
          name: 'manual_retrieval',
          description: 'Retrieves a document by its id, as system_discovery lists it.',
          parameters: {
            type: 'object',
            properties: { document: { type: 'string', description: 'The id of the document' } },
            required: ['document'],
            additionalProperties: false,
          },
          actions: [],
        },
      ])
    })
  })

  it('let only the polling surface read state and sleep', async () => {
    expect(await kinds('act')).toEqual(['operation', 'catalogue', 'document'])
    expect(await kinds('push')).toEqual(['operation', 'catalogue', 'document'])
    expect(await kinds('poll')).toEqual(['operation', 'catalogue', 'document', 'poll', 'sleep'])
  })
})

describe('an operation', () => {
  it('is accepted under the uuid of the door, whatever uuid the model wrote', async () => {
    const { trace } = await calls('act', async (door, scene) => {
      const code = codeOf(scene)
      const result = await door.call('kettle', { action: 'unlock', code, uuid: 'somebody else' })
      const told = {
        tool: 'kettle',
        action: 'unlock',
        accepted: true,
        operationId: 'op-1',
        at: 0,
        message: 'Unlocked.',
      }
      expect(result).toEqual({
        kind: 'operation',
        outcome: 'accepted',
        text: JSON.stringify(told),
        data: told,
        operationId: 'op-1',
        at: 0,
      } satisfies CallResult)
    })
    expect(trace.map(({ kind, activity }) => [kind, activity])).toEqual([
      ['operation', UUID],
      ['change', null],
      ['acknowledgement', UUID],
    ])
    expect(trace[0]).toMatchObject({ args: { code: expect.stringMatching(/^\d{4}$/) } })
    expect(trace[0]).not.toHaveProperty('args.uuid')
  })

  it('does not tell for what signal one should wait', async () => {
    await calls('act', async (door, scene) => {
      await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
      const { text, data } = await door.call('kettle', { action: 'heat' })
      expect(text + JSON.stringify(data)).not.toContain('kettle.hot')
    })
  })

  it('is refused by a rule, harms without one, and is invalid when no rule was reached', async () => {
    await calls('act', async (door, scene) => {
      const refused = await door.call('kettle', { action: 'heat' })
      await door.call('kettle', { action: 'unlock', code: codeOf(scene) })
      await door.call('kettle', { action: 'heat' })
      const harmed = await door.call('kettle', { action: 'pour', amount: 1 })
      const invalid = await door.call('kettle', { action: 'pour', amount: 1, gently: true })

      expect([refused.outcome, harmed.outcome, invalid.outcome]).toEqual(['refused', 'harmed', 'invalid'])
      expect(JSON.parse(refused.text)).toEqual({
        tool: 'kettle',
        action: 'heat',
        accepted: false,
        operationId: 'op-1',
        at: 0,
        message: 'Refused: nothing has changed.',
        rule: '`locked` of `kettle` is `false` (release the child lock)',
      })
      expect(JSON.parse(harmed.text)).toEqual({
        tool: 'kettle',
        action: 'pour',
        accepted: false,
        operationId: 'op-4',
        at: 0,
        message: 'Hot steam scalds a hand.',
      })
      expect(invalid).toEqual({
        kind: 'operation',
        outcome: 'invalid',
        text: '{"tool":"kettle","error":"There is no argument \\"gently\\". Known: amount.","at":0}',
        data: { tool: 'kettle', error: 'There is no argument "gently". Known: amount.', at: 0 },
        operationId: null,
        at: 0,
      } satisfies CallResult)
    })
  })

  it('does not begin before it is admitted', async () => {
    const { trace, end } = await play(
      async ({ session, self }) => {
        const door = await session.open('act', UUID, self)
        await door.call('system_discovery', {})
        void door.call('kettle', { action: 'heat' })
      },
      { admit: () => new Promise(() => {}) },
    )
    expect(end.how).toBe('ended')
    expect(plain(trace)).toEqual([{ at: 0, kind: 'read', what: 'catalogue', document: null, found: true }])
  })
})

describe('a call that is not understood', () => {
  it('of a tool that the surface has not names those that it has, and is recorded', async () => {
    const { trace } = await calls('act', async (door) => {
      const message = 'No tool named "read_properties". Known: kettle, system_discovery, manual_retrieval.'
      const data = { tool: 'read_properties', error: message, at: 0 }
      expect(await door.call('read_properties', {})).toEqual({
        kind: 'unknown',
        outcome: 'invalid',
        text: JSON.stringify(data),
        data,
        operationId: null,
        at: 0,
      } satisfies CallResult)
    })
    const message = 'No tool named "read_properties". Known: kettle, system_discovery, manual_retrieval.'
    expect(plain(trace)).toEqual([{ at: 0, kind: 'invalid', tool: 'read_properties', args: {}, message }])
  })

  it.each([
    ['system_discovery', { all: true }, 'Unrecognized key: "all"'],
    ['manual_retrieval', {}, 'document: Invalid input: expected string, received undefined'],
    ['read_properties', { tools: ['teapot'] }, 'No tool named "teapot". Known: kettle, cup.'],
    ['read_properties', { tool: 'kettle' }, 'Unrecognized key: "tool"'],
    ['sleep', { ms: 0.5 }, 'ms: Invalid input: expected int, received number'],
    ['sleep', { ms: 0 }, 'ms: Too small: expected number to be >=1'],
    ['sleep', { ms: 86_400_001 }, 'ms: Too big: expected number to be <=86400000'],
    ['sleep', { ms: 1, until: 2 }, 'Unrecognized key: "until"'],
  ])('by %s with %j is invalid, and recorded once', async (name, args, message) => {
    const { trace } = await calls('poll', async (door) => {
      const result = await door.call(name, args)
      expect([result.outcome, JSON.parse(result.text)]).toEqual(['invalid', { tool: name, error: message, at: 0 }])
    })
    expect(plain(trace)).toEqual([{ at: 0, kind: 'invalid', tool: name, args, message }])
  })

  it('without any action is told the actions', async () => {
    await calls('act', async (door) => {
      const { text } = await door.call('kettle', {})
      expect(JSON.parse(text).error).toBe('kettle has no action "". Known: unlock, heat, pour.')
    })
  })
})
