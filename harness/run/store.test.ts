import { expect, test } from 'vitest'
import { tracePath } from './store.js'

test('no name leads out of the folder of traces', () => {
  const paths = ['../../../escaped/0', 'water-hammer/s-ora/../../../../x/0', './a:b/<c>/0'].map((id) =>
    tracePath('run', { id }),
  )
  expect(paths).toEqual([
    'run/traces/_/_/_/escaped/0.jsonl.gz',
    'run/traces/water-hammer/s-ora/_/_/_/_/x/0.jsonl.gz',
    'run/traces/_/a_b/_c_/0.jsonl.gz',
  ])
})
