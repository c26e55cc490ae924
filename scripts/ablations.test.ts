import { expect, test } from 'vitest'
import { readBaseline } from '../harness/cli/sides.js'
import { keptRows, rowsOf } from './ablations.js'

test('the ablations of the page are those of their baseline, which has the first scenarios (npm run ablations)', async () => {
  const known = await rowsOf(readBaseline('results/baselines/ablations').lines)
  const inOrder = (rows: typeof known) => rows.toSorted((a, b) => (a.world + a.agent < b.world + b.agent ? -1 : 1))
  const first = inOrder(keptRows()).map(({ world, agent, solved, calls }, index) => {
    const n = inOrder(known)[index]?.calls.length ?? 0
    return { world, agent, solved: solved.slice(0, n), calls: calls.slice(0, n) }
  })
  expect(first).toEqual(inOrder(known).map(({ world, agent, solved, calls }) => ({ world, agent, solved, calls })))
})
