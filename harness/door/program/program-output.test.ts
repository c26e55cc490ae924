import { afterEach, expect, test, vi } from 'vitest'
import type { Happening } from '../../contract/index.js'
import { createProgramOutput } from './messages.js'

afterEach(() => vi.unstubAllEnvs())

test('neither what is kept of a line nor the error that many of them end in tells a secret, or much', () => {
  vi.stubEnv('SOME_API_KEY', 'sk-12345678')
  const records: Happening[] = []
  const output = createProgramOutput({
    agent: 'parrot',
    record: (each) => void records.push(each),
    claim: () => null,
  })
  const text = JSON.stringify({ type: 'note', text: '', ['sk-12345678']: 1, ['x'.repeat(5_000)]: 1 })
  const told = /^The line is no message: Unrecognized keys: "\(hidden\)", "x{900,1000} …/
  for (let line = 1; line < 100; line += 1) output.take({ kind: 'line', text })
  expect(records).toHaveLength(99)
  for (const record of records) expect(record).toMatchObject({ kind: 'malformed', detail: expect.stringMatching(told) })
  expect(() => output.take({ kind: 'line', text })).toThrow(
    /^The program of parrot wrote 100 lines that mean nothing\. The last: The line is no message: Unrecognized keys: "\(hidden\)", "x{900,1000} …\.$/,
  )
})
