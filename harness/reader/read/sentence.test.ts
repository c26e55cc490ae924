import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Intent } from '../think/intent.js'
import { parseSentence, sentence } from './sentence.js'

const name = fc.string({ unit: 'binary' })
const names = fc.array(name, { maxLength: 3 })
const scalar = fc.oneof(name, fc.boolean(), fc.integer())
const when = fc.option(
  fc.record({
    tool: name,
    property: name,
    op: fc.constantFrom('is' as const, 'below' as const, 'above' as const, 'at_least' as const, 'at_most' as const),
    value: scalar,
  }),
)
const wait = fc.record({ signals: names, when, timeoutMs: fc.option(fc.nat()) })
const args = fc.dictionary(
  name.filter((key) => key !== '__proto__'),
  scalar,
  { maxKeys: 3, noNullPrototype: true },
)
const intent: fc.Arbitrary<Intent> = fc.oneof(
  fc.constantFrom<Intent>(
    { do: 'discover' },
    { do: 'decline' },
    { do: 'claim', achieved: true },
    { do: 'claim', achieved: false },
  ),
  name.map((document): Intent => ({ do: 'read', document })),
  fc.tuple(names, names).map(([documents, focus]): Intent => ({ do: 'mount', documents, focus })),
  names.map((tools): Intent => ({ do: 'focus', tools })),
  names.map((tools): Intent => ({ do: 'observe', tools })),
  fc.nat().map((ms): Intent => ({ do: 'sleep', ms })),
  wait.map((each): Intent => ({ do: 'wait', ...each })),
  fc
    .record({ tool: name, action: name, args, wait: fc.option(wait) })
    .map((each): Intent => ({ do: 'operate', ...each })),
)

it('is read back as the intent that it was written for, whatever its names hold', () => {
  fc.assert(
    fc.property(intent, (meant) => {
      expect(parseSentence(` ${sentence(meant)}\n`)).toEqual(meant)
    }),
    { numRuns: 2_000 },
  )
})

it('is nobody else’s sentence', () => {
  for (const text of [
    '',
    '(none)',
    'Read the manual.',
    'Call the operation "a" of "b" with {}. And then "c".',
    'Focus the tools ["a"',
  ])
    expect(parseSentence(text)).toBe(null)
})
