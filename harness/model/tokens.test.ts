import * as fc from 'fast-check'
import { countTokens as plain } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { countAnswer, countPrompt, countTokens } from './tokens.js'

const piece = fc.oneof(
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.constantFrom(
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '\t',
    '/',
    '//',
    "'s",
    'word',
    'HTTPServer',
    '12345',
    '\u00a0',
    '\n\n\u3000\n',
    '\u2028',
    '\ufeff',
  ),
  fc.constantFrom(
    '\n## HISTORY\n',
    '<document id="a">',
    '</document>\n',
    '{"at":12000}\n',
    '| `a` | b |\n',
    '<|endoftext|>',
  ),
)
/** Long, but not longer than what is counted in one, also where two of them meet. */
const run = fc
  .tuple(
    fc.constantFrom('a', 'aB', '=', '-', ' ', '\t', '\n', '/', '中', '😀', 'e\u0301'),
    fc.integer({ min: 60, max: 120 }),
  )
  .map(([unit, times]) => `1${unit.repeat(times)}1`)
const text = fc
  .array(fc.oneof({ weight: 9, arbitrary: piece }, { weight: 1, arbitrary: run }), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

describe('countTokens', () => {
  it('counts what the plain tokenizer counts, wherever the lines of a text end', () => {
    fc.assert(
      fc.property(text, (sample) => {
        expect(countTokens(sample)).toBe(plain(sample, { disallowedSpecial: new Set() }))
      }),
      { numRuns: 3_000, seed: 1 },
    )
  })

  it('counts a special token of a document as the text that it is', () => {
    expect(countTokens('<|endoftext|>')).toBe(7)
  })

  it('gives the same count again after its cache has turned over', () => {
    const sample = 'The valve\nmay be opened\nonly after the pump.\n'
    const before = countTokens(sample)
    for (let i = 0; i < 25_000; i += 1) countTokens(`line ${i}`)
    expect(countTokens(sample)).toBe(before)
  })

  it('asks the tokenizer for no piece of more than 256 characters, and counts a part by itself', () => {
    // Whole, each of these would take the plain tokenizer minutes.
    const runs = ['a', '=', '中', ' ', 'é'].map((letter) => countTokens(letter.repeat(256 * 400)))
    const parts = ['a', '=', '中', ' ', 'é'].map((letter) => 400 * plain(letter.repeat(256)))
    expect(runs).toEqual(parts)
  })

  it('cuts no character in two', () => {
    expect(countTokens('😀'.repeat(300))).toBe(plain('😀'.repeat(256)) + plain('😀'.repeat(44)))
  })

  it('counts the words around a long run as the plain tokenizer does', () => {
    expect(countTokens(`The valve\t\t${'='.repeat(512)}\topens`)).toBe(
      plain('The valve\t') + plain('\t') + 2 * plain('='.repeat(256)) + plain('\topens'),
    )
  })

  it('counts nothing in an empty text', () => {
    expect(countTokens('')).toBe(0)
  })
})

describe('countPrompt', () => {
  it('adds four per message and three for the answer, and counts calls, tools and schema', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'sleep', arguments: '{"ms":1}' } }
    const tools = [{ type: 'function', function: { name: 'sleep' } }]
    const schema = { name: 'plan' }
    expect(countPrompt([{ role: 'user', content: 'hello' }])).toBe(3 + 4 + 1)
    expect(
      countPrompt(
        [
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c', content: 'hello' },
        ],
        tools,
        schema,
      ),
    ).toBe(
      3 + 4 + plain('sleep') + plain('{"ms":1}') + 4 + 1 + plain(JSON.stringify(tools)) + plain(JSON.stringify(schema)),
    )
  })

  it('counts no tools where there are none', () => {
    expect(countPrompt([], [])).toBe(3)
  })
})

it('counts an answer by its text and its calls, not by their ids', () => {
  const toolCalls = [{ id: 'call_1234567890', name: 'sleep', arguments: '{"ms":1}' }]
  expect(countAnswer({ text: 'hello', toolCalls })).toBe(1 + plain('sleep') + plain('{"ms":1}'))
})
