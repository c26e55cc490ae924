import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { main } from '../cli/main.js'

export const scratch = (): string => join(mkdtempSync(join(tmpdir(), 'sora-bench-test-')), 'run')

/** Runs a command as the shell would, and keeps what it printed. */
export async function cli(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  const help = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    const code = await main(argv)
    return { code, out: text(out) + text(help), err: text(err) }
  } finally {
    for (const spy of [out, err, help]) spy.mockRestore()
  }
}

const text = (spy: { mock: { calls: unknown[][] } }): string => spy.mock.calls.map(([chunk]) => String(chunk)).join('')
