import type { Effect, Happening, Scalar } from '../../contract/index.js'
import type { LiveWorld, OperationDeclared } from '../../world/live.js'
import { fillEffect } from '../../world/names.js'
import type { Names } from '../../world/names.js'

type State = Map<string, Scalar>
const keyOf = ({ tool, property }: { tool: string; property: string }) => `${tool}.${property}`

/** Does the effect hold in `now`, for an operation that began in `before`? */
export function holds(effect: Effect, before: State, now: State): boolean {
  const value = now.get(keyOf(effect))
  if (effect.kind === 'becomes') return value === effect.value
  const began = before.get(keyOf(effect))
  if (typeof value !== 'number' || typeof began !== 'number') return false
  const moved = effect.kind === 'rises' ? value - began : began - value
  if (effect.by !== undefined && Math.abs(moved - effect.by) > 1e-9) return false
  if (effect.above !== undefined && value <= effect.above) return false
  if (effect.below !== undefined && value >= effect.below) return false
  return moved > 0
}

export interface EffectsWatch {
  record(happening: Happening): void
  watch(world: LiveWorld): LiveWorld
  /** One sentence per declared effect that did not hold. */
  broken: string[]
}

/**
 * Follows a world by its records and checks what its operations declare: `becomes` when an accepted call has returned,
 * completions when their signal is emitted. A rise or fall that has only begun cannot be judged at once.
 */
export function watchEffects(): EffectsWatch {
  const now: State = new Map()
  const begun = new Map<string, { operation: OperationDeclared; tool: string; before: State; about: Names }>()
  const operations = new Map<string, OperationDeclared>()
  const broken: string[] = []

  const complain = (operation: string, effect: Effect, moment: string) => {
    broken.push(`${operation}: ${JSON.stringify(effect)} does not hold ${moment}.`)
  }
  const complete = (signal: { tool: string; signal: string; op: string | null }) => {
    const origin = signal.op === null ? undefined : begun.get(signal.op)
    const completion = origin?.operation.completes.find(
      (candidate) => candidate.tool === signal.tool && candidate.signal === signal.signal,
    )
    if (!origin || !completion) return
    for (const declared of completion.effects) {
      const effect = fillEffect(declared, origin.about)
      if (!holds(effect, origin.before, now))
        complain(`${origin.tool}.${origin.operation.name}`, effect, `on ${signal.signal}`)
    }
  }

  return {
    broken,
    record(happening) {
      if (happening.kind === 'change') now.set(keyOf(happening), happening.to)
      if (happening.kind === 'operation') {
        const operation = operations.get(`${happening.tool}.${happening.action}`)
        if (operation) begun.set(happening.op, { operation, tool: happening.tool, before: new Map(now), about: {} })
      }
      if (happening.kind === 'signal') complete(happening)
    },
    watch(world) {
      for (const tool of world.tools) {
        for (const operation of tool.operations) operations.set(`${tool.name}.${operation.name}`, operation)
        for (const [property, { value }] of Object.entries(world.read(tool.name).properties))
          now.set(keyOf({ tool: tool.name, property }), value)
      }
      return new Proxy(world, {
        get(target, key) {
          if (key !== 'execute') {
            const member: unknown = Reflect.get(target, key, target)
            return typeof member === 'function' ? member.bind(target) : member
          }
          return (call: Parameters<LiveWorld['execute']>[0]) => {
            const acknowledgement = target.execute(call)
            const operation = operations.get(`${call.tool}.${call.action}`)
            const about = acknowledgement.about ?? {}
            const origin = begun.get(acknowledgement.operationId ?? '')
            if (origin !== undefined) origin.about = about
            if (acknowledgement.outcome === 'accepted')
              for (const declared of operation?.effects ?? []) {
                const effect = fillEffect(declared, about)
                if (effect.kind === 'becomes' && !holds(effect, now, now))
                  complain(`${call.tool}.${call.action}`, effect, 'after its acknowledgement')
              }
            return acknowledgement
          }
        },
      })
    },
  }
}
