import { z } from '../../harness/contract/index.js'
import type { JsonObject } from '../../harness/contract/index.js'
import { PRESETS } from './presets.js'
import { TemplateError, parseTemplate } from './template.js'
import type { Part } from './template.js'
import type { Reply, Said, Unit } from './unit.js'

const MARKER = /%no-result(?: ([a-z0-9_-]+))?%/
const NAME = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a name has 1 to 64 letters, digits, - and _')

const replySchema = z
  .strictObject({ when: z.string().min(1).optional(), text: z.string().optional(), fail: z.string().min(1).optional() })
  .refine(({ text, fail }) => (text === undefined) !== (fail === undefined), 'a reply has either a text or a fail')
  .transform(({ when = null, text, fail }, context): Reply => {
    if (text === undefined) return { when, kind: 'fail', message: fail ?? '' }
    try {
      return { when, ...readText(parseTemplate(text)) }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  })

/** A text with the marker is a soft failure, and what stands beside the marker is the way out that its author suggests. */
function readText(parts: readonly Part[]): Said {
  const at = parts.findIndex((part) => part.kind === 'text' && MARKER.test(part.text))
  const part = parts[at]
  if (part?.kind !== 'text') return { kind: 'text', parts }
  const reason = MARKER.exec(part.text)?.[1] ?? 'no_result'
  const rest = parts.with(at, { kind: 'text', text: part.text.replace(MARKER, '') })
  return { kind: 'no_result', reason, parts: rest }
}

const unitSchema = z
  .strictObject({
    name: NAME,
    summary: z.string().default(''),
    offered: z.boolean().default(true),
    tool: z.string().optional(),
    args: z.record(z.string(), z.json()).optional(),
    replies: z.array(replySchema).default([]),
  })
  .refine(({ tool, replies }) => tool !== undefined || replies.length > 0, 'an agent without a tool needs replies')
  .refine(({ tool, args }) => tool !== undefined || args === undefined, 'args are those of a tool')
  .transform(({ tool, args = null, ...unit }): Unit => {
    // What `z.json()` has read survives JSON.
    const fixed: JsonObject | null = args
    return { ...unit, tool: tool === undefined ? null : { name: tool, args: fixed } }
  })

const registrySchema = z.array(unitSchema).superRefine((units, context) => {
  for (const [index, { name }] of units.entries()) {
    if (units.findIndex((unit) => unit.name === name) === index) continue
    context.addIssue({ code: 'custom', path: [index, 'name'], message: `the name "${name}" is taken` })
  }
})

/** A registry as a suite states it, and what is wrong with it. */
export type ReadRegistry = { units: readonly Unit[] } | { wrong: string }

/** The name of a preset, or a JSON array of agents. */
export function readRegistry(text: string): ReadRegistry {
  const preset = Object.hasOwn(PRESETS, text) ? PRESETS[text] : undefined
  const source = preset ?? parseJson(text)
  if (source === undefined) {
    const names = Object.keys(PRESETS).join(', ')
    return { wrong: `it is neither a preset (${names}) nor a JSON array of agents; see docs/agencia.md` }
  }
  const read = registrySchema.safeParse(source)
  if (read.success) return { units: read.data }
  const [issue] = read.error.issues
  return { wrong: `${placeOf(issue?.path ?? [], source)}${issue?.message ?? 'it is no registry'}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `agent "weather_lookup", replies.0: `, for a path of the schema. */
function placeOf([index, ...path]: readonly PropertyKey[], source: unknown): string {
  if (typeof index !== 'number' || !Array.isArray(source)) return ''
  const unit: unknown = source[index]
  const named = typeof unit === 'object' && unit !== null && 'name' in unit ? JSON.stringify(unit.name) : String(index)
  return `agent ${named}${path.length === 0 ? '' : `, ${path.map(String).join('.')}`}: `
}
