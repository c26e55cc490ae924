import type { Fault } from './faults.js'
import type { Described, LimitField } from './presets.js'

/** What an endpoint turned out to want otherwise, and its own words for it. */
export interface Rung {
  rung: string
  said: string
}

/** How one endpoint's model is spoken to by now: the same for all who ask it. */
export interface Manners {
  /** Raised with each rung, so that a request can tell whether it was sent before one. */
  version: number
  rungs: Rung[]
  limit: LimitField | 'max_output_tokens' | null
  format: 'json_schema' | 'json_object' | 'prompt'
  tools: 'native' | 'prompt'
  /** Fields of the body that are left out. */
  omit: Set<string>
  effort: string | null
  /** Does what came with an answer go back with it? */
  returns: boolean
  /** Must an answer have a limit? A budget counts on it. */
  bounded: boolean
}

export const createManners = ({
  settings,
  preset,
  limit,
}: Pick<Described, 'settings' | 'preset' | 'limit'>): Manners => ({
  version: 0,
  rungs: [],
  limit: settings.api === 'responses' ? 'max_output_tokens' : limit,
  format: preset?.format ?? 'json_schema',
  tools: settings.emulateTools === true ? 'prompt' : 'native',
  omit: new Set(settings.omit ?? []),
  effort: settings.effort ?? null,
  returns: true,
  bounded: false,
})

const NO_LIMIT =
  'Without an output limit no budget can be kept: leave out --max-cost and --budget-tokens, or name another endpoint.'

/** What no request can do without. */
const NEEDED = new Set(['model', 'messages', 'input'])
const UNKNOWN =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|not permitted|extra (?:inputs|fields)|cannot find field|use ['"`]?max_/i
const NO_TOOLS =
  /(?:not|n't) support[^.]*\btools?\b|\btools?\b[^.]*(?:not|n't) support|support tool use|auto[- ]tool[- ]choice|jinja|tools? param/i

/** Takes the one step down that a refusal asks for. False: it asks for none that is left; a text: for one that may not be. `body`: what was refused. */
export function stepDown(
  manners: Manners,
  fault: Pick<Fault, 'said' | 'param' | 'reason'>,
  body: Readonly<Record<string, unknown>>,
): boolean | string {
  const { said } = fault
  const head = /^[\w-]+/.exec(fault.param ?? '')?.[0] ?? ''
  const names = (field: string): boolean =>
    head === field || new RegExp(`(?<![\\w-])${field.replaceAll(/\W/g, '\\$&')}(?![\\w-])`).test(said)
  const take = (rung: string, change: () => void): true => {
    change()
    manners.version += 1
    manners.rungs.push({ rung, said: fault.reason })
    return true
  }
  const effort = 'reasoning' in body ? 'reasoning' : 'reasoning_effort'
  if (names('reasoning_effort') && !(effort in body) && 'tools' in body && manners.effort === null)
    return take('effort none: no reasoning', () => (manners.effort = 'none'))
  const { limit } = manners
  if (limit !== null && limit in body && names(limit) && UNKNOWN.test(said)) {
    const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
    const tried = limit === 'max_output_tokens' || manners.rungs.some(({ rung }) => rung === limit)
    if (!tried) return take(other, () => (manners.limit = other))
    return manners.bounded ? NO_LIMIT : take('no output limit', () => (manners.limit = null))
  }
  const ofFormat = ['response_format', 'text', 'json_schema', 'json_object', 'structured output'].some(
    (field) => (field !== 'text' || head === 'text') && names(field),
  )
  if (ofFormat && ('response_format' in body || 'text' in body)) {
    const next = manners.format === 'json_schema' ? 'json_object' : 'prompt'
    return take(next === 'prompt' ? 'schema in the prompt' : next, () => (manners.format = next))
  }
  if ('tools' in body && head !== effort && NO_TOOLS.test(said) && !names('reasoning_effort'))
    return take('emulateTools: tools in the prompt', () => (manners.tools = 'prompt'))
  if (
    manners.returns &&
    /reasoning(?:_content|_details)?|extra_content|thought/.test(said) &&
    UNKNOWN.test(said) &&
    JSON.stringify(body).match(/"(?:reasoning_content|reasoning_details|extra_content)"/)
  )
    return take('reasoning is not sent back', () => (manners.returns = false))
  const field = Object.keys(body).find((name) => !NEEDED.has(name) && name !== 'tools' && name !== limit && names(name))
  if (field === undefined) return false
  return take(`without ${field}`, () => manners.omit.add(field))
}
