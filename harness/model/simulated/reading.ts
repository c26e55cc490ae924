import type { Context, Step } from './context.js'
import type { KnownDocument } from './facts.js'
import type { Intent } from './intent.js'
import { summaryWords } from './library.js'
import { overlap } from './words.js'

/** What is not known yet: about which tool, and in which words. */
export interface Need {
  tool: string | null
  words: ReadonlySet<string>
  /** Is any document better than none? Else only one that covers the tool, or shares a word. */
  anything: boolean
}

/** The step towards the document that meets a need best; null where none is left. */
export function learn(context: Context, need: Need): Step {
  const document = choose(context, need)
  if (document === null) return null
  const { verbs } = context
  if (document.state === 'read' && verbs.has('mount')) return mount(context, [document])
  if (!verbs.has('read')) return null
  return careless(context, document) ?? { do: 'read', document: document.id }
}

function choose({ facts, library }: Context, { tool, words, anything }: Need): KnownDocument | null {
  const covering = tool === null ? [] : library.covering(tool)
  const uncovered = covering.find(({ state }) => state !== 'visible')
  if (uncovered !== undefined) return uncovered
  if (covering.length > 0 && !anything) return null
  const tools = new Set(facts.tools.map(({ name }) => name))
  const ranked = facts.documents
    .filter(({ state }) => state !== 'visible')
    .map((document) => ({
      document,
      score: overlap(summaryWords(document), words),
      useful: document.covers.some((each) => tools.has(each)) ? 1 : 0,
    }))
    .toSorted((a, b) => b.score - a.score || b.useful - a.useful)
  const [best] = ranked
  return best === undefined || (best.score === 0 && !anything) ? null : best.document
}

/** Puts documents into the prompt, and the tools that they cover into focus, in one go. */
export function mount({ facts, verbs }: Context, documents: readonly KnownDocument[]): Intent {
  const covered = new Set(documents.flatMap(({ covers }) => covers))
  const focus = facts.tools.map(({ name }) => name).filter((name) => covered.has(name) && !facts.focused.has(name))
  return { do: 'mount', documents: documents.map(({ id }) => id), focus: verbs.has('focus') ? focus : [] }
}

/** Who does not read first tries one operation of the tool instead, once; what it brings teaches to read. */
function careless({ facts, verbs, mind }: Context, document: KnownDocument): Step {
  if (mind.readsFirst(document) || !verbs.has('operate')) return null
  const tool = facts.tools.find(({ name, operations }) => operations.length > 0 && document.covers.includes(name))
  if (tool === undefined) return null
  const tried = facts.events.some(
    (event) =>
      (event.kind === 'operated' || event.kind === 'failed' || event.kind === 'withheld') && event.tool === tool.name,
  )
  const guessed = tool.operations[Math.floor(mind.guess(document) * tool.operations.length)]
  if (tried || guessed === undefined) return null
  return { do: 'operate', tool: tool.name, action: guessed.action, args: {}, wait: null }
}

/** Can it be said that nothing is left to read? A prompt that does not list the catalogue may count what is unread. */
export function knowsAll({ facts: { catalogue, documents }, verbs }: Context): boolean {
  if (catalogue.shown) return true
  if (catalogue.unread === null) return !verbs.has('discover')
  return catalogue.unread === 0 && documents.length > 0 && documents.every(({ state }) => state === 'visible')
}
