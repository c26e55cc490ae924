import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import { scratch } from '../testing/cli.js'
import { runHeader } from './header.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment } from './registry.js'
import { runPlan } from './runner.js'
import { readRun } from './store.js'
import { createRun } from './writer.js'

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
