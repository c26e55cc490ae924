import { z } from 'zod'
import type { CallResult, Door, ToolKind } from '../contract/door.js'
import type { JsonObject } from '../contract/json.js'
import { isObject } from './json.js'

/** Parameters that every agent with a model has: equal terms, declared once. */
export const terms = {
  malformed: z
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('Answers in a row that cannot be used and are corrected; one more gives the goal up'),
  documents: z
    .enum(['onDemand', 'upFront'])
    .default('onDemand')
    .describe('Documents are read when the model asks for them, or all by the runtime before its first question'),
}

/** How much of its past a prompt shows; what was discovered and read stays. */
export const windowOf = (preset: number | null) =>
  z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .default(preset)
    .describe('Steps of the history that a prompt shows, beside documents; null: all')

/** What is left of `malformed`, for all activities of a role together. */
export interface Budget {
  /** An answer was of use. */
  earn(): void
  /** One was not. False where there may be no further one; the next goal begins anew. */
  spend(): boolean
}

export function createBudget(malformed: number): Budget {
  let row = 0
  return {
    earn() {
      row = 0
    },
    spend() {
      row += 1
      if (row <= malformed) return true
      row = 0
      return false
    },
  }
}

interface Retrieval {
  name: string
  args: JsonObject
  result: CallResult
}

/** Reads the catalogue and then all that it lists, as a model would. */
export async function readUpFront(door: Door): Promise<Retrieval[]> {
  const read: Retrieval[] = []
  async function call(kind: ToolKind, args: JsonObject): Promise<CallResult | null> {
    const tool = door.tools().find((each) => each.kind === kind)
    if (tool === undefined) return null
    const result = await door.call(tool.name, args)
    read.push({ name: tool.name, args, result })
    return result
  }
  const { data = null } = (await call('catalogue', {})) ?? {}
  const listed = isObject(data) ? data['documents'] : []
  for (const entry of Array.isArray(listed) ? listed.filter(isObject) : []) {
    const { id } = entry
    if (typeof id === 'string') await call('document', { document: id })
  }
  return read
}
