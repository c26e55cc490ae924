import { createHash } from 'node:crypto'
import type { DocumentDeclaration } from '../define/index.js'
import type { ServedDocument, ToolDeclaration } from './live.js'
import { renderManual, renderPlain } from './manual.js'

/** Text and hash are made when they are first asked for: most documents of a trial are never opened. */
export function serveDocument(
  id: string,
  declaration: DocumentDeclaration,
  tools: ReadonlyMap<string, ToolDeclaration>,
): ServedDocument {
  const covers = coverage(declaration)
  let text: string | null = null
  let hash: string | null = null

  function render(): string {
    if (declaration.kind === 'plain') return renderPlain(declaration)
    return renderManual(
      declaration,
      covers.flatMap((name) => tools.get(name) ?? []),
    )
  }

  return {
    id,
    summary: declaration.summary,
    covers,
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
