import type { Clock, Delivery, Happening, Random } from '../contract/index.js'
import type { Doorbell } from '../world/live.js'
import type { LineEnd, OpenLine } from './doorbells.js'

/** Why a doorbell leaves: something has happened, or it rings without news. */
export type Cause = 'change' | 'telemetry' | 'storm'

/** What becomes of one doorbell. */
export interface Fate {
  dropped: boolean
  reordered: boolean
  /** How long each copy is under way (ms). */
  delaysMs: number[]
}

/**
 * Draws fates by (cause, activity, what rings, the how manieth), from the scenario's seed: the same for all agents, and
 * each draw is there whether or not its parameter asks for it. So a doorbell that is lost at 10 % is lost at 30 %, too.
 * Activities count in the order in which they begin to follow; their uuids hang on replicas and agents.
 */
export function createFates(params: Delivery, random: Random): (bell: Doorbell, cause: Cause) => Fate {
  const activities = new Map<string, number>()
  const drawn = new Map<string, number>()

  return ({ activity, tool }, cause) => {
    const number = activities.get(activity) ?? activities.size
    activities.set(activity, number)
    const what = tool === null ? ['log'] : ['tool', tool]
    const name = JSON.stringify([cause, number, ...what])
    const ordinal = drawn.get(name) ?? 0
    drawn.set(name, ordinal + 1)
    const stream = random.stream(cause, number, ...what, ordinal)
    const [dropped, duplicated, reordered] = [
      stream.chance(params.doorbellDrop),
      stream.chance(params.doorbellDuplicate),
      stream.chance(params.doorbellReorder),
    ]
    const delayMs = (): number => params.doorbellDelayMs + Math.floor(stream.uniform() * (params.doorbellJitterMs + 1))
    return { dropped, reordered, delaysMs: duplicated ? [delayMs(), delayMs()] : [delayMs()] }
  }
}

/** Doorbells without news, which yet may bring what a lost one had to tell. */
interface Idle {
  /** A doorbell of a change was lost. */
  lost(bell: Doorbell): void
  rung(bell: Doorbell): void
  close(): void
}

/** What rings again and again: telemetry the tools, a storm the logs as well. */
interface Pulse {
  nextAt: number
  ringsLogs: boolean
}

/**
 * Telemetry and storms are ambient: they keep no trial alive. But where the doorbell of a change was lost, the next of
 * them may wake somebody: until it has rung, the trial is not dead.
 */
function createIdle(options: {
  params: Delivery
  random: Random
  clock: Clock
  end: LineEnd
  ring: (bells: Doorbell[], cause: Cause) => void
}): Idle {
  const { params, random, clock, end, ring } = options
  const pulses: Pulse[] = []
  /** What was lost and has not rung since, with what keeps the trial alive meanwhile. */
  const owed = new Map<string, () => void>()
  let closed = false

  function pulse(ringsLogs: boolean, gapMs: (ordinal: number) => number, beat: () => void): void {
    const self: Pulse = { nextAt: 0, ringsLogs }
    pulses.push(self)
    const schedule = (ordinal: number): void => {
      const gap = gapMs(ordinal)
      self.nextAt = clock.now() + gap
      const ambient = { ambient: true }
      clock.after(
        gap,
        () => {
          if (closed || clock.over) return
          schedule(ordinal + 1)
          beat()
        },
        ambient,
      )
    }
    schedule(0)
  }

  const { telemetryMs, stormEveryMs, stormDoorbells } = params
  // Where every doorbell is lost, these are, too.
  if (telemetryMs !== null && params.doorbellDrop < 1) {
    const tools = (): Doorbell[] => end.followed().filter(({ tool }) => tool !== null)
    pulse(
      false,
      () => telemetryMs,
      () => ring(tools(), 'telemetry'),
    )
  }
  if (stormEveryMs !== null && params.doorbellDrop < 1) {
    const gap = (ordinal: number): number =>
      Math.round(stormEveryMs * random.stream('storm gap', ordinal).uniform(0.5, 1.5))
    const all = (): Doorbell[] => Array.from({ length: stormDoorbells }, () => end.followed()).flat()
    pulse(true, gap, () => ring(all(), 'storm'))
  }

  const keyOf = ({ activity, tool }: Doorbell): string => JSON.stringify([activity, tool])

  function hope(bell: Doorbell): void {
    const next = Math.min(...pulses.filter(({ ringsLogs }) => ringsLogs || bell.tool !== null).map((p) => p.nextAt))
    if (next === Infinity) return
    // Rounded up: an instant before its time the doorbell has not rung.
    const cancel = clock.after(Math.ceil(next - clock.now()), () => {
      owed.delete(keyOf(bell))
      if (closed || clock.over) return
      if (end.followed().some((followed) => keyOf(followed) === keyOf(bell))) hope(bell)
    })
    owed.set(keyOf(bell), cancel)
  }

  return {
    lost(bell) {
      if (!owed.has(keyOf(bell))) hope(bell)
    },
    rung(bell) {
      owed.get(keyOf(bell))?.()
      owed.delete(keyOf(bell))
    },
    close() {
      closed = true
      for (const cancel of owed.values()) cancel()
    },
  }
}

interface FaultyLine {
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
