import type { DocumentEntry } from '../contract/door.js'
import type { Json, JsonObject } from '../contract/json.js'
import { isObject, list, textOf, texts } from './json.js'
import { oneLine } from './sections.js'

/** What a line lists without having happened. */
export type Listing =
  /** `covers` is null where the catalogue does not tell it. */
  | { kind: 'document'; id: string; summary: string; covers: string[] | null; state: string | null }
  | { kind: 'tool'; name: string; summary: string }
  | { kind: 'operation'; tool: string; action: string; summary: string }
  /** A verb that is a call. */
  | { kind: 'call'; name: string; summary: string }
  /** What became of an earlier goal, and by which documents. */
  | { kind: 'experience'; achieved: boolean; needed: string[]; idle: string[] }

/** `listed`: known by the catalogue; `read`: its text is at hand; `mounted`: it stands in the prompt. */
export type DocumentState = 'listed' | 'read' | 'mounted'
export const catalogueLine = ({ id, summary, covers }: DocumentEntry, state: DocumentState): string =>
  JSON.stringify({ document: id, summary, covers, state })

/** An operation in a repertoire. */
export const operationLine = (tool: string, { name, summary }: { name: string; summary: string }): string =>
  JSON.stringify({ tool, operation: name, summary })

/** A verb that is a call of its own, in a repertoire. */
export const callLine = ({ name, description }: { name: string; description: string }): string =>
  JSON.stringify({ call: name, summary: description })

/** `needed`: the documents of what was operated or in focus; `idle`: those that were read and are of no tool that is there. */
export const experienceLine = (experience: {
  goal: string
  outcome: 'achieved' | 'gave_up'
  summary: string
  lessons: readonly string[]
  procedure: readonly string[]
  needed: readonly string[]
  idle: readonly string[]
}): string => JSON.stringify({ experience })

export function listingsOf({
  document,
  tool,
  operation,
  call,
  summary,
  covers,
  state,
  tools,
  documents,
  experience,
}: JsonObject): Listing[] {
  if (isObject(experience)) {
    const { outcome, needed, idle } = experience
    return [{ kind: 'experience', achieved: outcome === 'achieved', needed: texts(needed), idle: texts(idle) }]
  }
  if (typeof document === 'string' && typeof summary === 'string') {
    return [{ kind: 'document', id: document, summary, covers: coverage(covers), state: textOf(state) }]
  }
  if (typeof tool === 'string' && typeof operation === 'string')
    return [{ kind: 'operation', tool, action: operation, summary: textOf(summary) ?? '' }]
  if (typeof call === 'string') return [{ kind: 'call', name: call, summary: textOf(summary) ?? '' }]
  const listed = (value: Json | undefined, key: string, make: (name: string, of: JsonObject) => Listing): Listing[] =>
    list(value).flatMap((each) => {
      const name = isObject(each) ? textOf(each[key]) : null
      return isObject(each) && name !== null ? [make(name, each)] : []
    })
  const said = (of: JsonObject): string => textOf(of['summary']) ?? ''
  return [
    ...listed(tools, 'name', (name, of) => ({ kind: 'tool', name, summary: said(of) })),
    ...listed(documents, 'id', (id, of) => {
      return { kind: 'document', id, summary: said(of), covers: coverage(of['covers']), state: null }
    }),
  ]
}

/** What a tool is for: its summary, then one line per action. */
export const toolDescription = (summary: string, actions: readonly { name: string; summary: string }[]): string =>
  [oneLine(summary), ...actions.map((action) => `- ${action.name}: ${oneLine(action.summary)}`)].join('\n')

export function readToolDescription(text: string): { summary: string; actions: ReadonlyMap<string, string> } {
  const [summary = '', ...lines] = text.split('\n')
  const listed = lines.map((line) => /^- ([^:]+): (.*)$/.exec(line)?.slice(1) ?? [])
  return { summary, actions: new Map(listed.map(([name = '', of = '']) => [name, of])) }
}

const coverage = (value: Json | undefined): string[] | null => (value === undefined ? null : texts(value))
