import { expect, test } from 'vitest'
import { story } from '../testing/trace-builder.js'
import modelMetrics from './model.metric.js'
import { named } from '../testing/metrics.js'

const inert = named(modelMetrics, 'inert_directives')

const called = story().as('operator').note('unit', { unit: 'a' })

test('directives that stayed text are counted where templates are expanded, and absent elsewhere', () => {
  expect(inert.of(story().as('operator').call().trace)).toBe(null)
  expect(inert.of(called.trace)).toBe(0)
  expect(inert.of(called.note('inert').note('inert').trace)).toBe(2)
})
