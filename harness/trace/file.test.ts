import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { TRACE_VERSION, UserError } from '../contract/index.js'
import type { Trace } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import { decodeTrace, encodeTrace, readTrace, writeTrace } from './file.js'

const long = (): Trace => {
  const tale = story().as('operator')
  for (let i = 0; i < 400; i++) tale.call({ text: `thought ${i} at ${Math.sin(i)} über` }).poll({ 'kettle.heat': i })
  return tale.verdict('solved').trace
}

test('a trace survives its file, and equal traces give equal bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'))
  const path = join(folder, 'a.jsonl.gz')
  writeTrace(path, long())
  expect(await readTrace(path)).toEqual({ trace: long(), note: null })
  expect(encodeTrace(long()).equals(encodeTrace(long()))).toBe(true)
  expect([...encodeTrace(long()).subarray(0, 10)]).toEqual([31, 139, 8, 0, 0, 0, 0, 0, 0, 255])
  rmSync(folder, { recursive: true })
})

test('of a torn file all whole records are read, and the tear is told', async () => {
  const whole = long()
  const bytes = encodeTrace(whole)
  const { trace, note } = await decodeTrace(bytes.subarray(0, Math.floor(bytes.length / 2)), 'torn.gz')
  expect(trace.length).toBeGreaterThan(300)
  expect(trace).toEqual(whole.slice(0, trace.length))
  expect(note).toBe(`"torn.gz" is damaged after record ${trace.length - 1}; what stands before is shown.`)
})

test('of a corrupt file what stands before the damage is read', async () => {
  const whole = long()
  const bytes = encodeTrace(whole)
  bytes.fill(0xff, Math.floor(bytes.length * 0.7), Math.floor(bytes.length * 0.7) + 40)
  const { trace, note } = await decodeTrace(bytes, 'bad.gz')
  expect(trace.length).toBeGreaterThan(100)
  expect(trace.length).toBeLessThan(whole.length)
  expect(note).toContain('bad.gz')
})

test('a missing record is damage, although every line can be read', async () => {
  const lines = long().filter(({ n }) => n !== 5)
  const { trace, note } = await decodeTrace(encodeTrace(lines), 'gap.gz')
  expect([trace.length, note]).toEqual([5, '"gap.gz" is damaged after record 4; what stands before is shown.'])
})

test('a newer version, a file that is no trace, and a missing file are the user’s to know', async () => {
  const newer = gzipSync(`${JSON.stringify({ ...story().trace[0], version: TRACE_VERSION + 1 })}\n`)
  await expect(decodeTrace(newer, 'x.gz')).rejects.toThrow(
    new UserError('"x.gz" is a trace of version 3, and this program reads up to 2. Update sora-bench.'),
  )
  await expect(decodeTrace(Buffer.from('hello'), 'x.gz')).rejects.toThrow(
    new UserError('"x.gz" is no trace: nothing of it could be read.'),
  )
  await expect(readTrace('/nowhere/x.gz')).rejects.toThrow(UserError)
})
