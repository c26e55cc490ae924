import type { CallResult, JsonObject, ToolSpec } from '../../harness/contract/index.js'
import { DEFAULT_MAX_MS, DEFAULT_MS } from './params.js'
import type { ReactParams } from './params.js'

/** How long the sleeps of a conversation last. */
export interface Interval {
  /** What the model is offered: where it has no say, `sleep` takes no argument. */
  offer(tools: readonly ToolSpec[]): readonly ToolSpec[]
  /** The arguments with which a call is carried out. */
  settle(tool: ToolSpec, args: JsonObject): JsonObject
  /** What a call brought back. */
  heed(result: CallResult): void
}

const model: Interval = { offer: (tools) => tools, settle: (_tool, args) => args, heed: () => {} }

export function createInterval({
  interval = 'model',
  intervalMs = DEFAULT_MS,
  maxIntervalMs = DEFAULT_MAX_MS,
}: ReactParams): Interval {
  if (interval === 'model') return model
  let nextMs = intervalMs
  /** The values that the last look found, by what was looked at. */
  const seen = new Map<string, string>()

  return {
    offer: (tools) => tools.map((tool) => (tool.kind === 'sleep' ? SET : tool)),
    settle(tool, args) {
      if (tool.kind !== 'sleep') return args
      const ms = nextMs
      if (interval === 'backoff') nextMs = Math.min(2 * nextMs, maxIntervalMs)
      return { ms }
    },
    heed({ kind, outcome, data }) {
      if (kind === 'operation' && outcome === 'accepted') nextMs = intervalMs
      if (kind !== 'poll' || outcome !== 'read') return
      for (const [tool, values] of readings(data)) {
        if (seen.get(tool) !== values) nextMs = intervalMs
        seen.set(tool, values)
      }
    },
  }
}

const SET: ToolSpec = {
  kind: 'sleep',
  name: 'sleep',
  description: 'Lets time pass without doing anything. For how long is set beforehand; the result tells.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  actions: [],
}

function readings(data: CallResult['data']): [tool: string, values: string][] {
  const { observed } = isObject(data) ? data : {}
  if (!Array.isArray(observed)) return []
  return observed.filter(isObject).map((each) => [JSON.stringify(each['tool']), JSON.stringify(each['properties'])])
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
