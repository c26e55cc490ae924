import { exit } from './exit.js'

/** Ctrl-C once: no new trial starts. Twice: at once. */
export function onInterrupt(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exit.interrupted)
    controller.abort()
    process.stderr.write('\nEnding the trials in flight; press Ctrl-C again to leave at once.\n')
  }
  process.on('SIGINT', stop)
  return { signal: controller.signal, release: () => process.off('SIGINT', stop) }
}
