import { describe, expect, test } from 'vitest'
import { InfrastructureError, suiteSchema } from '../contract/index.js'
import type { Agent, Limits, Trace, TraceRecord } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import { parseThinking } from '../model/thinking.js'
import smoke from '../suites/smoke.suite.js'
import { decodeTrace, encodeTrace } from '../trace/file.js'
import { runTrial } from '../trial/trial.js'
import { openModel } from './models.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment, pluginFiles } from './registry.js'
import { replayTrial } from './replay.js'

const environment = await loadEnvironment('water-hammer')

/** The first trial of the smoke suite with an agent, as its file brings it back. */
async function recorded(
  name: string,
  { limits, chat = null }: { limits?: Partial<Limits>; chat?: ChatModel | null } = {},
): Promise<{ agent: Agent; trace: Trace }> {
  const agent = await loadAgent(name)
  const suite = suiteSchema.parse({ ...smoke, agents: [name], limits })
  const [identity] = planSuite(suite, {
    agents: new Map([[name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }).trials
  if (identity === undefined) throw new Error('The smoke suite has no trial.')
  const model = identity.model === null ? null : (chat ?? openModel(identity.model, { env: {} }))
  const thinking = parseThinking(identity.thinking)
  const records = await runTrial(identity, { environment, agent, chat: model, thinking })
  return { agent, trace: (await decodeTrace(encodeTrace(records), 'it')).trace }
}

const outcomeOf = (trace: Trace): string | undefined =>
  trace.flatMap((record) => (record.kind === 'verdict' ? [record.outcome] : []))[0]

test.each([...pluginFiles('agent').keys()])('a trial of %s comes back record by record', async (name) => {
  const { agent, trace } = await recorded(name)
  const replay = await replayTrial(trace, { agent, environment })
  expect(replay).toMatchObject({ divergence: null, versions: null })
  expect(encodeTrace(replay.trace).equals(encodeTrace(trace))).toBe(true)
})

test.each<[string, Parameters<typeof recorded>[1]]>([
  ['out_of_budget', { limits: { modelCalls: 4 } }],
  ['out_of_time', { limits: { virtualMs: 5_000 } }],
  ['infrastructure_error', { chat: failingAt(4, new InfrastructureError('No route to the model.')) }],
  ['agent_error', { chat: failingAt(4, new Error('A bug.')) }],
])('a trial that ends as %s comes back, and so does what ended it', async (outcome, options) => {
  const { agent, trace } = await recorded('react-polling', options)
  expect(outcomeOf(trace)).toBe(outcome)
  expect((await replayTrial(trace, { agent, environment })).divergence).toBeNull()
})

function failingAt(call: number, error: Error): ChatModel {
  const model = openModel('sim:typical', { env: {} })
  let calls = 0
  return {
    name: model.name,
    complete: (request) => (++calls === call ? Promise.reject(error) : model.complete(request)),
  }
}

const find = (trace: Trace, kind: TraceRecord['kind'], which = 0): number => {
  const found = trace.filter((record) => record.kind === kind).at(which)
  if (found === undefined) throw new Error(`The trace has no ${kind}.`)
  return found.n
}
const renumbered = (trace: Trace): Trace => trace.map((record, n) => ({ ...record, n }))
const changed = (trace: Trace, n: number, change: object): Trace =>
  trace.map((record) => (record.n === n ? { ...record, ...change } : record))

describe('a trace that was tampered with is found out', () => {
  test('in an acknowledgement', async () => {
    const { agent, trace } = await recorded('react-sync')
    const n = find(trace, 'acknowledgement')
    const { divergence } = await replayTrial(changed(trace, n, { message: 'Yes.\u001b[2J' }), { agent, environment })
    expect(divergence).toMatchObject({ n, kind: 'acknowledgement', field: 'message', recorded: 'Yes.[2J' })
    expect(divergence?.now).toBe('Signed in. Clearance granted.')
    expect(divergence?.sentence).toMatch(
      /^Record \d+ \(acknowledgement, [\d.]+ s\) is not reproduced: `message` differs\.$/,
    )
  })

  test('in what a model said, where the next question carries it', async () => {
    const { agent, trace } = await recorded('react-sync')
    const n = find(trace, 'answer', 1)
    const call = trace[n]
    const { divergence } = await replayTrial(changed(trace, n, { text: 'Something else.' }), { agent, environment })
    expect(call).toMatchObject({ kind: 'answer', call: 2 })
    expect(divergence?.n).toBe(find(trace, 'text', trace.filter((r) => r.kind === 'text' && r.n < n).length))
    expect(divergence).toMatchObject({ kind: 'text', field: 'text' })
    expect(divergence?.sentence).toMatch(
      / `text` differs\. Call 3 \(turn\) is asked otherwise than it was recorded: message 5 \(assistant\), line 1\.$/,
    )
    expect(divergence?.now).toContain('Something else.')
  })

  test('in what a model called, at the operation itself', async () => {
    const { agent, trace } = await recorded('react-sync')
    const operation = find(trace, 'operation', -1)
    const answer = trace.slice(0, operation).findLast(({ kind }) => kind === 'answer')
    const toolCalls = [{ id: 'x', name: 'reactor_core', arguments: '{"action":"button_2"}' }]
    const { divergence } = await replayTrial(changed(trace, answer?.n ?? 0, { toolCalls }), { agent, environment })
    expect(divergence).toMatchObject({ n: operation, kind: 'operation', recorded: expect.any(String) })
    expect(divergence?.now).toMatch(/reactor_core|button_2/)
  })

  test('in how long a thought took', async () => {
    const { agent, trace } = await recorded('s-ora')
    const n = find(trace, 'answer', 3)
    const { divergence } = await replayTrial(changed(trace, n, { thoughtMs: 1 }), { agent, environment })
    // What the answer names is pooled just before it, at the same instant.
    const first = trace.find(({ at }) => at === trace[n]?.at)
    expect(divergence).toMatchObject({ n: first?.n, kind: first?.kind, field: 'at' })
  })

  test('where a record was dropped, and where one is too many', async () => {
    const { agent, trace } = await recorded('s-ora')
    const n = find(trace, 'signal')
    const dropped = renumbered(trace.filter((record) => record.n !== n))
    expect((await replayTrial(dropped, { agent, environment })).divergence).toMatchObject({
      n,
      field: 'kind',
      now: expect.stringMatching(/^signal \{.*pump\.pressure_nominal/),
    })
    const torn = trace.slice(0, -1)
    expect((await replayTrial(torn, { agent, environment })).divergence).toMatchObject({
      n: torn.length,
      kind: 'verdict',
      field: 'kind',
      recorded: '(nothing)',
      sentence: expect.stringMatching(/is not reproduced: the record ends before it\.$/),
    })
    const longer = renumbered([...trace, ...trace.slice(-1)])
    expect((await replayTrial(longer, { agent, environment })).divergence).toMatchObject({
      n: trace.length,
      now: '(nothing)',
    })
  })
})

test('an agent that asks otherwise by now is told with its version, the message and the line', async () => {
  const { agent, trace } = await recorded('react-polling')
  const newer: Agent = {
    ...agent,
    version: '99',
    run: (context) => {
      const take = () => context.goals.take().map((goal) => ({ ...goal, text: `${goal.text} Hurry.` }))
      return agent.run({ ...context, goals: { ...context.goals, take } })
    },
  }
  const { divergence, versions } = await replayTrial(trace, { agent: newer, environment })
  expect(versions).toBe(`The trace was written by another version: react-polling ${agent.version}, now 99.`)
  expect(divergence).toMatchObject({ kind: 'text', now: `${String(divergence?.recorded)} Hurry.` })
  expect(divergence?.sentence).toMatch(
    /Call 1 \(turn\) is asked otherwise than it was recorded: message 2 \(user\), line \d+\.$/,
  )
})

test('where the code of an error stood is no part of a trial', async () => {
  const crashing: Agent = { ...(await loadAgent('do-nothing')), run: () => Promise.reject(new Error('Broken.')) }
  const { trace } = await recorded('do-nothing')
  const { trace: crashed } = await replayTrial(trace, { agent: crashing, environment })
  const elsewhere = crashed.map((record) => (record.kind === 'error' ? { ...record, stack: 'elsewhere' } : record))
  expect((await replayTrial(elsewhere, { agent: crashing, environment })).divergence).toBeNull()
  const other: Agent = { ...crashing, run: () => Promise.reject(new Error('Worse.')) }
  expect((await replayTrial(elsewhere, { agent: other, environment })).divergence).toMatchObject({
    field: 'message',
    recorded: 'Broken.',
    now: 'Worse.',
  })
})
