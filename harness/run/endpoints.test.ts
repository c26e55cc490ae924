import { afterEach, expect, test, vi } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { TrialLine } from '../contract/index.js'
import type { Waiting } from '../model/gate.js'
import { simulatedFetch } from '../reader/endpoint.js'
import { createRandom } from '../sim/random.js'
import { scratch } from '../testing/cli.js'
import { runHeader } from './header.js'
import { createGates, openModel } from './models.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment } from './registry.js'
import { runPlan } from './runner.js'
import { readRun } from './store.js'
import { createRun } from './writer.js'

afterEach(() => vi.unstubAllGlobals())

const simulated = simulatedFetch()
const known = new Map<string, string>()
/** Equal questions get equal answers: the second run of a pair asks for nothing new. */
async function answered(body: string): Promise<Response> {
  const own = JSON.stringify({ ...JSON.parse(body), model: 'sim:careful' })
  const text = known.get(body) ?? (await (await simulated('http://x/v1/chat/completions', { body: own })).text())
  known.set(body, text)
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

/** Plays trials of a model behind HTTP; `fail` may answer in its place, `at` is the time that waiting has taken. */
async function played(scenarios: number, fail: (body: string, at: number) => Response | null) {
  let at = 0
  const waits: Waiting[] = []
  const sleep = (ms: number) => Promise.resolve((at += ms))
  vi.stubGlobal('fetch', async (_url: unknown, init: { body: string }) => fail(init.body, at) ?? answered(init.body))
  const [agent, environment] = [await loadAgent('react-sync'), await loadEnvironment('water-hammer')]
  const definitions = {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }
  const names = { agents: [agent.name], environments: [environment.name], models: ['far'] }
  const suite = suiteSchema.parse({ name: 'far', seed: 1, scenarios, ...names })
  const plan = planSuite(suite, definitions)
  const folder = scratch()
  const writer = createRun(folder, runHeader('far', suite, plan.trials, { now: new Date(0), traces: 'none' }))
  const options = {
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    sleep,
    gates: createGates({ concurrency: 4, sleep, now: () => at, onWait: (waiting) => waits.push(waiting) }),
  }
  const { stopped } = await runPlan(plan, {
    definitions,
    metrics: [],
    chats: new Map([['far', openModel('far', options)]]),
    writer,
    concurrency: 4,
    signal: new AbortController().signal,
    onTrial: () => {},
  })
  writer.close()
  return { lines: readRun(folder).lines, waits, at, stopped }
}

const said = (lines: readonly TrialLine[]) => lines.map(({ outcome, behaviour }) => [outcome, behaviour?.full])

/** A different fault each time. */
const faults = [
  () => new Response('{}', { status: 500 }),
  () => new Response('{"error":{"message":"Rate limit reached"}}', { status: 429, headers: { 'retry-after': '7' } }),
  () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  () => new Response('{"choices":[', { headers: { 'content-type': 'application/json' } }),
  () => Response.json({ error: { message: 'overloaded', code: 503 } }),
]

test('Five hundred trials of which three calls in ten fail, at most four times in a row, end as they would without', async () => {
  const random = createRandom('faults').stream('faults')
  const failed = new Map<string, number>()
  const broken = await played(500, (body) => {
    const times = failed.get(body) ?? 0
    const fails = random.uniform() < 0.3 && times < 4
    failed.set(body, fails ? times + 1 : 0)
    return fails ? (faults[Math.floor(random.uniform() * faults.length)]?.() ?? null) : null
  })
  const whole = await played(500, () => null)
  expect([broken.stopped, broken.lines.length]).toEqual([null, 500])
  expect(said(broken.lines)).toEqual(said(whole.lines))
  expect(broken.waits.filter(({ untilMs }) => untilMs === null)).toEqual([])
})

test('an endpoint that is down for a minute is waited for: the run pauses, says so, and goes on', async () => {
  const whole = await played(12, () => null)
  let calls = 0
  const { lines, waits, at, stopped } = await played(12, (_body, now) =>
    ++calls > 20 && now < 60_000 ? new Response('Down', { status: 503 }) : null,
  )
  const lost = lines.filter(({ outcome }) => outcome === 'infrastructure_error')
  expect([stopped, lines.length, at >= 60_000]).toEqual([null, 12, true])
  // Those that failed through before it was known that it is not them.
  expect(lost.length).toBeLessThanOrEqual(2)
  const kept = lines.filter((line) => !lost.includes(line)).map(({ identity }) => identity.id)
  const same = whole.lines.filter(({ identity }) => kept.includes(identity.id))
  expect(said(lines.filter((line) => !lost.includes(line)))).toEqual(said(same))
  expect(waits).toContainEqual({
    endpoint: '127.0.0.1:1',
    cause: 'it is down (the server failed (HTTP 503): Down)',
    untilMs: null,
  })
})
