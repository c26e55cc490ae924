import type { FactTable, ManualDeclaration, PlainDeclaration } from '../define/index.js'
import type { OperationDeclared, PropertyDeclaration, SignalDeclaration, ToolDeclaration } from './live.js'
import { conditionWords, effectWords, requirementWords } from './rules.js'
import { rangeWords, typeWords } from './type-words.js'

/** A document as agents read it (docs/wire.md, “Manuals”). `tools` are those that a manual covers, in its order. */
export function renderManual(manual: ManualDeclaration, tools: readonly ToolDeclaration[]): string {
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

export function renderPlain({ title, text }: PlainDeclaration): string {
  return `# ${title}\n\n${text.trim()}`
}

function head({ title, category, version, role }: ManualDeclaration, tool?: ToolDeclaration): string {
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
    tool.properties.length === 0 ? 'None.' : table(['Property', 'Type', 'Range', 'Description'], properties(tool)),
    '### 2.2 Operations',
    ...blocks(tool.operations.map((operation) => operationBlock(operation, tool.name))),
    '### 2.3 Signals',
    ...blocks(tool.signals.map(signalBlock)),
  ]
}

function blocks(rendered: string[]): string[] {
  return rendered.length === 0 ? ['None.'] : rendered
}

function properties(tool: ToolDeclaration): string[][] {
  return tool.properties.map(({ name, type, range, unit, meaning }: PropertyDeclaration) => [
    `\`${name}\``,
    typeWords(type),
    range ?? rangeWords(type, unit),
    meaning,
  ])
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
  const parts =
    names === ''
      ? ['**Immediate.**', authored]
      : ['**Latent.**', authored, `Completion is indicated by the ${names} signal.`]
  return parts.filter((part) => part !== '').join(' ')
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
  const values = Object.entries(args.shape).map(([argument, type]) => [
    argument,
    placeholders[argument] ?? `<${argument}: ${typeWords(type)}>`,
  ])
  return JSON.stringify({ action: name, ...Object.fromEntries(values) })
}

function signalBlock({ name, trigger, when, payload: type }: SignalDeclaration): string {
  const text = trigger.trim().replace(/\.$/, '')
  const conditions = when.length === 0 ? '' : ` (${when.map(conditionWords).join('; ')})`
  return [
    `* **Signal:** \`${name}\``,
    `* **Trigger:** ${text}${conditions}.`,
    `* **Payload:** \`${typeWords(type)}\``,
  ].join('\n')
}

function prose({ protocol, integration }: ManualDeclaration): string[] {
  return [
    ...(protocol.length === 0
      ? []
      : ['## 3. Protocol & Safety', protocol.map((line, index) => `${index + 1}. ${line}`).join('\n')]),
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
