import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineEnvironment, suiteSchema } from '../contract/index.js'
import type { Agent, Environment, Limits, SuiteInput, TraceRecord, TrialLine } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../run/registry.js'
import { lineOf } from '../run/runner.js'
import { interactionsOf } from '../trace/algebra/interaction.js'
import { runTrial } from './trial.js'

interface Told {
  line: TrialLine
  trace: TraceRecord[]
}

async function playWith(agent: Agent, environment: Environment, given: Partial<SuiteInput>): Promise<Told[]> {
  const metrics = await loadMetrics()
  const { name } = environment
  const suite = suiteSchema.parse({
    name: 't',
    seed: 7,
    scenarios: 10,
    models: ['sim:careful'],
    agents: [agent.name],
    environments: [name],
    ...given,
  })
  const plan = planSuite(suite, {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[name, environment]]),
  })
  const told: Told[] = []
  for (const identity of plan.trials) {
    const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
    const trace = await runTrial(identity, { environment, agent, chat, thinking: parseThinking(identity.thinking) })
    told.push({ line: lineOf(identity, trace, metrics), trace })
  }
  return told
}

const counting = (params: Record<string, number | string | boolean | null>) => ({
  environments: [{ use: 'even-odd', params }],
})
const play = async (agent: string, given: Partial<SuiteInput>) =>
  playWith(await loadAgent(agent), await loadEnvironment('even-odd'), given)

function outcomes(told: Told[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { line } of told) counts[line.outcome] = (counts[line.outcome] ?? 0) + 1
  return counts
}

describe('even-odd with several agents', () => {
  test.each([2, 3, 5])('is solved by %d careful S-ORA agents without a poll or a resync', async (agents) => {
    const told = await play('s-ora', counting({ agents }))
    expect(outcomes(told)).toEqual({ solved: 10 })
    for (const { line } of told)
      expect(line.metrics).toMatchObject({
        claim: 'achieved',
        polls: 0,
        resyncs: 0,
        tokens_while_suspended: 0,
        stale_operations: 0,
        operations: agents + 5,
      })
  })

  test('is never solved blindly, not even where all begin at once and think in lockstep', async () => {
    const limits = { modelCalls: 60 }
    const drawn = await play('react-sync', { ...counting({}), limits })
    expect(outcomes(drawn)).toEqual({ violated: 10 })
    const lockstep = await play('react-sync', { ...counting({ jitterMs: 0 }), limits, thinking: 'fixed:1000' })
    expect(outcomes(lockstep)).toEqual({ violated: 10 })
  })

  test('shows races where several agents have one parity: stale increments harm, or are refused', async () => {
    const given = { agents: 3, turns: 'parity', limit: 9 }
    const sum = (told: Told[], metric: string) =>
      told.reduce((total, { line }) => total + Number(line.metrics[metric] ?? 0), 0)
    const racing = await play('react-polling', counting(given))
    expect(outcomes(racing)['violated']).toBeGreaterThan(0)
    expect(sum(racing, 'stale_operations')).toBeGreaterThan(0)
    const expecting = await play('react-polling', counting({ ...given, expected: true }))
    expect(outcomes(expecting)).toEqual({ solved: 10 })
    expect(sum(expecting, 'refused')).toBe(sum(expecting, 'stale_operations'))
    expect(sum(expecting, 'refused')).toBeGreaterThan(0)
  })

  test('survives lost doorbells, but where several have one parity only by naming what is expected', async () => {
    const lossy = (params: Record<string, number | string | boolean>) =>
      play('s-ora', {
        ...counting({ doorbellDrop: 0.3, ...params }),
        models: ['sim:careful?waitTimeoutMs=5000'],
        // Who looks again before each step hears of most that was lost.
        agents: [{ use: 's-ora', params: { recheck: 'off' } }],
      })
    expect(outcomes(await lossy({}))).toEqual({ solved: 10 })
    const crowd = { agents: 4, turns: 'parity' }
    expect(outcomes(await lossy(crowd))['violated']).toBeGreaterThan(0)
    expect(outcomes(await lossy({ ...crowd, expected: true }))).toEqual({ solved: 10 })
  })

  test('keeps its roles apart: their starts, uuids, prompts, records and interactions', async () => {
    const [told] = await play('s-ora', { ...counting({ agents: 3 }), scenarios: 1 })
    const trace = told?.trace ?? []
    const roles = trace.flatMap((record) => (record.kind === 'trial' ? record.roles : []))
    expect(roles.map(({ name }) => name).toSorted()).toEqual(['MOD-0', 'MOD-1', 'MOD-2'])
    const activities = new Map<string, Set<string>>()
    for (const { role, activity } of trace) {
      if (role === null || activity === null) continue
      activities.set(role, (activities.get(role) ?? new Set()).add(activity))
    }
    expect([...activities.values()].map((own) => own.size)).toEqual([1, 1, 1])
    expect(new Set([...activities.values()].flatMap((own) => [...own])).size).toBe(3)
    const byNobody = trace.filter(({ kind, role }) => kind === 'operation' && role === null)
    expect(byNobody).toEqual([])
    const texts = new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
    for (const { name, goal } of roles) {
      const asked = trace.filter((record) => record.kind === 'request' && record.role === name)
      const said = asked.flatMap((record) => (record.kind === 'request' ? record.messages : []))
      const prompts = said.map(({ hash }) => texts.get(hash) ?? '').join('\n')
      expect(roles.filter((other) => prompts.includes(other.goal))).toEqual(roles.filter((each) => each.goal === goal))
    }
    expect(
      interactionsOf(trace)
        .map(({ role }) => role)
        .toSorted(),
    ).toEqual(['MOD-0', 'MOD-1', 'MOD-2'])
  })
})

/** A room with a bell push, for agents that are written here. */
const room = defineEnvironment({
  name: 'room',
  version: '1',
  summary: '',
  params: z.strictObject({}),
  roles: () => [
    { name: 'early', goal: '' },
    { name: 'late', goal: '', startsAtMs: 500 },
  ],
  setup(kit) {
    const tool = kit.artifact('push', 'A push.')
    const presses = tool.property('presses', z.int().min(0), 0, 'How often.')
    const declared = { summary: '', behaviour: '', effects: [presses.rises({ by: 1 })] }
    tool.operation('press', declared, (_args, { role }) => {
      presses.value += 1
      return `Pressed by ${role}.`
    })
    kit.document('m', {
      kind: 'manual',
      title: '',
      summary: '',
      category: '',
      version: '1',
      covers: [tool],
      role: 'active actuator',
      description: '',
      protocol: [],
    })
    return { reached: () => presses.value >= 2, allMustEnd: true, oracle: async () => {}, saboteurs: {} }
  },
})
const presser = (presses: number, stays = false): Agent =>
  defineAgent({
    name: 'presser',
    version: '1',
    summary: '',
    surface: 'act',
    usesModel: false,
    params: z.strictObject({}),
    async run(context) {
      const door = await context.open('goal')
      for (let press = 0; press < presses; press++) {
        await context.pause(1_000)
        await door.call('push', { action: 'press' })
      }
      if (stays && context.role.name === 'late') await context.wait(null)
    },
  })

async function pressed(presses: number, stays: boolean, limits: Partial<Limits> = {}) {
  const [told] = await playWith(presser(presses, stays), room, { scenarios: 1, limits })
  const acks = told?.trace.flatMap((record) => (record.kind === 'acknowledgement' ? [record] : [])) ?? []
  return { outcome: told?.line.outcome, acks: acks.map(({ at, message }) => [at, message]) }
}

test('a role begins when it is told to, and its operations know whose they are', async () => {
  expect(await pressed(1, false)).toEqual({
    outcome: 'solved',
    acks: [
      [1_000, 'Pressed by early.'],
      [1_500, 'Pressed by late.'],
    ],
  })
})

test('where all must end, a goal that somebody goes on waiting at is not solved', async () => {
  expect((await pressed(1, true)).outcome).toBe('deadlocked')
})

test('the budget of operations is the trial’s, not one for each role', async () => {
  const { outcome, acks } = await pressed(3, false, { operations: 3 })
  expect([outcome, acks.length]).toEqual(['out_of_budget', 3])
})
