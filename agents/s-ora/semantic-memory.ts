import { z } from 'zod'
import { isFenced, lines, prompt } from '../../harness/kit/index.js'
import type { CallResult, DocumentEntry, DocumentStamp, JsonObject, ToolSpec } from '../../harness/contract/index.js'

const catalogueSchema = z.object({
  tools: z.array(z.object({ name: z.string(), summary: z.string() })),
  documents: z.array(z.object({ id: z.string(), summary: z.string(), covers: z.array(z.string()).optional() })),
})
export const knowledgeSchema = z.object({
  catalogue: catalogueSchema.nullable(),
  documents: z.array(z.object({ id: z.string(), text: z.string(), hash: z.string().nullable() })),
})
export type Knowledge = z.output<typeof knowledgeSchema>

/** Documents as the runtime captured them from tool results, word for word, with the catalogue as their index. */
export interface SemanticMemory {
  /** Keeps what a result teaches, and returns the line that stands for it in a history. `retyped`: a document in the words of who read it. */
  learn(result: CallResult, args: JsonObject, retyped?: string): string
  /** The text as it came, fence included; null where it was never read. */
  text(id: string): string | null
  /** The ids of all that was read. */
  texts(): readonly string[]
  forget(id: string): void
  /** The tools that the catalogue says it covers, and those that its own text does once it was read. */
  covers(id: string): readonly string[]
  catalogued(): boolean
  catalogue(): readonly DocumentEntry[]
  tools(): readonly string[]
  unread(): number
  state(id: string, mounted: ReadonlySet<string>): prompt.DocumentState
  /** Forgets what is no longer so, and returns the ids of documents that have changed or gone. */
  check(now: readonly DocumentStamp[], tools: readonly ToolSpec[]): string[]
  /** All of it, as JSON. */
  knowledge(): Knowledge
}

export function createSemanticMemory(earlier: Knowledge = { catalogue: null, documents: [] }): SemanticMemory {
  const known = new Map(earlier.documents.map((document) => [document.id, document]))
  let index = earlier.catalogue

  return {
    learn(result, args, retyped) {
      if (result.kind === 'document') return learnDocument(result, args, retyped)
      if (result.kind === 'catalogue') return learnCatalogue(result)
      return result.text
    },
    text: (id) => known.get(id)?.text ?? null,
    texts: () => [...known.keys()],
    forget: (id) => known.delete(id),
    covers: (id) => [
      ...(index?.documents.find((entry) => entry.id === id)?.covers ?? []),
      ...toolsIn(known.get(id)?.text ?? ''),
    ],
    catalogued: () => index !== null,
    catalogue: () => index?.documents.map((entry) => withOwnCoverage(entry)) ?? [],
    tools: () => index?.tools.map((tool) => tool.name) ?? [],
    unread: () => index?.documents.filter((entry) => !known.has(entry.id)).length ?? 0,
    state: (id, mounted) => (mounted.has(id) ? 'mounted' : known.has(id) ? 'read' : 'listed'),
    check(now, tools) {
      const hashes = new Map(now.map(({ id, hash }) => [id, hash]))
      const stale = [...known.values()].filter(({ id, hash }) => hashes.get(id) !== hash).map(({ id }) => id)
      for (const id of stale) known.delete(id)
      if (index !== null && !describes(index, now, tools)) index = null
      return stale
    },
    knowledge: () => ({ catalogue: index, documents: [...known.values()] }),
  }

  function learnDocument(result: CallResult, args: JsonObject, retyped: string | undefined): string {
    const id = args['document']
    if (typeof id !== 'string' || !isDocument(result, id)) return result.text
    const text = retyped === undefined ? result.text : prompt.fence(id, retyped)
    known.set(id, { id, text, hash: hashSchema.safeParse(result.data).data?.hash ?? null })
    return lines.reading.write({ read: id, at: result.at })
  }

  /** What a catalogue does not tell, the text does once it was read. */
  function withOwnCoverage({ id, summary, covers }: DocumentEntry): DocumentEntry {
    const text = covers === undefined ? known.get(id)?.text : undefined
    return { id, summary, covers: text === undefined ? covers : [...toolsIn(text)] }
  }

  function learnCatalogue(result: CallResult): string {
    const listed = catalogueSchema.safeParse(result.data)
    if (!listed.success) return result.text
    index = listed.data
    return lines.discovery.write({
      discovered: { tools: index.tools.length, documents: index.documents.length },
      at: result.at,
    })
  }
}

/** Where a manual names the tool that it is about (thesis, Appendix A). */
export const TOOL_ID = /^\*\*Tool ID:\*\* `([^`]+)`/

const toolsRead = new Map<string, readonly string[]>()

/** Documents come again and again: what they say is kept by their text. */
function toolsIn(text: string): readonly string[] {
  const known = toolsRead.get(text)
  if (known !== undefined) return known
  const tools = text.split('\n').flatMap((line) => TOOL_ID.exec(line)?.[1] ?? [])
  if (toolsRead.size >= 64) toolsRead.clear()
  toolsRead.set(text, tools)
  return tools
}

const hashSchema = z.object({ hash: z.string() })

export function isDocument({ kind, text }: CallResult, id: string): boolean {
  return kind === 'document' && isFenced(text, id)
}

/** Does a catalogue still list what there is? Of tools only those with operations can be told without a call. */
function describes(
  { documents, tools }: z.output<typeof catalogueSchema>,
  now: readonly DocumentStamp[],
  specs: readonly ToolSpec[],
): boolean {
  const entry = ({ id, summary }: { id: string; summary: string }): string => JSON.stringify([id, summary])
  const listed = new Set(documents.map(entry))
  const names = new Set(tools.map(({ name }) => name))
  return (
    now.length === documents.length &&
    now.every((stamp) => listed.has(entry(stamp))) &&
    specs.every(({ kind, name }) => kind !== 'operation' || names.has(name))
  )
}
