import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defineMetric } from '../define/index.js'
import type { Metric, MetricResult } from '../define/index.js'
import { story } from '../testing/trace-builder.js'
import { codebook } from './codebook.js'
import { measure } from './measure.js'

const metric = (name: string, result: MetricResult): Metric =>
  defineMetric({ name, unit: 'count', better: 'lower', summary: 'A | B.', source: 'DESIGN §9', of: () => result })

test('metrics are flat and sorted by name, whatever the order they come in', () => {
  const values = measure([], [metric('b', { y: 2, x: 1 }), metric('c', null), metric('a', 'text')])
  expect(Object.entries(values)).toEqual([
    ['a', 'text'],
    ['b.y', 2],
    ['b.x', 1],
    ['c', null],
  ])
})

test('a number that JSON cannot hold is a bug, and names its metric', () => {
  expect(() => measure([], [metric('odd', Number.NaN)])).toThrow('The metric "odd" is NaN.')
})

test('the codebook is a table of the declarations', () => {
  expect(codebook([metric('b', 1), metric('a', 1)])).toBe(`| name | unit | better | definition | source |
| --- | --- | --- | --- | --- |
| \`a\` | count | lower | A \\| B. | DESIGN §9 |
| \`b\` | count | lower | A \\| B. | DESIGN §9 |
`)
})

async function all(): Promise<[file: string, metric: Metric][]> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.metric.ts'))
  return Promise.all(
    files.map(async (file): Promise<[string, Metric]> => {
      const module: { default: Metric } = await import(/* @vite-ignore */ `./${file}`)
      return [file, module.default]
    }),
  )
}

test('every metric is named like its file, and holds for a trace that was cut after its first record', async () => {
  const metrics = await all()
  expect(metrics.map(([file]) => file)).toEqual(metrics.map(([, { name }]) => `${name}.metric.ts`))
  const values = measure(
    story().trace,
    metrics.map(([, each]) => each),
  )
  expect(Object.entries(values).filter(([, value]) => value !== 0)).toEqual([
    ['claim', null],
    ['false_claim', null],
    ['inert_directives', null],
    ['longest_process_ms', null],
    ['makespan_ms', null],
    ['outcome', null],
    ['peak_prompt_tokens', null],
    ['solved', null],
    ['stale_operations', null],
    ['tokens_while_suspended', null],
  ])
})
