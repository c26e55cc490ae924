import { expect, it } from 'vitest'
import { readGoal } from './goal.js'

const brief = (text: string) => {
  const { until, guards, keep, literals } = readGoal(text)
  const words = (rules: typeof until) =>
    rules.map(({ op, value, unit }) => [op, value, unit].filter((each) => each !== null).join(' '))
  return { until: words(until), guards: words(guards), keep: words(keep), literals }
}

it.each([
  [
    'The core is critical (3000°C). Perform the Hydraulic Flush, reduce core temperature, then verify it is below 500°C and the system is STABLE.',
    { until: ['below 500 °C', 'is STABLE'], guards: [], keep: [], literals: [] },
  ],
  [
    'You are the ODD agent: find the counter and increment it only if the number is ODD, continue until it exceeds 5.',
    { until: ['above 5'], guards: ['odd true'], keep: [], literals: [] },
  ],
  [
    'Heat the water to at least 90 °C, and keep the pressure above 1.5 bar and below 4 bar. Use the code "AB-1".',
    { until: ['at_least 90 °C'], guards: [], keep: ['above 1.5 bar', 'below 4 bar'], literals: ['AB-1'] },
  ],
  [
    'Keep the pressure more than 1 bar and less than 4 bar until the valve is OPEN.',
    { until: ['is OPEN'], guards: [], keep: ['above 1 bar', 'below 4 bar'], literals: [] },
  ],
  [
    'Bring it to at most 1,500 l; the lid is not OPEN.',
    { until: ['at_most 1500 l', 'is_not OPEN'], guards: [], keep: [], literals: [] },
  ],
  ['Hand me the result.', { until: [], guards: [], keep: [], literals: [] }],
])('reads the conditions of: %s', (text, expected) => {
  expect(brief(text)).toEqual(expected)
})
