import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Trace } from '../contract/index.js'
import { story } from '../testing/trace-builder.js'
import { writeTrace } from '../trace/file.js'
import { main } from './main.js'

/** Runs the command on a trace of its own file, and keeps what it printed. */
async function interaction(trace: Trace, ...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const path = join(mkdtempSync(join(tmpdir(), 'interaction-')), 'trial.jsonl.gz')
  writeTrace(path, trace)
  const printed = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => (printed.out += String(text)) !== '')
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => (printed.err += String(text)) !== '')
  try {
    return { code: await main(['interaction', path, ...options]), ...printed }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

const trace = story().as('operator').call().operate('kettle.boil').operate('kettle.fill').verdict('unsolved').trace

test('a trial is printed in the paper’s forms, and as data', async () => {
  const { code, out } = await interaction(trace)
  expect(code).toBe(0)
  expect(out).toMatch(/^Activity uuid-operator of operator\nk = 1, μ = 2, n = 2, m = 2/)
  expect(out).toContain('σ = [ 1 2 ]\n')
  const asData = await interaction(trace, '--json')
  expect(JSON.parse(asData.out)).toMatchObject([
    { role: 'operator', T: ['kettle.boil', 'kettle.fill'], sigma: [[1, 2]] },
  ])
})

test('the artifacts alone give h, σ, θ and ρ back, and whoever asks for it is told so per activity', async () => {
  const { code, out } = await interaction(trace, '--reconstruct')
  expect([code, out]).toEqual([
    0,
    'Activity uuid-operator of operator: h, σ, θ and ρ come back from h, σ, q̂ and r̂ (k = 1, m = 2).\n',
  ])
  const asData = await interaction(trace, '--reconstruct', '--json')
  expect(JSON.parse(asData.out)).toEqual([{ agrees: true, sentence: out.trim() }])
})

test('of a torn trace the calls before the tear are printed, and a trial without activity is said to be one', async () => {
  const torn = await interaction(trace.filter(({ n }) => n < 5 || n > 5))
  expect([torn.code, torn.out.includes('σ = [ 1 ]')]).toEqual([0, true])
  expect(torn.err).toMatch(/is damaged after record 4; what stands before is shown/)
  const { code, err } = await interaction(story().verdict('unsolved').trace)
  expect([code, err]).toEqual([2, expect.stringMatching(/has no activity: no agent did anything\.\n$/)])
})
