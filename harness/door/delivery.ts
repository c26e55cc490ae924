import type { Clock, Delivery, Happening, Random, RecordOf } from '../contract/index.js'
import type { Doorbell } from '../world/live.js'
import type { LineEnd, OpenLine } from './doorbells.js'

/** Why a doorbell leaves: something has happened, or it rings without news. */
export type Cause = 'change' | 'telemetry' | 'storm'

/** What becomes of one doorbell. */
export interface DoorbellFault {
  dropped: boolean
  reordered: boolean
  /** How long each copy is under way (ms). */
  delaysMs: number[]
}

/**
 * Draws what happens to a doorbell, keyed by cause, activity, source and its number, from the scenario's seed: the same
 * for all agents, and each draw is there whether or not its parameter asks for it. So a doorbell that is lost at 10 % is
 * lost at 30 %, too.
 * Activities count in the order in which they begin to follow; their uuids hang on replicas and agents.
 */
export function createFaults(params: Delivery, random: Random): (bell: Doorbell, cause: Cause) => DoorbellFault {
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
    const dropped = stream.chance(params.doorbellDrop)
    const duplicated = stream.chance(params.doorbellDuplicate)
    const reordered = stream.chance(params.doorbellReorder)
    const delayMs = (): number => params.doorbellDelayMs + Math.floor(stream.uniform() * (params.doorbellJitterMs + 1))
    return { dropped, reordered, delaysMs: duplicated ? [delayMs(), delayMs()] : [delayMs()] }
  }
}

const keyOf = ({ activity, tool }: Doorbell): string => JSON.stringify([activity, tool])

/**
 * Telemetry and storms: doorbells without news of their own. After one the agent reads, and so learns of a change whose
 * doorbell was lost. They are ambient and keep no trial alive, but until the next of them has rung after a loss, the
 * trial is not deadlocked.
 */
function createBackground(options: {
  params: Delivery
  random: Random
  clock: Clock
  end: LineEnd
  ring: (bells: Doorbell[], cause: Cause) => void
}) {
  const { params, random, clock, end, ring } = options
  /** Telemetry rings the tools, a storm the logs as well. */
  const schedules: { ringsLogs: boolean; nextAt: number }[] = []
  /** Lost doorbells that nothing has replaced yet; each holds an event that keeps the trial from ending as deadlocked. */
  const unannounced = new Map<string, () => void>()
  let closed = false

  function schedule(cause: Cause, gapMs: (ordinal: number) => number, bells: () => Doorbell[]): void {
    const self = { ringsLogs: cause === 'storm', nextAt: 0 }
    schedules.push(self)
    const next = (ordinal: number): void => {
      const gap = gapMs(ordinal)
      self.nextAt = clock.now() + gap
      const due = (): void => {
        if (closed || clock.over) return
        next(ordinal + 1)
        ring(bells(), cause)
      }
      clock.after(gap, due, { ambient: true })
    }
    next(0)
  }

  const { telemetryMs, stormEveryMs, stormDoorbells } = params
  // Where every doorbell is lost, these are, too.
  if (telemetryMs !== null && params.doorbellDrop < 1) {
    const tools = (): Doorbell[] => end.followed().filter(({ tool }) => tool !== null)
    schedule('telemetry', () => telemetryMs, tools)
  }
  if (stormEveryMs !== null && params.doorbellDrop < 1) {
    const gapMs = (ordinal: number): number =>
      Math.round(stormEveryMs * random.stream('storm gap', ordinal).uniform(0.5, 1.5))
    schedule('storm', gapMs, () => Array.from({ length: stormDoorbells }, () => end.followed()).flat())
  }

  function awaitNext(bell: Doorbell): void {
    const next = Math.min(...schedules.filter(({ ringsLogs }) => ringsLogs || bell.tool !== null).map((s) => s.nextAt))
    if (next === Infinity) return
    // Rounded up: an instant before its time the doorbell has not rung.
    const cancel = clock.after(Math.ceil(next - clock.now()), () => {
      unannounced.delete(keyOf(bell))
      if (closed || clock.over) return
      if (end.followed().some((followed) => keyOf(followed) === keyOf(bell))) awaitNext(bell)
    })
    unannounced.set(keyOf(bell), cancel)
  }

  return {
    /** A doorbell of a change was lost. */
    lost(bell: Doorbell) {
      if (!unannounced.has(keyOf(bell))) awaitNext(bell)
    },
    rung(bell: Doorbell) {
      unannounced.get(keyOf(bell))?.()
      unannounced.delete(keyOf(bell))
    },
    close() {
      closed = true
      for (const cancel of unannounced.values()) cancel()
    },
  }
}

interface Leaving {
  bell: Doorbell
  fault: DoorbellFault
}

/**
 * Loses, doubles, delays and reorders doorbells, and rings without news. A doorbell under way keeps the trial alive
 * exactly if what sent it does: that of a change may wake somebody, and telemetry alone wakes nobody. It is the clock
 * that passes this on, since what an ambient event schedules is ambient.
 */
export function faultyLine(options: {
  params: Delivery
  /** Of the scenario and the role. */
  random: Random
  clock: Clock
  record: (happening: Happening, activity: string) => void
}): OpenLine {
  const { params, random, clock, record } = options
  return (end: LineEnd) => {
    const faultOf = createFaults(params, random)
    const underway = new Set<() => void>()
    const background = createBackground({ ...options, end, ring: (bells, cause) => leave(bells, cause) })

    function tell(bell: Doorbell, what: RecordOf<'doorbell'>['what'], delayMs = 0, count = 1): void {
      record({ kind: 'doorbell', what, tool: bell.tool, delayMs, count }, bell.activity)
    }

    function arrive(bell: Doorbell): void {
      if (clock.over) return
      background.rung(bell)
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
      const last = leaving.findLastIndex(({ fault }) => !fault.reordered)
      const overtaken = leaving.filter(({ fault }, index) => fault.reordered && index < last)
      for (const { bell } of overtaken) tell(bell, 'reordered')
      return [...leaving.filter((each) => !overtaken.includes(each)), ...overtaken]
    }

    function leave(bells: readonly Doorbell[], cause: Cause): void {
      const all = bells.map((bell) => ({ bell, fault: faultOf(bell, cause) }))
      const leaving = all.filter(({ fault }) => !fault.dropped)
      if (cause !== 'change') {
        for (const { bell, count } of counted(leaving)) tell(bell, cause, params.doorbellDelayMs, count)
        for (const { bell, fault } of leaving) for (const delayMs of fault.delaysMs) send(bell, delayMs)
        return
      }
      for (const { bell, fault } of all) {
        if (!fault.dropped) continue
        tell(bell, 'dropped')
        background.lost(bell)
      }
      for (const { bell, fault } of inOrder(leaving)) {
        for (const [copy, delayMs] of fault.delaysMs.entries()) {
          if (copy > 0) tell(bell, 'duplicated', delayMs)
          else if (delayMs > 0) tell(bell, 'delayed', delayMs)
          send(bell, delayMs)
        }
      }
    }

    return {
      carry: (bells) => leave(bells, 'change'),
      close() {
        background.close()
        for (const cancel of underway) cancel()
        underway.clear()
      },
    }
  }
}

function counted(leaving: readonly Leaving[]): { bell: Doorbell; count: number }[] {
  const counts = new Map<string, { bell: Doorbell; count: number }>()
  for (const { bell, fault } of leaving) {
    const before = counts.get(keyOf(bell))?.count ?? 0
    counts.set(keyOf(bell), { bell, count: before + fault.delaysMs.length })
  }
  return [...counts.values()]
}
