import { expect, test } from 'vitest'
import { z } from 'zod'
import { PERFECT_DELIVERY, defineEnvironment } from '../../harness/contract/index.js'
import type { Agent, Hand, Operation, Signal } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import alwaysPoll from '../controls/always-poll.agent.js'
import act from './ceiling-act.agent.js'
import asynchronous from './ceiling-async.agent.js'
import awaiting from './ceiling-await.agent.js'
import block from './ceiling-block.agent.js'
import poll from './ceiling-poll.agent.js'
import push from './ceiling-push.agent.js'

/** When the kiln was opened (ms), by which looks and stalls, and what came of it. The rig thinks for a second. */
async function opened(agent: Agent, params = {}) {
  const { records, reached, violations } = await playAgent({ agent, environment: kiln, params })
  const [, open] = records.filter(({ kind }) => kind === 'operation')
  const count = (kind: string) => records.filter((record) => record.kind === kind).length
  return { at: open?.at, polls: count('poll'), reads: count('read'), sleeps: count('sleep'), reached, violations }
}

const well = { polls: 0, reads: 0, sleeps: 0, reached: true, violations: [] }

test('Each ceiling opens the kiln as early as its surface allows: fired at 1 s, done at 11 s, a second to think.', async () => {
  expect(await opened(push)).toEqual({ ...well, at: 12_000 })
  expect(await opened(block)).toEqual({ ...well, at: 12_000 })
  // The wait is a call of its own here, but it is thought about while the kiln fires.
  expect(await opened(awaiting)).toEqual({ ...well, at: 12_000 })
  expect(await opened(asynchronous)).toEqual({ ...well, at: 12_000, polls: 10 })
  // Looks at 2, 6, 10, 14 s: each costs two thoughts and a sleep.
  expect(await opened(poll)).toEqual({ ...well, at: 15_000, polls: 4, sleeps: 3 })
})

test('Without a wait, too few stalls burn somebody, and enough of them do not.', async () => {
  expect(await opened(act, { stallCalls: 8 })).toEqual({
    ...well,
    at: 10_000,
    reads: 8,
    reached: false,
    violations: ['burn'],
  })
  expect(await opened(act, { stallCalls: 10 })).toEqual({ ...well, at: 12_000, reads: 10 })
})

test('The control that always polls does not think, and is as late as its last look.', async () => {
  expect(await opened(alwaysPoll, { pollMs: 4_000 })).toEqual({ ...well, at: 12_000, polls: 4, sleeps: 3 })
})

test('A wait that no signal ends is tried again after its time-out.', async () => {
  const { records } = await playAgent({ agent: awaiting, environment: kiln, params: { waitMs: 3_000 } })
  expect(story(records, 'wake')).toEqual([
    { at: 5_000, kind: 'wake', reason: 'timeout', signals: [] },
    { at: 9_000, kind: 'wake', reason: 'timeout', signals: [] },
    { at: 11_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
})

test('Who is rung in vain finds the signal by the look that needs no doorbell, whatever else rings.', async () => {
  const delivery = { ...PERFECT_DELIVERY, doorbellDrop: 0.5, telemetryMs: 1_000 }
  const deaf = { agent: push, environment: kiln, params: { resyncMs: 8_000 }, delivery, seed: 'deaf1' }
  const { records, reached } = await playAgent(deaf)
  expect(reached).toBe(true)
  expect(story(records, 'suspend', 'resync', 'wake')).toEqual([
    { at: 1_000, kind: 'suspend', signals: ['kiln.done'], when: null, timeoutMs: null },
    { at: 9_000, kind: 'resync' },
    { at: 17_000, kind: 'resync' },
    { at: 17_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
})

/** Sounds so long after it was struck; null: at once. */
const gong = (
  afterMs: number | null,
  play: (monk: { hand: Hand; strike: Operation; sounded: Signal<never> }) => Promise<void>,
) =>
  defineEnvironment({
    name: 'gong',
    version: '1',
    summary: 'A gong.',
    params: z.strictObject({}),
    roles: () => [{ name: 'monk', goal: 'Strike the gong.' }],
    setup({ artifact, document, after }) {
      const tool = artifact('gong', 'Sounds.')
      const sounded = tool.signal('gong.sounded', z.object({ echoes: z.int() }), 'It has sounded.')
      const latent = afterMs === null ? {} : { completes: [{ signal: sounded, effects: [] }] }
      const told = { summary: 'Strikes it.', behaviour: 'It sounds.', ...latent }
      const strike = tool.operation('strike', told, () => {
        if (afterMs === null) sounded.emit({ echoes: 7 })
        else after(afterMs, () => sounded.emit({ echoes: 7 }))
        return 'Struck.'
      })
      document('gong_manual', {
        kind: 'manual',
        title: 'Gong',
        summary: 'How to strike it.',
        category: 'Temple',
        version: '1',
        covers: [tool],
        role: 'active actuator',
        description: 'Sounds.',
        protocol: [],
      })
      return {
        reached: () => true,
        oracle: (hand) => play({ hand, strike, sounded }),
        saboteurs: {},
      }
    },
  })

test('What an operation has caused at once is not waited for; what it says is learnt where a verb can tell.', async () => {
  const played: Record<string, unknown> = {}
  for (const agent of [act, block, poll, awaiting, asynchronous, push]) {
    const echoes: unknown[] = []
    const environment = gong(null, async ({ hand, strike, sounded }) => {
      await hand.operate(strike)
      await hand.waitFor(sounded)
      await hand.operate(strike)
      echoes.push(await hand.hear(sounded))
    })
    const { records } = await playAgent({ agent, environment })
    const struck = records.flatMap(({ kind, at }) => (kind === 'operation' ? [at] : []))
    played[agent.surface] = [struck, echoes, records.at(-1)?.at]
  }
  const struck = [1_000, 2_000]
  expect(played).toEqual({
    act: [struck, [null], 2_000],
    block: [struck, [null], 2_000],
    poll: [struck, [{ echoes: 7 }], 3_000],
    await: [struck, [{ echoes: 7 }], 3_000],
    async: [struck, [{ echoes: 7 }], 3_000],
    push: [struck, [{ echoes: 7 }], 2_000],
  })
})

test('Who stalls blindly for what was begun together stalls once, and for what was begun since anew.', async () => {
  const environment = gong(5_000, async ({ hand, strike, sounded }) => {
    for (const times of [2, 1]) {
      for (let struck = 0; struck < times; struck++) await hand.operate(strike)
      for (let waited = 0; waited < times; waited++) await hand.waitFor(sounded)
    }
  })
  const { records } = await playAgent({ agent: act, environment, params: { stallCalls: 6 } })
  expect(records.flatMap(({ kind, at }) => (kind === 'operation' ? [at] : []))).toEqual([1_000, 2_000, 9_000])
  expect(records.at(-1)?.at).toBe(15_000)
})
