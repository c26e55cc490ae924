import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../contract/index.js'
import type { Artifact, Kit, OperationCall } from '../contract/index.js'
import { manualOf, play, sketch, stage } from './fixtures/stage.js'
import type { LiveWorld } from './live.js'

type Body = (call: OperationCall) => string | void
type Parts = { kit: Kit<Record<string, never>>; box: Artifact }

/** A world of one tool, `box`, whose operations are given as bare bodies. */
function box(make: (parts: Parts) => Record<string, Body>, harms: string[] = []) {
  return sketch((kit) => {
    const made = kit.artifact('box', 'A box.')
    kit.document('manual', manualOf(made))
    for (const [name, body] of Object.entries(make({ kit, box: made })))
      made.operation(name, { summary: '', behaviour: '' }, (_args, call) => body(call) ?? '')
    return { saboteurs: Object.fromEntries(harms.map((name) => [name, async () => {}])) }
  })
}
const act = (world: LiveWorld, action: string) => world.execute({ tool: 'box', action, args: {}, activity: 'a' })

/** `spoil` does everything that a step can do, and then fails with `error`. */
function fragile(error: Error) {
  return box(
    ({ box: tool, kit }) => {
      const count = tool.property('count', z.int(), 0, '')
      const beat = tool.signal('beat', z.strictObject({ count: z.int() }), '')
      const crash = kit.violation('crash', '')
      const cancel = kit.after(10, () => {
        count.value += 1
        beat.emit({ count: count.value })
      })
      return {
        spoil: () => {
          count.value = 100
          beat.emit({ count: 100 })
          crash.commit()
          crash.margin(1)
          kit.after(5, () => beat.emit({ count: -1 }))
          cancel()
          throw error
        },
        look: () => String(count.value),
      }
    },
    ['crash'],
  )
}

test('a refusal undoes changes, signals, violations, margins, timers and cancellations', async () => {
  const { world, lines } = await play(fragile(new Refusal('never')), (live) => {
    live.focus('a', 'box')
    expect(act(live, 'spoil').outcome).toBe('refused')
    expect(act(live, 'look').message).toBe('0')
  })
  expect(world.violations()).toEqual([])
  expect(world.signalsAfter('a', 0)).toEqual([
    { seq: 2, at: 10, signal: 'beat', tool: 'box', payload: { count: 1 }, operationId: null },
  ])
  expect(lines.filter(({ kind }) => !['operation', 'acknowledgement'].includes(kind))).toEqual([
    { at: 10, activity: null, kind: 'change', seq: 1, tool: 'box', property: 'count', from: 0, to: 1, op: null },
    { at: 10, activity: null, kind: 'signal', seq: 2, tool: 'box', signal: 'beat', payload: { count: 1 }, op: null },
  ])
})

test('a body that throws anything else is a bug: it comes through, after the step was undone', () => {
  const { world, lines } = stage(fragile(new RangeError('bug')))
  expect(() => act(world, 'spoil')).toThrow(new RangeError('bug'))
  expect(world.read('box').properties.count?.value).toBe(0)
  expect(lines.map(({ kind }) => kind)).toEqual(['operation'])
})

test('changes come before signals, one per property and step, and an assignment of the same value is none', () => {
  const { world, lines } = stage(
    box(({ box: tool }) => {
      const a = tool.property('a', z.int(), 0, '')
      const b = tool.property('b', z.int(), 0, '')
      const said = tool.signal('said', z.int(), '')
      return {
        go: () => {
          said.emit(b.value)
          b.value = 0
          a.value = 1
          b.value = 7
          a.value = 2
          b.value = 0
          said.emit(a.value)
        },
      }
    }),
  )
  act(world, 'go')
  const facts = lines.flatMap((line) => {
    if (line.kind === 'change') return [[line.seq, line.property, line.from, line.to]]
    return line.kind === 'signal' ? [[line.seq, line.signal, line.payload]] : []
  })
  expect(facts).toEqual([
    [1, 'a', 0, 2],
    [2, 'said', 0],
    [3, 'said', 2],
  ])
})

test('timers of timers inherit the operation, and a tick that serves several names one by `of`', async () => {
  const { lines } = await play(
    box(({ box: tool, kit }) => {
      const done = tool.signal('done', z.null(), '')
      const jobs: string[] = []
      return {
        queue: ({ operationId }) => {
          jobs.push(operationId)
          if (jobs.length > 1) return
          kit.after(1, () => {
            done.emit(null)
            kit.after(1, () => jobs.forEach((of) => done.emit(null, { of })))
          })
        },
      }
    }),
    (world) => {
      act(world, 'queue')
      act(world, 'queue')
    },
  )
  expect(lines.flatMap((line) => (line.kind === 'signal' ? [[line.at, line.op]] : []))).toEqual([
    [1, 'op-1'],
    [2, 'op-1'],
    [2, 'op-2'],
  ])
})

test('a timer that was cancelled, in its own step or later, does not run', async () => {
  const { lines } = await play(
    box(({ box: tool, kit }) => {
      const done = tool.signal('done', z.string(), '')
      const late = kit.after(10, () => done.emit('late'))
      return {
        go: () => {
          kit.after(1, () => done.emit('never'))()
          kit.after(1, () => done.emit('kept'))
          late()
        },
      }
    }),
    (world) => void act(world, 'go'),
  )
  expect(lines.flatMap((line) => (line.kind === 'signal' ? [line.payload] : []))).toEqual(['kept'])
})

test('nothing changes outside of a step, an ambient event included', () => {
  const kept: Record<string, () => void> = {}
  const { clock } = stage(
    box(
      ({ box: tool, kit }) => {
        const count = tool.property('count', z.int(), 0, '')
        const beat = tool.signal('beat', z.null(), '')
        const crash = kit.violation('crash', '')
        count.value = 1
        const cancel = kit.after(1, () => {})
        kept.assign = () => (count.value = 2)
        kept.emit = () => beat.emit(null)
        kept.commit = () => crash.commit()
        kept.margin = () => crash.margin(1)
        kept.after = () => void kit.after(1, () => {})
        kept.cancel = cancel
        kept.declare = () => void tool.property('late', z.int(), 0, '')
        return {}
      },
      ['crash'],
    ),
  )
  for (const deed of Object.values(kept)) expect(deed).toThrow(/(outside of a step|after setup)/)
  clock.after(0, () => kept.assign?.(), { ambient: true })
  clock.after(1, () => {})
  clock.stop()
  expect(() => clock.settle(10)).toThrow('`count` of `box` was assigned outside of a step')
})

test('values outside of their type, and times that are none, are errors that name the thing', () => {
  const { world } = stage(
    box(
      ({ box: tool, kit }) => {
        const count = tool.property('count', z.number().min(0), 0, '')
        const beat = tool.signal('beat', z.strictObject({ count: z.number() }), '')
        const crash = kit.violation('crash', '')
        return {
          nan: () => void (count.value = Number.NaN),
          infinite: () => void (count.value = Number.POSITIVE_INFINITY),
          below: () => void (count.value = -1),
          payload: () => beat.emit({ count: Number.NaN }),
          margin: () => crash.margin(Number.NaN),
          timer: () => void kit.after(Number.NaN, () => {}),
        }
      },
      ['crash'],
    ),
  )
  const message = (action: string): string => {
    try {
      return act(world, action).message
    } catch (error) {
      return String(error)
    }
  }
  expect(['nan', 'infinite', 'below', 'payload', 'margin', 'timer'].map(message)).toEqual([
    "WorldError: `count` of `box` cannot be NaN: it is outside of the property's type.",
    "WorldError: `count` of `box` cannot be Infinity: it is outside of the property's type.",
    "WorldError: `count` of `box` cannot be -1: it is outside of the property's type.",
    'WorldError: The payload of `beat` does not fit its type at "count": Invalid input: expected number, received NaN.',
    'WorldError: A margin to `crash` cannot be NaN.',
    'WorldError: A timer cannot run for NaN ms.',
  ])
})

test('what a body does to a payload after it was emitted changes nothing', () => {
  const { world } = stage(
    box(({ box: tool }) => {
      const said = tool.signal('said', z.strictObject({ words: z.array(z.string()) }), '')
      return {
        say: () => {
          const words = ['yes']
          said.emit({ words })
          words.push('no')
        },
      }
    }),
  )
  world.focus('a', 'box')
  act(world, 'say')
  expect(world.signalsAfter('a', 0).map(({ payload }) => payload)).toEqual([{ words: ['yes'] }])
})
