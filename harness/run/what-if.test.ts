import { expect, test } from 'vitest'
import { UserError, suiteSchema } from '../contract/index.js'
import type { JsonObject, Trace, TrialIdentity } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { runTrial } from '../trial/trial.js'
import { openModel } from './models.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment } from './registry.js'
import { identityOf } from './replay.js'
import { parseStep, playWhatIf } from './what-if.js'

const environment = await loadEnvironment('water-hammer')
const live = openModel('sim:careful', { env: {} })

/** One trial in a world that cools down within a tick, so that nothing but the ramp is in the way. */
async function recorded(name: string, model = live): Promise<Trace> {
  const agent = await loadAgent(name)
  const suite = suiteSchema.parse({
    name: 't',
    seed: 5,
    scenarios: 1,
    agents: [name],
    environments: [{ use: environment.name, params: { coolingRate: 0.95, rampMs: 12_000 } }],
    models: [model.name],
  })
  const definitions = { agents: new Map([[name, agent]]), environments: new Map([[environment.name, environment]]) }
  const [identity] = planSuite(suite, definitions).trials
  if (identity === undefined) throw new Error('There is no trial.')
  return runTrial(identity, { environment, agent, chat: model, thinking: parseThinking(identity.thinking) })
}

const outcomeOf = (trace: Trace): string | undefined =>
  trace.flatMap((record) => (record.kind === 'verdict' ? [record.outcome] : []))[0]

const withParams = (identity: TrialIdentity, params: JsonObject): TrialIdentity => ({
  ...identity,
  scenario: { ...identity.scenario, params: { ...identity.scenario.params, ...params } },
})

async function whatIf(name: string, trace: Trace, step: string, params: JsonObject = {}): Promise<Trace> {
  const agent = await loadAgent(name)
  const identity = withParams(identityOf(trace), params)
  return playWhatIf(trace, { agent, environment, identity, live, from: parseStep(step, trace) })
}

test('a hammered trial with a shorter ramp flips to solved, from the start and from the fatal decision', async () => {
  const trace = await recorded('react-sync')
  expect(outcomeOf(trace)).toBe('violated')
  expect(outcomeOf(await whatIf('react-sync', trace, '0', { rampMs: 1_000 }))).toBe('solved')
  const fatal = trace.find((record) => record.kind === 'acknowledgement' && record.outcome === 'harmed')
  const asked = trace.findLast((record) => record.kind === 'request' && record.n < (fatal?.n ?? 0))
  expect(outcomeOf(await whatIf('react-sync', trace, String(asked?.n), { rampMs: 1_000 }))).toBe('solved')
})

test('a reader that errs goes on from every step as it did, since the trace tells what had come up before', async () => {
  const model = openModel('sim:distracted?syntax=0.8&correlation=0', { env: {} })
  const [agent, trace] = [await loadAgent('s-ora'), await recorded('s-ora', model)]
  const answers = trace.flatMap((record) => (record.kind === 'answer' ? [record] : []))
  expect(answers.flatMap(({ exposures }) => exposures ?? []).filter(({ erred, k }) => erred && k > 0)).not.toEqual([])
  for (const { n } of trace.filter(({ kind }) => kind === 'request').filter((_, index) => index % 8 === 4)) {
    const from = parseStep(String(n), trace)
    const played = await playWhatIf(trace, { agent, environment, identity: identityOf(trace), live: model, from })
    expect(JSON.stringify(played)).toBe(JSON.stringify(trace))
  }
  const older = trace.map((record) => (record.kind === 'answer' ? { ...record, exposures: undefined } : record))
  const [identity, from] = [identityOf(trace), parseStep(String(trace.length - 1), trace)]
  await expect(playWhatIf(older, { agent, environment, identity, live: model, from })).rejects.toThrow(
    new UserError(
      `The trace does not tell where its simulated model could have erred before ${trace.length - 1}: it was recorded by an older version. Leave out --from, or record the trial anew.`,
    ),
  )
})

test.each(['react-sync', 's-ora'])('%s with nothing changed has the same future from every step', async (name) => {
  const trace = await recorded(name)
  const steps = trace.filter((record) => record.kind === 'request').map(({ n }) => n)
  expect(steps.length).toBeGreaterThan(5)
  for (const n of [0, ...steps.slice(1), trace.length - 1]) expect(await whatIf(name, trace, String(n))).toEqual(trace)
})

test('a past that the change would have altered is refused, with the first message and line that differ', async () => {
  const trace = await recorded('react-sync')
  const last = `${(trace.at(-1)?.at ?? 0) / 1_000}s`
  const lost = whatIf('react-sync', trace, last, { rampMs: 1_000 })
  await expect(lost).rejects.toThrow(UserError)
  await expect(lost).rejects.toThrow(
    /^The past before .* cannot be kept\. Call \d+ \(turn\) is asked otherwise .*: message \d+ \(tool\), line 1\.\n {2}recorded {2}.*CRITICAL FAILURE.*\n {2}now {7}.*Valve open\..*\nParameters act from the start/,
  )
})

test('a past whose last calls the other world never comes to is refused', async () => {
  const trace = await recorded('react-sync')
  const identity = identityOf(trace)
  const shorter = { ...identity, limits: { ...identity.limits, virtualMs: 3_000 } }
  const agent = await loadAgent('react-sync')
  const play = (step: string): Promise<Trace> =>
    playWhatIf(trace, { agent, environment, identity: shorter, live, from: parseStep(step, trace) })
  expect(outcomeOf(await play('1s'))).toBe('out_of_time')
  await expect(play('5s')).rejects.toThrow(/Call \d+ was answered after [\d.]+ s; now it is never answered\./)
  await expect(play('8s')).rejects.toThrow('cannot be kept')
})

test('a step is a record, or a time as the stories print it; requests before it are the past', async () => {
  const trace = await recorded('react-sync')
  const requests = trace.filter((record) => record.kind === 'request')
  const third = requests[2]
  if (third === undefined) throw new Error('There are too few calls.')
  const calls = (text: string): number => parseStep(text, trace).calls
  expect(calls('0')).toBe(0)
  expect(calls(String(third.n))).toBe(2)
  expect(calls(String(third.n + 1))).toBe(3)
  expect(calls(`${(third.at / 1_000).toFixed(2)}s`)).toBe(2)
  expect(calls(`${third.at + 1}ms`)).toBe(3)
  for (const text of ['later', '1.5', '-1', '3 h']) expect(() => calls(text)).toThrow(/is no step\. Write the number/)
  for (const text of ['99999', '9999s'])
    expect(() => calls(text)).toThrow(/lies behind the end of the trial: its last record/)
})
