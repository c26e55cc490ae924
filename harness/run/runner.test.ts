import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RunStopped, suiteSchema } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import { scratch } from '../testing/cli.js'
import { runHeader } from './header.js'
import { openModel } from './models.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment } from './registry.js'
import { runPlan } from './runner.js'
import { readRun } from './store.js'
import { createRun, resumeRun } from './writer.js'

test('a trial that cannot be stored ends the run: what was stored stays, and no other is begun', async () => {
  const [agent, environment] = [await loadAgent('oracle'), await loadEnvironment('water-hammer')]
  const definitions = {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }
  const names = { agents: [agent.name], environments: [environment.name] }
  const suite = suiteSchema.parse({ name: 'full', seed: 1, scenarios: 8, ...names })
  const plan = planSuite(suite, definitions)
  const folder = scratch()
  const writer = createRun(folder, runHeader('full', suite, plan.trials, { now: new Date(0), traces: 'all' }))
  const traces = join(folder, 'traces')
  const stored: string[] = []
  const asked: string[] = []
  const run = runPlan(plan, {
    definitions,
    metrics: [],
    chats: new Map(),
    writer: {
      ...writer,
      append(line, ...rest) {
        // A file stands where the folder of the traces was; later it is gone again.
        if (asked.push(line.identity.id) === 3) {
          rmSync(traces, { recursive: true })
          writeFileSync(traces, '')
        }
        try {
          writer.append(line, ...rest)
        } finally {
          rmSync(traces, { recursive: true })
          mkdirSync(traces)
        }
      },
    },
    concurrency: 1,
    signal: new AbortController().signal,
    onTrial: ({ identity }) => stored.push(identity.id),
  })
  await expect(run).rejects.toThrow(`The output folder "${folder}" cannot be written`)
  writer.close()
  expect([asked.length, readRun(folder).lines.map(({ identity }) => identity.id)]).toEqual([3, stored])
  expect(stored).toEqual(asked.slice(0, 2))
})

test('a model that says the run is over is asked no more, by no trial; what it cut is not stored, and the run goes on where it was', async () => {
  const [agent, environment] = [await loadAgent('react-sync'), await loadEnvironment('water-hammer')]
  const definitions = {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }
  const names = { agents: [agent.name], environments: [environment.name], models: ['sim:careful'] }
  const suite = suiteSchema.parse({ name: 'stopped', seed: 1, scenarios: 6, ...names })
  const plan = planSuite(suite, definitions)
  const model = openModel('sim:careful', { env: {} })
  const play = (folder: string, calls: number, writer = createRun(folder, header(folder))) => {
    let [asked, refused] = [0, 0]
    const complete: ChatModel['complete'] = (request) => {
      if (++asked <= calls) return model.complete(request)
      refused++
      throw new RunStopped('The money is spent.')
    }
    const options = {
      definitions,
      metrics: [],
      chats: new Map([['sim:careful', { name: 'sim:careful', complete }]]),
      writer,
      concurrency: 3,
      signal: new AbortController().signal,
      onTrial: () => {},
    }
    return runPlan(plan, options).then((end) => {
      writer.close()
      return { ...end, refused, lines: readFileSync(join(folder, 'trials.jsonl'), 'utf8') }
    })
  }
  const header = (run: string) => runHeader(run, suite, plan.trials, { now: new Date(0), traces: 'none' })

  const whole = await play(scratch(), Infinity)
  expect(whole).toMatchObject({ done: 6, stopped: null, interrupted: false })
  const folder = scratch()
  const cut = await play(folder, 60)
  expect(cut).toMatchObject({ stopped: 'The money is spent.', interrupted: false, refused: 1 })
  expect([cut.done > 0, cut.done < 6]).toEqual([true, true])
  expect(cut.lines.split('\n').filter((line) => !whole.lines.includes(line))).toEqual([])
  const rest = await play(folder, Infinity, resumeRun(folder, header(folder), false))
  expect(rest).toMatchObject({ done: 6 - cut.done, stopped: null, lines: whole.lines })
})
