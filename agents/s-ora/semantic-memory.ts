import { z } from 'zod'
import type { CallResult, DocumentEntry, JsonObject } from '../../harness/define/index.js'
import { prompt } from '../../harness/define/index.js'

const catalogueSchema = z.object({
  tools: z.array(z.object({ name: z.string(), summary: z.string() })),
  documents: z.array(z.object({ id: z.string(), summary: z.string(), covers: z.array(z.string()) })),
})

/** Documents as the runtime captured them from tool results, word for word, with the catalogue as their index. */
export interface SemanticMemory {
  /** Keeps what a result teaches, and returns the line that stands for it in a history. */
  learn(result: CallResult, args: JsonObject): string
  /** The text as it came, fence included; null where it was never read. */
  text(id: string): string | null
  covers(id: string): readonly string[]
  catalogued(): boolean
  catalogue(): readonly DocumentEntry[]
  tools(): readonly string[]
  unread(): number
  state(id: string, mounted: ReadonlySet<string>): prompt.DocumentState
}

export function createSemanticMemory(): SemanticMemory {
  const texts = new Map<string, string>()
  let index: z.output<typeof catalogueSchema> | null = null

  return {
    learn(result, args) {
      if (result.kind === 'document') return learnDocument(result, args)
      if (result.kind === 'catalogue') return learnCatalogue(result)
      return result.text
    },
    text: (id) => texts.get(id) ?? null,
    covers: (id) => index?.documents.find((entry) => entry.id === id)?.covers ?? [],
    catalogued: () => index !== null,
    catalogue: () => index?.documents ?? [],
    tools: () => index?.tools.map((tool) => tool.name) ?? [],
    unread: () => index?.documents.filter((entry) => !texts.has(entry.id)).length ?? 0,
    state: (id, mounted) => (mounted.has(id) ? 'mounted' : texts.has(id) ? 'read' : 'listed'),
  }

  function learnDocument(result: CallResult, args: JsonObject): string {
    const id = args.document
    if (typeof id !== 'string' || !result.text.startsWith(`<document id=${JSON.stringify(id)}>`)) return result.text
    texts.set(id, result.text)
    return prompt.fact({ read: id, at: result.at })
  }

  function learnCatalogue(result: CallResult): string {
    const listed = catalogueSchema.safeParse(result.data)
    if (!listed.success) return result.text
    index = listed.data
    return prompt.fact({
      discovered: { tools: index.tools.length, documents: index.documents.length },
      at: result.at,
    })
  }
}
