import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defineMetric } from '../contract/index.js'
import type { Metric, MetricResult } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import { codebook, measure } from './measure.js'

const metric = (name: string, result: MetricResult): Metric =>
  defineMetric({
    name,
    unit: 'count',
    better: 'lower',
    summary: 'A | B.',
    source: 'docs/design.md#metrics',
    of: () => result,
  })

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
| \`a\` | count | lower | A \\| B. | docs/design.md#metrics |
| \`b\` | count | lower | A \\| B. | docs/design.md#metrics |
`)
})

async function all(): Promise<Metric[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.metric.ts'))
  const lists = files.map(async (file) => {
    const module: { default: Metric[] } = await import(/* @vite-ignore */ `./${file}`)
    return module.default
  })
  return (await Promise.all(lists)).flat()
}

test('no two metrics share a name, and each holds for a trace that was cut after its first record', async () => {
  const metrics = await all()
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length)
  const values = measure(story().trace, metrics)
  expect(Object.entries(values).filter(([, value]) => value !== 0)).toEqual([
    ['claim', null],
    ['false_claim', null],
    ['inert_directives', null],
    ['longest_process_ms', null],
    ['makespan_ms', null],
    ['missed_rules', null],
    ['outcome', null],
    ['peak_prompt_tokens', null],
    ['predicted', null],
    ['reasoning_tokens', null],
    ['solved', null],
    ['stale_operations', null],
    ['tokens_while_suspended', null],
  ])
})
