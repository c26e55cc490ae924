import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Delivery, DocumentDeclaration, FactTable, ManualDeclaration } from '../contract/index.js'
import type {
  OperationDeclared,
  PropertyDeclaration,
  ServedDocument,
  SignalDeclaration,
  ToolDeclaration,
} from './live.js'
import { conditionWords, effectWords, requirementWords } from './rules.js'
import { signalHeading } from '../kit/index.js'

type Shape = z.core.JSONSchema.BaseSchema

const WORDS: Record<string, string> = {
  string: 'String',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Boolean',
  null: 'Null',
}
const shapes = new WeakMap<z.ZodType, Shape>()

/** The type in a manual's words: `Integer`, or `{ "psi": Integer, "msg": String }`. */
export const typeWords = (type: z.ZodType): string => words(shapeOf(type))

/** The values that a property can take, in backticks. */
function rangeWords(type: z.ZodType, unit?: string): string {
  const shape = shapeOf(type)
  const listed = shape.enum ?? (shape.const === undefined ? null : [shape.const])
  if (listed !== null) return listed.map((value) => `\`${String(value)}\``).join(', ')
  if (shape.type === 'boolean') return '`true`, `false`'
  const bounds = boundWords(shape)
  return bounds === null ? 'any' : unit === undefined ? bounds : `${bounds} ${unit}`
}

function shapeOf(type: z.ZodType): Shape {
  const shape = shapes.get(type) ?? z.toJSONSchema(type, { unrepresentable: 'any' })
  shapes.set(type, shape)
  return shape
}

function words(shape: Shape | boolean): string {
  if (typeof shape === 'boolean') return 'Any'
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(words))].join(' or ')
  if (shape.type === 'object') {
    const fields = Object.entries(shape.properties ?? {}).map(([name, field]) => `"${name}": ${words(field)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  if (shape.type === 'array') return `[${Array.isArray(shape.items) ? 'Any' : words(shape.items ?? {})}]`
  return WORDS[String(shape.type)] ?? 'Any'
}

function boundWords({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Shape): string | null {
  const parts = [
    ['at least', minimum],
    ['above', exclusiveMinimum],
    ['at most', maximum],
    ['below', exclusiveMaximum],
  ].flatMap(([word, limit]) => (isBound(limit) ? [`${word} \`${limit}\``] : []))
  if (isBound(minimum) && isBound(maximum)) return `\`${minimum}\` - \`${maximum}\``
  return parts.length === 0 ? null : parts.join(', ')
}

/** Zod writes an unbounded integer as the range of the safe integers. */
function isBound(limit: unknown): limit is number {
  return typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
}

/** What somebody has written of a manual. */
export type Authored = Omit<ManualDeclaration, 'covers'>

/** A document as agents read it (docs/wire.md, “Manuals”). `tools` are those that a manual covers, in its order. */
export function renderManual(manual: Authored, tools: readonly ToolDeclaration[]): string {
  const facts = (manual.facts ?? []).map((each, index) => factTable(each, 4 + index))
  if (tools.length === 0) {
    const description = ['## 1. Functional Description', manual.description]
    return [head(manual), ...description, ...prose(manual), ...facts].join('\n\n')
  }
  const specifications = tools.flatMap((tool, index) => [
    head(manual, tool),
    '## 1. Functional Description',
    index === 0 ? manual.description : tool.summary,
    ...usage(tool),
    ...(index === tools.length - 1 ? prose(manual) : []),
  ])
  return [...specifications, ...facts].join('\n\n')
}

function head({ title, category, version, role }: Authored, tool?: ToolDeclaration): string {
  return [
    `# TOOL SPECIFICATION: ${title}`,
    '',
    `**Category:** ${category}`,
    `**Version:** ${version}`,
    ...(tool === undefined ? [] : [`**Tool ID:** \`${tool.name}\``]),
    `**Role:** ${role}`,
  ].join('\n')
}

function usage(tool: ToolDeclaration): string[] {
  return [
    '## 2. Usage Interface',
    '### 2.1 Observable Properties',
    tool.properties.length === 0
      ? 'None.'
      : table(['Property', 'Type', 'Range', 'Description'], tool.properties.map(propertyRow)),
    '### 2.2 Operations',
    ...blocks(tool.operations.map((operation) => operationBlock(operation, tool.name))),
    '### 2.3 Signals',
    ...blocks(tool.signals.map(signalBlock)),
  ]
}

function blocks(rendered: string[]): string[] {
  return rendered.length === 0 ? ['None.'] : rendered
}

function propertyRow({ name, type, range, unit, meaning }: PropertyDeclaration): string[] {
  return [`\`${name}\``, typeWords(type), range ?? rangeWords(type, unit), meaning]
}

function operationBlock(operation: OperationDeclared, tool: string): string {
  const { name, summary, requires } = operation
  return [
    `* **Operation:** \`${name}\``,
    `* **Description:** ${summary}`,
    `* **Behavior:** ${behaviour(operation)}`,
    `* **Preconditions:** ${requires.length === 0 ? 'None.' : `${requires.map(requirementWords).join('; ')}.`}`,
    `* **Effects:** ${effects(operation, tool)}`,
    `* **Payload:** \`${payload(operation)}\``,
  ].join('\n')
}

function behaviour({ behaviour: authored, completes }: OperationDeclared): string {
  const names = completes.map(({ signal }) => `\`${signal}\``).join(' or ')
  const [begins, ends] =
    names === '' ? ['**Immediate.**', ''] : ['**Latent.**', `Completion is indicated by the ${names} signal.`]
  return [begins, authored, ends].filter((part) => part !== '').join(' ')
}

function effects({ effects: now, completes }: OperationDeclared, tool: string): string {
  const sentence = (list: typeof now) => `${list.map((effect) => effectWords(effect, tool)).join('; ')}.`
  const sentences = [
    ...(now.length === 0 ? [] : [sentence(now)]),
    ...completes.flatMap((end) => (end.effects.length === 0 ? [] : [`On \`${end.signal}\`: ${sentence(end.effects)}`])),
  ]
  return sentences.length === 0 ? 'None.' : sentences.join(' ')
}

function payload({ name, args, placeholders }: OperationDeclared): string {
  const values = Object.entries(args.shape).map(([each, type]) => [
    each,
    placeholders[each] ?? `<${each}: ${typeWords(type)}>`,
  ])
  return JSON.stringify({ action: name, ...Object.fromEntries(values) })
}

function signalBlock({ name, trigger, when, payload: type }: SignalDeclaration): string {
  const text = trigger.trim().replace(/\.$/, '')
  const conditions = when.length === 0 ? '' : ` (${when.map(conditionWords).join('; ')})`
  return `${signalHeading(name)}\n* **Trigger:** ${text}${conditions}.\n* **Payload:** \`${typeWords(type)}\``
}

function prose({ protocol, integration }: Authored): string[] {
  const rules = protocol.map((line, index) => `${index + 1}. ${line}`).join('\n')
  return [
    ...(rules === '' ? [] : ['## 3. Protocol & Safety', rules]),
    ...(integration === undefined ? [] : [`**Integration Note:** ${integration}`]),
  ]
}

function factTable(facts: FactTable, number: number): string {
  const rows = facts.rows.map((row) => row.map((cell) => `\`${cell}\``))
  return `## ${number}. ${facts.title}\n\n${table(facts.columns, rows)}`
}

function table(columns: readonly string[], rows: readonly string[][]): string {
  return [tableLine(columns), tableLine(columns.map(() => ':---')), ...rows.map(tableLine)].join('\n')
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** A document before it is printed. */
export interface Source {
  id: string
  summary: string
  covers: string[]
  render: () => string
}

export function sourceOf(
  id: string,
  declaration: DocumentDeclaration,
  tools: ReadonlyMap<string, ToolDeclaration>,
): Source {
  const covers = coverage(declaration)
  return {
    id,
    summary: declaration.summary,
    covers,
    render() {
      if (declaration.kind === 'plain') return `# ${declaration.title}\n\n${declaration.text.trim()}`
      return renderManual(
        declaration,
        covers.flatMap((name) => tools.get(name) ?? []),
      )
    },
  }
}

/** Text and hash are made when they are first asked for: most documents of a trial are never opened. */
export function serveDocument({ id, summary, covers, render }: Source, listed: Delivery['covers']): ServedDocument {
  let text: string | null = null
  let hash: string | null = null

  return {
    id,
    summary,
    covers,
    listing: listed === 'shown' ? { id, summary, covers } : { id, summary },
    get text() {
      text ??= render()
      return text
    },
    get hash() {
      hash ??= createHash('sha256').update(this.text).digest('hex')
      return hash
    },
  }
}

/** The names of what a document covers. */
export function coverage(declaration: DocumentDeclaration): string[] {
  return declaration.kind === 'plain' ? declaration.covers : declaration.covers.map(({ name }) => name)
}
