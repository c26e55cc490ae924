import { expect, test } from 'vitest'
import { MAX_BYTES, MAX_LINES, MAX_LINE_BYTES, createLineSplitter } from './child.js'
import type { Piece } from './child.js'

function split(...chunks: (string | Buffer)[]): Piece[] {
  const pieces: Piece[] = []
  const splitter = createLineSplitter((piece) => pieces.push(piece))
  for (const chunk of chunks) splitter.take(Buffer.from(chunk))
  splitter.end()
  return pieces
}
const line = (text: string): Piece => ({ kind: 'line', text })

test('lines are found wherever the chunks are cut, in the middle of a character, too, and without a last line end', () => {
  const bytes = Buffer.from('a\n\r\n  \nb → c\r\nd')
  for (let at = 0; at <= bytes.length; at += 1)
    expect(split(bytes.subarray(0, at), bytes.subarray(at))).toEqual([line('a'), line('b → c'), line('d')])
})

test('a line that is too long is told of once, and the next one is read', () => {
  const long = 'x'.repeat(MAX_LINE_BYTES + 1)
  expect(split('a\n', long, long, 'y\nb\n')).toEqual([line('a'), { kind: 'long' }, line('b')])
  expect(split('x'.repeat(MAX_LINE_BYTES), '\n')).toEqual([line('x'.repeat(MAX_LINE_BYTES))])
})

test('too many lines, or too many bytes without a line end, are a flood, behind which nothing is heard', () => {
  expect(split('a\n'.repeat(MAX_LINES), 'b\nc\n').slice(MAX_LINES)).toEqual([{ kind: 'flood' }])
  const mega = 'x'.repeat(1_048_576)
  const chunks = Array.from({ length: MAX_BYTES / 1_048_576 + 2 }, () => mega)
  expect(split(...chunks, '\na\n')).toEqual([{ kind: 'flood' }])
})
