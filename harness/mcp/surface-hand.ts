import { z } from 'zod'
import type { Door, DoorOf, Hand, Json, ScriptWait, Signal, SignalEntry, Surface } from '../define/index.js'
import type { LiveWorld } from '../world/live.js'
import { told, type RungWait } from './hand.js'
import { entries } from './log.js'

type ByVerbs = Exclude<ScriptWait, RungWait>

/** Is it waited by calls, and not by being rung or blindly? */
export function isByVerbs(waitFor: ScriptWait): waitFor is ByVerbs {
  return waitFor !== 'signal' && 'surface' in waitFor && waitFor.surface !== 'push'
}

const withSignals = z.object({ signals: entries.default([]) }).catch({ signals: [] })

/** The hands of a script that has no more than the verbs of a surface; before each of its calls it thinks. */
export function createSurfaceHand(options: {
  role: string
  door: DoorOf<Surface>
  world: LiveWorld
  waitFor: ByVerbs
  thought: (() => Promise<void>) | null
}): Hand {
  const { role, door, world, waitFor, thought } = options
  /** Signals that the script knows of and has not waited for yet. */
  let known: SignalEntry[] = []
  const call = async (...asked: Parameters<Door['call']>) => {
    await thought?.()
    const result = await door.call(...asked)
    if (result.kind === 'operation' || result.kind === 'wait') known.push(...withSignals.parse(result.data).signals)
    return result
  }
  const look = waitFor.surface === 'poll' || waitFor.surface === 'async' ? createInference(world, door.uuid) : () => []

  /** A harmless call, by which nothing but time passes. */
  async function stall(): Promise<void> {
    const [document] = world.documents
    await call('manual_retrieval', { document: document?.id ?? '' })
  }

  /** One attempt to learn whether a signal has come; false where there is nothing left to try. */
  async function attempt(signal: Signal<never>, ordinal: number): Promise<boolean> {
    switch (waitFor.surface) {
      case 'act':
      case 'block':
        if (ordinal >= waitFor.stallCalls) return false
        await stall()
        break
      case 'poll':
      case 'async':
        if (waitFor.surface === 'poll' && ordinal > 0) await call('sleep', { ms: waitFor.pollMs })
        await call('read_properties', { tools: [signal.tool] })
        known.push(...look())
        break
      case 'await':
        await call('wait_for', { signals: [signal.name], timeoutMs: waitFor.timeoutMs })
        break
    }
    return true
  }

  async function hear(signal: Signal<never>): Promise<Json> {
    for (let ordinal = 0; ; ordinal++) {
      const found = known.find((entry) => entry.tool === signal.tool && entry.signal === signal.name)
      if (found !== undefined) {
        known = known.filter(({ seq }) => seq > found.seq)
        return found.payload
      }
      if (!(await attempt(signal, ordinal))) return null
    }
  }

  return {
    role,
    async operate(operation, args = {}) {
      const { outcome, data } = await call(operation.tool, { ...args, action: operation.name })
      return { accepted: outcome === 'accepted', message: told.parse(data) }
    },
    async waitFor(signal) {
      await hear(signal)
    },
    hear,
    async sleep(ms) {
      if (door.tools().some(({ kind }) => kind === 'sleep')) await call('sleep', { ms })
      else await stall()
    },
  }
}

/**
 * What a script that has read the state makes of it: every signal that was emitted until then. No policy can infer
 * more from a state; so what polls is bounded from above.
 */
function createInference(world: LiveWorld, uuid: string): () => SignalEntry[] {
  for (const { name } of world.tools) world.focus(uuid, name)
  let last = 0
  return () => {
    const news = world.signalsAfter(uuid, last)
    last = news.at(-1)?.seq ?? last
    return news
  }
}
