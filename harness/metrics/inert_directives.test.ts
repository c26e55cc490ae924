import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import modelMetrics from './model.metric.js'
import { named } from '../testing/metrics.js'

const inert = named(modelMetrics, 'inert_directives')

const called = story().as('operator').add({ kind: 'unit', unit: 'a', by: 'model', round: 1, depth: 1, input: {} })

test('directives that stayed text are counted where templates are expanded, and absent elsewhere', () => {
  expect(inert.of(story().as('operator').call().trace)).toBe(null)
  expect(inert.of(called.trace)).toBe(0)
  const planted = { kind: 'inert', where: 'world', directive: '{{ .Get "x" }}' } as const
  expect(inert.of(called.add(planted, planted).trace)).toBe(2)
})
