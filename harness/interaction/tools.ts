import { z } from 'zod'
import type { Trace } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

/** What every world's door calls its read-only tools (docs/wire.md); records name their kind alone. */
export const CATALOGUE = 'system_discovery'
export const DOCUMENT = 'manual_retrieval'
export const POLL = 'read_properties'
export const SLEEP = 'sleep'

const offered = z.array(
  z.object({
    function: z.object({
      name: z.string(),
      parameters: z.object({
        properties: z.object({ action: z.object({ enum: z.array(z.string()) }).optional() }).default({}),
      }),
    }),
  }),
)

/** T of an activity: its functions by name, `tool.action` where a tool aggregates operations. */
export interface Toolset {
  /** In the order of the first request that offered tools; what was called without being offered follows in the order of its first call. */
  readonly names: readonly string[]
  /** The index from 1 of what a record calls `tool`, with its `action` if it has one. */
  index(tool: string, action: string | null): number
  /** Is `action` an argument of this tool like any other? */
  isPlain(tool: string): boolean
}

export function toolsetOf(trace: Trace, activity: string): Toolset {
  const names = firstOffer(trace, activity)
  const plain = new Set([CATALOGUE, DOCUMENT, POLL, SLEEP, ...names])
  const known = new Map(names.map((name, index) => [name, index + 1]))
  return {
    names,
    isPlain: (tool) => plain.has(tool),
    index(tool, action) {
      const name = action === null || action === '' ? tool : `${tool}.${action}`
      const index = known.get(name) ?? names.push(name)
      known.set(name, index)
      return index
    },
  }
}

function firstOffer(trace: Trace, activity: string): string[] {
  const request = recordsOf(trace, 'request').find((record) => record.activity === activity && record.tools !== null)
  const text = recordsOf(trace, 'text').find(({ hash }) => hash === request?.tools)?.text
  if (text === undefined) return []
  const parsed = offered.safeParse(parse(text))
  if (!parsed.success) return []
  const names = parsed.data.flatMap(({ function: { name, parameters } }) => {
    const actions = parameters.properties.action?.enum
    return actions === undefined ? [name] : actions.map((action) => `${name}.${action}`)
  })
  return [...new Set(names)]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
