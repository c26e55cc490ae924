import type { Kit } from '../../harness/contract/index.js'

/** Runs `step` once per tick, counted from 1, until it returns 'done' or is cancelled. */
export function ticking(
  kit: Pick<Kit<unknown>, 'after'>,
  tickMs: number,
  step: (tick: number) => 'go on' | 'done',
): () => void {
  let cancel: (() => void) | null = null
  const schedule = (tick: number) => {
    cancel = kit.after(tickMs, () => {
      if (step(tick) === 'go on') schedule(tick + 1)
    })
  }
  schedule(1)
  return () => cancel?.()
}
