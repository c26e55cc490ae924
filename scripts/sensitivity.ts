// Plays the suite `sensitivity` in several worlds for docs/simulated-model.md, and draws its picture: `npm run sensitivity`.
// `npm run sensitivity -- 20`: with 20 scenarios where it matters most, and half as many elsewhere.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Agent, Environment, Metric, TrialIdentity } from '../harness/contract/index.js'
import { measure } from '../harness/metrics/measure.js'
import { parseThinking } from '../harness/model/thinking.js'
import { openModel } from '../harness/run/models.js'
import { planSuite } from '../harness/run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../harness/run/registry.js'
import { loadSuite } from '../harness/run/suite-file.js'
import { runTrial } from '../harness/trial/trial.js'
import { KEPT, PICTURE, picture } from './error-tables.js'
import type { Cell } from './error-tables.js'

/** Beside the world of the suite, whose readers they meet where nothing but correlation and scale is set. */
const OTHER_WORLDS = ['night-watch', 'converter', 'even-odd']
const SCENARIOS = 100

/** In the suite's world, what is compared at all correlations and on both scales has an interval of some ten points; the rest is played half as often. */
const settingsOf = (model: string): string[] => [...new URLSearchParams(model.split('?')[1] ?? '').keys()]
const isKey = (model: string): boolean =>
  settingsOf(model).every((name) => name === 'correlation' || name === 'per' || name === 'draws')
const isPlain = (model: string): boolean => isKey(model) && !settingsOf(model).includes('draws')

/** The trials of each cell, and how to play one. */
export async function openSuite(scenarios: number) {
  const suite = await loadSuite('sensitivity')
  const uses = [...suite.environments, ...OTHER_WORLDS]
  const agents = new Map<string, Agent>()
  const environments = new Map<string, Environment>()
  for (const use of suite.agents) if (typeof use === 'string') agents.set(use, await loadAgent(use))
  for (const use of uses) if (typeof use === 'string') environments.set(use, await loadEnvironment(use))
  const metrics = await loadMetrics()
  const { trials } = planSuite({ ...suite, environments: uses, scenarios }, { agents, environments })
  const cells = new Map<string, TrialIdentity[]>()
  for (const trial of trials) {
    const { scenario, agent, model } = trial
    const isOfSuite = !OTHER_WORLDS.includes(scenario.environment)
    if (model === null || (!isOfSuite && !isPlain(model))) continue
    if (!(isKey(model) && isOfSuite) && scenario.index >= Math.ceil(scenarios / 2)) continue
    const key = `${scenario.environment} ${agent} ${model}`
    cells.set(key, [...(cells.get(key) ?? []), trial])
  }
  return {
    cells: [...cells.values()],
    play: (identity: TrialIdentity) => play(identity, { agents, environments, metrics }),
  }
}

interface Loaded {
  agents: ReadonlyMap<string, Agent>
  environments: ReadonlyMap<string, Environment>
  metrics: readonly Metric[]
}

/** One trial as a cell of its own. */
async function play(identity: TrialIdentity, { agents, environments, metrics }: Loaded): Promise<Cell> {
  const world = identity.scenario.environment
  const [agent, environment] = [agents.get(identity.agent), environments.get(world)]
  const { model } = identity
  if (agent === undefined || environment === undefined || model === null)
    throw new Error(`${identity.id} is not whole.`)
  const chat = openModel(model, { env: {} })
  const trace = await runTrial(identity, { agent, environment, chat, thinking: parseThinking(identity.thinking) })
  const figures = measure(trace, metrics)
  return {
    world,
    agent: identity.agent,
    model,
    solved: figures['solved'] === true ? '1' : '0',
    predicted: Number(figures['predicted']),
    exposures: Number(figures['exposures.serious']),
    slips: Number(figures['slips.serious']),
    calls: Number(figures['model_calls']),
  }
}

const sum = (one: Cell, other: Cell): Cell => ({
  ...one,
  solved: one.solved + other.solved,
  predicted: Number((one.predicted + other.predicted).toFixed(4)),
  exposures: one.exposures + other.exposures,
  slips: one.slips + other.slips,
})

/** A process that is given the number of a cell, plays it and answers with it, until there is none left. */
async function work(scenarios: number): Promise<void> {
  const { cells, play: playOne } = await openSuite(scenarios)
  const answer = async (index: number): Promise<void> => {
    let whole: Cell | null = null
    for (const identity of cells[index] ?? []) {
      const one = await playOne(identity)
      whole = whole === null ? one : sum(whole, one)
    }
    process.send?.({ index, cell: whole })
  }
  // What fails ends the process, and with it the run.
  process.on('message', (index: number) => void answer(index))
  process.send?.({ index: null })
}

interface Answer {
  index: number | null
  cell?: Cell
}

async function main(scenarios: number): Promise<void> {
  const { cells } = await openSuite(scenarios)
  const played: Cell[] = []
  const open = cells.keys()
  let done = 0
  const employ = (worker: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      worker
        .on('error', reject)
        .on('exit', (code) =>
          code === 0 || code === null ? resolve() : reject(new Error(`A process ended with ${code}.`)),
        )
      worker.on('message', ({ index, cell }: Answer) => {
        if (index !== null && cell !== undefined) {
          played[index] = cell
          done += 1
          process.stderr.write(`${done} of ${cells.length} cells\n`)
        }
        const next = open.next()
        if (next.done === true) worker.kill()
        else worker.send(next.value)
      })
    })
  const file = fileURLToPath(import.meta.url)
  const workers = Array.from({ length: Math.max(1, availableParallelism()) }, () =>
    fork(file, ['--work', String(scenarios)], { execArgv: ['--import', 'jiti/register'] }),
  )
  await Promise.all(workers.map(employ))
  writeFileSync(KEPT, `[\n${played.map((cell) => JSON.stringify(cell)).join(',\n')}\n]\n`)
  writeFileSync(PICTURE, await picture())
}

const [first = String(SCENARIOS), second = ''] = process.argv.slice(2)
if (process.argv[1] === fileURLToPath(import.meta.url))
  await (first === '--work' ? work(Number(second)) : main(Number(first)))
