/**
 * What the harness costs: `npm run bench`. Every iteration plays a scenario that no cache has seen. Times are of this
 * machine and noisy: compare ratios within one run.
 */
import Table from 'cli-table3'
import { Bench } from 'tinybench'
import { suiteSchema } from '../harness/contract/index.js'
import type { TraceRecord, TrialIdentity } from '../harness/contract/index.js'
import { measure } from '../harness/metrics/measure.js'
import type { ChatModel } from '../harness/model/chat.js'
import { openInProcess } from '../harness/model/openai.js'
import { parseThinking } from '../harness/model/thinking.js'
import { countPrompt } from '../harness/model/tokens.js'
import { simulatedFetch } from '../harness/reader/endpoint.js'
import { planSuite } from '../harness/run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../harness/run/registry.js'
import { encodeTrace } from '../harness/trace/file.js'
import { runTrial } from '../harness/trial/trial.js'

const MODEL = 'sim:careful'
const TRIALS = 4_000
const RUNS = 5

const parts = { trials: 0, client: 0, reader: 0, tokens: 0, trace: 0, trial: 0, calls: 0, virtualMs: 0 }

/** The simulated model with a watch on each part; the first count of a prompt is the one that costs. */
const answer = simulatedFetch()
const chat = openInProcess({
  name: MODEL,
  async fetch(input, init) {
    const began = performance.now()
    const { messages, tools, response_format: format } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    const parsed = performance.now()
    countPrompt(messages, tools, format?.json_schema)
    const counted = performance.now()
    const response = await answer(input, init)
    parts.tokens += counted - parsed
    parts.reader += performance.now() - counted
    // The watch's own parsing is nobody's cost.
    watched += parsed - began
    inFetch += performance.now() - began
    return response
  },
})
let watched = 0
let inFetch = 0
const plain = openInProcess({ name: MODEL, fetch: answer })
const timed: ChatModel = {
  name: MODEL,
  async complete(request) {
    const [before, began] = [inFetch, performance.now()]
    const completion = await chat.complete(request)
    parts.client += performance.now() - began - (inFetch - before)
    parts.calls++
    return completion
  },
}

const [environment, metrics] = [await loadEnvironment('water-hammer'), await loadMetrics()]

async function plan(name: string, model: ChatModel): Promise<(index: number) => Promise<TraceRecord[]>> {
  const agent = await loadAgent(name)
  const suite = suiteSchema.parse({
    name,
    seed: 1,
    scenarios: TRIALS,
    agents: [name],
    environments: ['water-hammer'],
    models: [MODEL],
  })
  const definitions = { agents: new Map([[name, agent]]), environments: new Map([[environment.name, environment]]) }
  const { trials } = planSuite(suite, definitions)
  return (index) => {
    const identity: TrialIdentity | undefined = trials[index % TRIALS]
    if (identity === undefined) throw new Error('The plan is empty.')
    return runTrial(identity, { environment, agent, chat: model, thinking: parseThinking('tokens') })
  }
}

/** Median wall time of one whole trial, its results included, over several runs: without a watch on its parts. */
async function medianTrial(
  name: string,
  model: ChatModel,
  runs: number,
): Promise<{ medianMs: number; spread: string }> {
  const trial = await plan(name, model)
  let next = 0
  const medians: number[] = []
  for (let run = 0; run < runs; run++) {
    const bench = new Bench({ time: 1_000, warmupTime: run === 0 ? 3_000 : 0 })
    bench.add(
      name,
      async () => {
        const [began, own] = [performance.now(), watched]
        const trace = await trial(next++)
        const played = performance.now()
        encodeTrace(trace)
        measure(trace, metrics)
        const ended = performance.now()
        parts.trials++
        parts.trace += ended - played
        parts.trial += ended - began - (watched - own)
        parts.virtualMs += trace.findLast(({ kind }) => kind === 'end')?.at ?? 0
      },
      { async: true },
    )
    await bench.run()
    const [task] = bench.tasks
    if (task === undefined || !('latency' in task.result)) throw new Error(`The benchmark of ${name} failed.`)
    medians.push(task.result.latency.p50)
  }
  const sorted = medians.toSorted((a, b) => a - b)
  return { medianMs: sorted[Math.floor(runs / 2)] ?? Number.NaN, spread: `${ms(sorted[0])} to ${ms(sorted.at(-1))}` }
}

const ms = (value = Number.NaN): string => value.toFixed(2)

const table = new Table({
  head: [
    'agent',
    'ms/trial',
    `${RUNS} runs`,
    'calls',
    'path µs/call',
    'client',
    'reader',
    'tokens',
    'trace',
    'world, door, agent',
    '× real',
  ],
  style: { head: [], border: [] },
})
for (const name of ['s-ora', 'react-polling', 'react-sync']) {
  const { medianMs, spread } = await medianTrial(name, plain, RUNS)
  for (const key of Object.keys(parts)) Object.assign(parts, { [key]: 0 })
  await medianTrial(name, timed, 2)
  const { trials, client, reader, tokens, trace, trial, calls, virtualMs } = parts
  const share = (part: number): string =>
    `${((1_000 * part) / calls).toFixed(0)} (${((100 * part) / trial).toFixed(0)} %)`
  table.push([
    name,
    ms(medianMs),
    spread,
    (calls / trials).toFixed(1),
    ((1_000 * (client + reader + tokens + trace)) / calls).toFixed(0),
    share(client),
    share(reader),
    share(tokens),
    share(trace),
    share(trial - client - reader - tokens - trace),
    (virtualMs / trial).toFixed(0),
  ])
}
process.stdout.write(
  `${table.toString()}\nms/trial: the median run of ${RUNS}; path: client + reader + tokens + trace, mean µs per model call; then each part’s µs per call and share of the trial.\n${MODEL}, water-hammer, a fresh scenario per trial; trace includes metrics and compression.\n`,
)
