import type { Clock, Delivery, Happening, Random } from '../define/index.js'
import type { Doorbell } from '../world/live.js'
import { createFates, type Cause, type Fate } from './fate.js'
import { createIdle } from './idle.js'
import type { LineEnd, OpenLine } from './line.js'

export interface FaultyLine {
  params: Delivery
  /** Of the scenario and the role. */
  random: Random
  clock: Clock
  record: (happening: Happening, activity: string) => void
}

interface Leaving {
  bell: Doorbell
  fate: Fate
}

/**
 * Loses, doubles, delays and reorders doorbells, and rings without news. A doorbell under way keeps the trial alive
 * exactly if what sent it does: that of a change may wake somebody, and telemetry alone wakes nobody. It is the clock
 * that passes this on, since what an ambient event schedules is ambient.
 */
export function faultyLine({ params, random, clock, record }: FaultyLine): OpenLine {
  return (end: LineEnd) => {
    const fateOf = createFates(params, random)
    const underway = new Set<() => void>()
    const idle = createIdle({ params, random, clock, end, ring: (bells, cause) => leave(bells, cause) })

    function tell(
      bell: Doorbell,
      what: Extract<Happening, { kind: 'doorbell' }>['what'],
      delayMs = 0,
      count = 1,
    ): void {
      record({ kind: 'doorbell', what, tool: bell.tool, delayMs, count }, bell.activity)
    }

    function arrive(bell: Doorbell): void {
      if (clock.over) return
      idle.rung(bell)
      end.ring(bell)
    }

    function send(bell: Doorbell, delayMs: number): void {
      if (delayMs === 0) return arrive(bell)
      const cancel = clock.after(delayMs, () => {
        underway.delete(cancel)
        arrive(bell)
      })
      underway.add(cancel)
    }

    /** Those that nothing overtakes keep their place. */
    function inOrder(leaving: readonly Leaving[]): Leaving[] {
      const last = leaving.findLastIndex(({ fate }) => !fate.reordered)
      const overtaken = leaving.filter(({ fate }, index) => fate.reordered && index < last)
      for (const { bell } of overtaken) tell(bell, 'reordered')
      return [...leaving.filter((each) => !overtaken.includes(each)), ...overtaken]
    }

    function leave(bells: readonly Doorbell[], cause: Cause): void {
      const all = bells.map((bell) => ({ bell, fate: fateOf(bell, cause) }))
      const leaving = all.filter(({ fate }) => !fate.dropped)
      if (cause !== 'change') {
        for (const { bell, count } of counted(leaving)) tell(bell, cause, params.doorbellDelayMs, count)
        for (const { bell, fate } of leaving) for (const delayMs of fate.delaysMs) send(bell, delayMs)
        return
      }
      for (const { bell, fate } of all) {
        if (!fate.dropped) continue
        tell(bell, 'dropped')
        idle.lost(bell)
      }
      for (const { bell, fate } of inOrder(leaving)) {
        for (const [copy, delayMs] of fate.delaysMs.entries()) {
          if (copy > 0) tell(bell, 'duplicated', delayMs)
          else if (delayMs > 0) tell(bell, 'delayed', delayMs)
          send(bell, delayMs)
        }
      }
    }

    return {
      carry: (bells) => leave(bells, 'change'),
      close() {
        idle.close()
        for (const cancel of underway) cancel()
        underway.clear()
      },
    }
  }
}

function counted(leaving: readonly Leaving[]): { bell: Doorbell; count: number }[] {
  const counts = new Map<string, { bell: Doorbell; count: number }>()
  for (const { bell, fate } of leaving) {
    const key = JSON.stringify([bell.activity, bell.tool])
    const before = counts.get(key)?.count ?? 0
    counts.set(key, { bell, count: before + fate.delaysMs.length })
  }
  return [...counts.values()]
}
