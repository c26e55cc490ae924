import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { isAlive } from '../../testing/alive.js'

/** A harness of its own, whose program has started another one: it prints the ids of both. */
const HARNESS = `
  const { createJiti } = await import('jiti')
  const { startChild } = await createJiti(${JSON.stringify(import.meta.url)}).import('./child.js')
  const program = \`
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
    const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    console.log(process.pid + ' ' + pid)
    setInterval(() => {}, 1000)\`
  startChild(
    { command: [process.execPath, '-e', program], folder: null },
    { heard: ({ text }) => console.log(text), ended: () => {} },
  )`

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  'a harness that %s ends in the middle of a trial leaves nobody behind, and ends by that signal',
  async (signal) => {
    const harness = spawn(process.execPath, ['--input-type=module', '-e', HARNESS], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line]: unknown[] = await once(harness.stdout, 'data')
    const pids = String(line).trim().split(' ').map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    harness.kill(signal)
    expect(await once(harness, 'exit')).toEqual([null, signal])
    // To be killed takes a moment.
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000)
  },
)
