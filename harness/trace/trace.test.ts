import { expect, test } from 'vitest'
import { createTrace } from './records.js'

test('records are numbered from 0, stamped with the time of their recording, and name who did it', () => {
  let now = 0
  const { record, records } = createTrace(() => now)
  record({ kind: 'end', how: 'ended' })
  now = 12.5
  record({ kind: 'resync' }, { role: 'operator', activity: 'u' })
  expect(records).toEqual([
    { n: 0, at: 0, role: null, activity: null, kind: 'end', how: 'ended' },
    { n: 1, at: 12.5, role: 'operator', activity: 'u', kind: 'resync' },
  ])
})
