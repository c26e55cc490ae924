import { expect, test } from 'vitest'
import { compare } from './comparison.js'
import { metrics, side, trialsOf } from './fixtures/sides.js'
import { gate } from './gate.js'

const solved = (scenarios: number, times = scenarios) =>
  trialsOf(scenarios, (scenario) => ({ metrics: { solved: scenario < times, model_calls: 5 } }))
const without = (name: string) =>
  solved(20).map(({ metrics: figures, ...line }) => {
    const { [name]: _gone, ...kept } = figures
    return { ...line, metrics: kept }
  })

test('a margin that only the candidate states loosens nothing', () => {
  const [base, candidate] = [side('a', solved(40)), side('b', solved(40, 10), { margins: { solved: 0.9 } })]
  const { failures } = gate(compare(base, candidate, { metrics }), 'worse')
  expect(failures.map(({ metric }) => metric)).toEqual(['solved'])
})

test('a figure that is measured no more fails the gate of changes, and leaves the other one undecided', () => {
  const comparison = compare(side('a', solved(20)), side('b', without('solved')), { metrics })
  expect(gate(comparison, 'change').failures.map(({ sentence }) => sentence)).toContain(
    'solved is measured in the base only.',
  )
  expect(gate(comparison, 'worse').undecided).toMatch(/^The base has the metric solved, the candidate has not/)
})

test('a part of the base is not judged as the whole', () => {
  const comparison = compare(side('a', solved(20)), side('b', solved(10)), { metrics })
  expect(gate(comparison, 'worse').undecided).toMatch(/^The base has 10 scenarios of .*, the candidate has not/)
})

test('replicas of one side alone are a change', () => {
  const replicas = solved(8).flatMap((line) =>
    [0, 1].map((replica) => ({
      ...line,
      identity: { ...line.identity, replica, id: `${line.identity.id}/r${replica}` },
    })),
  )
  const comparison = compare(side('a', replicas), side('b', solved(8)), { metrics })
  expect(gate(comparison, 'change').failures.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/: 8 replicas are on one side only\.$/),
  ])
})
