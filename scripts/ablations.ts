// Keeps of a run of the suite `ablations` what docs/s-ora.md tells of it: `npx sora-bench run ablations --out FOLDER`, then
// `npm run ablations -- FOLDER`.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TrialLine } from '../harness/contract/index.js'
import { summarise } from '../harness/report/summary.js'
import { agentLabel, cases, count, duration, percent, rateWithInterval } from '../harness/report/table.js'
import { loadMetrics } from '../harness/run/registry.js'
import { readRun } from '../harness/run/store.js'
import { wilson } from '../harness/stats/proportion.js'

const KEPT = fileURLToPath(new URL('../docs/ablations.json', import.meta.url))

/** An agent in a world. */
interface Row {
  world: string
  agent: string
  /** A letter for each scenario: 1, solved. */
  solved: string
  violated: number
  predicted: number | null
  /** Model calls, scenario by scenario. */
  calls: number[]
  tokens: number | null
  billed: number | null
  suspendedMs: number | null
  makespanMs: number | null
}

export const keptRows = (): Row[] => JSON.parse(readFileSync(KEPT, 'utf8'))

/** The agents of each world, in the order of the trials. */
export async function rowsOf(lines: readonly TrialLine[]): Promise<Row[]> {
  const summary = summarise(lines, { metrics: await loadMetrics() })
  return cases(summary).flatMap(({ groups }) =>
    groups.map((group) => {
      const { environment, agent, metrics, violated } = group
      const own = lines
        .filter(({ identity: { scenario, ...each } }) =>
          [
            [scenario.environment, environment.name],
            [each.agent, agent.name],
            [JSON.stringify(each.agentParams), JSON.stringify(agent.params)],
          ].every(([one, other]) => one === other),
        )
        .toSorted((a, b) => a.identity.scenario.index - b.identity.scenario.index)
      const mean = (name: string): number | null => {
        const value = metrics[name]?.mean ?? null
        return value === null ? null : Number(value.toFixed(3))
      }
      const [prompt, completion] = [mean('prompt_tokens'), mean('completion_tokens')]
      return {
        world: environment.name,
        agent: agentLabel(group, summary.groups),
        solved: own.map(({ outcome }) => (outcome === 'solved' ? '1' : '0')).join(''),
        violated: violated.events,
        predicted: mean('predicted'),
        calls: own.map(({ metrics: { model_calls: calls } }) => Number(calls)),
        tokens: prompt === null || completion === null ? null : prompt + completion,
        billed: mean('billed_tokens'),
        suspendedMs: mean('suspended_ms'),
        makespanMs: metrics['makespan_ms']?.median ?? null,
      }
    }),
  )
}

/** A table for each world: its name, its head, its rows. */
export function ablationTables(): [world: string, head: string[], rows: string[][]][] {
  const rows = keptRows()
  const head = [
    'agent',
    'n',
    'solved [95 %]',
    'predicted',
    'violated',
    'calls',
    'tokens',
    'billed',
    'suspended',
    'makespan',
  ]
  return [...new Set(rows.map(({ world }) => world))].map((world) => [
    world,
    head,
    rows
      .filter((row) => row.world === world)
      .map(({ agent, solved, violated, predicted, calls, tokens, billed, suspendedMs, makespanMs }) => {
        const n = solved.length
        const events = solved.replaceAll('0', '').length
        const { low, high } = wilson(events, n) ?? { low: null, high: null }
        return [
          `\`${agent}\``,
          String(n),
          rateWithInterval({ rate: events / n, low, high }),
          percent(predicted),
          `${violated}/${n}`,
          count(calls.reduce((sum, each) => sum + each, 0) / n),
          count(tokens),
          count(billed),
          duration(suspendedMs),
          duration(makespanMs),
        ]
      }),
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (folder === undefined) throw new Error('Which run? npm run ablations -- FOLDER')
  const rows = await rowsOf(readRun(folder).lines)
  writeFileSync(KEPT, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
}
