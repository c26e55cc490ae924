import { describe, expect, test } from 'vitest'
import type { Agent, JsonObject, TraceRecord } from '../contract/index.js'
import { MISBEHAVIOURS, SEVERAL, spoilt, stubborn } from './agent/bad-models.js'
import { endOf, errorsOf, foreignTo, of, spoiltFaults } from './agent/faults.js'
import { playTrial, pottery, sane } from './agent/play.js'
import { watchHandles } from './handles.js'

export interface AgentContractOptions {
  /** Parameters beside the defaults. */
  params?: JsonObject
  /** Why goals that arrive later are left alone; else each is pursued. */
  oneGoal?: { because: string }
  /** Why a goal that is reached already when it arrives is pursued until the budget is spent; else it ends. */
  stalls?: { because: string }
  timeoutMs?: number
}

/** After how many good answers a model begins to misbehave. */
const SPOILT_FROM = [0, 1, 2, 3, 4, 5, 6, 8, 10]
/** Longer than any trial: what is begun never ends. */
const NEVER_MS = 10_000_000

/**
 * The suite that every agent must pass, in a small world of its own and with models that answer well, badly, or not at
 * all: it ends, keeps to its budget and its surface, repeats itself, and leaves nothing behind.
 */
export function agentContract(agent: Agent, options: AgentContractOptions = {}): void {
  const { params = {}, oneGoal, stalls, timeoutMs = 120_000 } = options
  const play = (stage: Omit<Parameters<typeof playTrial>[0], 'agent' | 'params'> = {}) =>
    playTrial({ agent, params, ...stage })

  describe(`the agent ${agent.name}`, { timeout: timeoutMs }, () => {
    test('accepts its own defaults, and describes each parameter', () => {
      expect(agent.params.safeParse(params)).toMatchObject({ success: true })
      const undescribed = Object.entries(agent.params.shape).filter(([, schema]) => !schema.meta()?.description)
      expect(undescribed.map(([name]) => name)).toEqual([])
    })

    test('ends by itself, and claims something', async () => {
      const trace = await play()
      expect({ how: endOf(trace), errors: errorsOf(trace) }).toEqual({ how: 'ended', errors: [] })
      expect(of(trace, 'claim').length).toBeGreaterThan(0)
    })

    test('repeats itself, byte for byte, with the same seed', async () => {
      const first = JSON.stringify(await play({ chat: sane('sim:typical') }))
      expect(JSON.stringify(await play({ chat: sane('sim:typical') }))).toBe(first)
    })

    test('keeps to its budgets of calls, of operations and of time', async () => {
      const few = await play({ limits: { modelCalls: 2 } })
      expect(of(few, 'request').length + of(few, 'thought').length).toBeLessThanOrEqual(2)
      const blocked = await play({ limits: { operations: 1 } })
      expect(of(blocked, 'operation').length).toBeLessThanOrEqual(1)
      const short = await play({ limits: { virtualMs: 5_000 } })
      expect(endAt(short)).toBeLessThanOrEqual(5_000)
      expect([few, blocked, short].flatMap(errorsOf)).toEqual([])
    })

    test('leaves nothing behind: no handle is open, and nothing happens after its end', async () => {
      await play()
      const opened = watchHandles()
      const trace = await play()
      expect(opened()).toEqual([])
      const last = trace.findIndex(({ kind }) => kind === 'end')
      const doings = trace
        .slice(last)
        .filter(({ kind }) => kind === 'request' || kind === 'operation' || kind === 'claim')
      expect(doings).toEqual([])
    })

    test('survives a process that never ends: its waits time out, or its budget does', async () => {
      const trace = await play({ worldParams: { fireMs: NEVER_MS } })
      expect(errorsOf(trace)).toEqual([])
      expect(['ended', 'deadlocked', 'out_of_time', 'out_of_budget']).toContain(endOf(trace))
    })

    // What does not apply to an agent is no test of it, rather than one that is skipped.
    test.each(agent.usesModel || agent.thinks === true ? [agent.surface] : [])(
      'uses the verbs of the surface %s alone',
      async () => {
        const trace = await play()
        const foreign = foreignTo(agent.surface, trace)
        expect(foreign).toEqual([])
        expect(of(trace, 'invalid')).toEqual([])
      },
    )

    const pursued = oneGoal === undefined ? 'every goal' : `one goal alone, because ${oneGoal.because},`
    const ends = stalls === undefined ? 'ends' : `stalls where it is reached already, because ${stalls.because}`
    test.each(agent.usesModel ? [`${pursued} of what arrives, and ${ends}`] : [])('pursues %s', async () => {
      const goals = [
        { text: 'Fire the pot until the kiln is DONE.' },
        { text: 'See to it that the kiln is DONE.', atMs: 60_000 },
      ]
      const trace = await play({ environment: pottery(goals) })
      const taken = of(trace, 'pursue').flatMap((record) => record.goals)
      const expected = oneGoal === undefined ? [0, 1] : []
      expect({ how: endOf(trace), errors: errorsOf(trace), taken }).toEqual({
        how: stalls === undefined ? 'ended' : 'out_of_budget',
        errors: [],
        taken: expected,
      })
    })

    // Who asks no model meets no bad answer.
    describe.each(agent.usesModel ? ['a model that misbehaves'] : [])('with %s', () => {
      test.each(Object.entries(MISBEHAVIOURS))(
        'survives %s for ever, from whatever step on',
        async (name, misbehave) => {
          // The first of them counts, or all.
          const legal = name === SEVERAL
          for (const from of SPOILT_FROM) {
            const trace = await play({ chat: spoilt(sane(), from, misbehave) })
            expect({ from, faults: legal ? errorsOf(trace) : spoiltFaults(trace, from) }).toEqual({ from, faults: [] })
          }
        },
      )

      test('survives a model that asks for what is refused, again and again', async () => {
        const trace = await play({ chat: spoilt(sane(), 6, (request, n) => stubborn(request, n)) })
        expect(errorsOf(trace)).toEqual([])
        expect(['ended', 'out_of_budget', 'out_of_time']).toContain(endOf(trace))
      })
    })
  })
}

const endAt = (trace: readonly TraceRecord[]): number => of(trace, 'end')[0]?.at ?? Infinity
