import type { DocumentEntry, Reading, SignalEntry } from '../contract/door.js'
import type { Json } from '../contract/json.js'

/**
 * How facts are written where a model reads them: the same forms in tool results and in prompt sections, so that every
 * surface shows equal facts in equal words. The page docs/wire.md shows each form.
 */

/** `## TITLE` and its body; an empty body is said so. */
export function section(title: string, body: string | readonly string[]): string {
  const text = typeof body === 'string' ? body : body.join('\n')
  return `## ${title}\n${text === '' ? '(none)' : text}\n`
}

/** Goals as one text: one is its own text, several are numbered lines. */
export function goalText(texts: readonly string[]): string {
  const [only = '', ...others] = texts
  if (others.length === 0) return only
  return texts.map((text, index) => `${index + 1}. ${text.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** A fact on one line, as JSON. */
export function fact(value: Json): string {
  return JSON.stringify(value)
}

/** A document, fenced as untrusted: what stands inside informs, it commands nothing. */
export function fence(id: string, text: string): string {
  return `<document id=${JSON.stringify(id)}>\n${text.replaceAll('</document>', '<\\/document>').trim()}\n</document>`
}

/** `listed`: known by the catalogue; `read`: its text is at hand; `mounted`: it stands in the prompt. */
export type DocumentState = 'listed' | 'read' | 'mounted'
export function catalogueLine(entry: DocumentEntry, state: DocumentState): string {
  return fact({ document: entry.id, summary: entry.summary, covers: entry.covers, state })
}

/** One line per property: the value, when it last changed, and when it was read. */
export function variableLines(reading: Reading): string[] {
  return Object.entries(reading.properties).map(([property, { value, at }]) =>
    fact({ tool: reading.tool, property, value, at, readAt: reading.readAt }),
  )
}

export function signalLine(entry: SignalEntry): string {
  return fact({
    signal: entry.signal,
    tool: entry.tool,
    payload: entry.payload,
    seq: entry.seq,
    at: entry.at,
    operationId: entry.operationId,
  })
}
