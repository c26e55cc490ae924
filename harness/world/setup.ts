import type { z } from 'zod'
import type { Clock, DocumentDeclaration, Kit, Random, Violation } from '../contract/index.js'
import { LiveArtifact } from './artifact.js'
import { WorldError } from './live.js'
import type { Steps, Timer } from './step.js'

/** A violation alive: it is committed with the step that harms. */
function liveViolation(
  {
    name,
    summary,
    unit = 'ms',
    nearWithin = -Infinity,
  }: { name: string; summary: string; unit?: string; nearWithin?: number },
  steps: Steps,
): Violation {
  const violation: Violation = {
    name,
    summary,
    when: (condition) => ({ violation, when: condition }),
    commit: () => void steps.live(`The violation \`${name}\` was committed`).violations.push(name),
    margin(distance) {
      const step = steps.live(`A margin to \`${name}\` was measured`)
      if (!Number.isFinite(distance)) throw new WorldError(`A margin to \`${name}\` cannot be ${distance}.`)
      step.margins.push({ violation: name, distance, unit, near: distance < nearWithin })
    },
  }
  return violation
}

/** What setup has declared, by name. */
export interface Declared {
  artifacts: Map<string, LiveArtifact>
  documents: Map<string, DocumentDeclaration>
  violations: Map<string, Violation>
}

/** The kit that an environment's `setup` builds with, and where its declarations are kept. */
export function createKit<P extends z.ZodObject>(options: {
  params: z.output<P>
  random: Random
  clock: Clock
  steps: Steps
}): { kit: Kit<z.output<P>>; declared: Declared } {
  const { params, random, clock, steps } = options
  const declared: Declared = { artifacts: new Map(), documents: new Map(), violations: new Map() }

  function keep<T>(kind: string, name: string, known: Map<string, T>, value: T): T {
    steps.setupOnly(`The ${kind} \`${name}\``)
    if (known.has(name)) throw new WorldError(`This world has two of the ${kind} \`${name}\`.`)
    known.set(name, value)
    return value
  }

  const kit: Kit<z.output<P>> = {
    params,
    random,
    now: () => clock.now(),
    artifact: (name, summary) =>
      keep('tool', name, declared.artifacts, new LiveArtifact(name, summary, { steps, at: clock.now() })),
    document: (id, declaration) => {
      keep('document', id, declared.documents, declaration)
    },
    violation: (name, summary, measure = {}) =>
      keep('violation', name, declared.violations, liveViolation({ name, summary, ...measure }, steps)),
    requires: (condition, { otherwise = 'refuse', reason } = {}) =>
      reason === undefined ? { condition, otherwise } : { condition, otherwise, reason },
    after: (delayMs, action) => after(steps, delayMs, action),
  }
  return { kit, declared }
}

/** Set and cancelled with the step: a refusal undoes both. */
function after(steps: Steps, delayMs: number, action: () => void): () => void {
  const step = steps.current('A timer was set')
  if (!Number.isFinite(delayMs) || delayMs < 0) throw new WorldError(`A timer cannot run for ${delayMs} ms.`)
  const timer: Timer = { delayMs, action, operation: step.operation, stop: null }
  step.timers.push(timer)
  return () => {
    steps.current('A timer was cancelled').cancelled.add(timer)
  }
}
