import type { CacheSettings, RecordOf, Usage } from '../contract/index.js'
import { wireRequest } from './chat.js'
import type { ChatRequest, RequestTexts } from './chat.js'
import { countJson, countMessage, countTokens } from './tokens.js'

/** What endpoints keep comes in steps of so many tokens. */
const STEP = 128

/** One part of a prompt in the order in which an endpoint reads it: tools, schema, message by message. */
interface Part {
  /** `tools`, `schema`, or a message's role: parts of different kinds have nothing in common. */
  kind: string
  /** Stands for the text. */
  hash: string
  text: string
  /** Of the whole part; asked for where a prompt goes on behind it. */
  tokens(): number
}

/** A request in parts, with its texts and their hashes as a trace pools them. */
export function partsOf(
  asked: Omit<ChatRequest, 'seed'>,
  texts: RequestTexts,
  hashes: Pick<RecordOf<'request'>, 'messages' | 'tools' | 'schema'>,
): Part[] {
  const wired = () => wireRequest('', { ...asked, seed: 0 })
  return [
    { kind: 'tools', hash: hashes.tools ?? '', text: texts.tools ?? '', tokens: () => countJson(wired().tools) },
    {
      kind: 'schema',
      hash: hashes.schema ?? '',
      text: texts.schema ?? '',
      tokens: () => countJson(wired().response_format?.json_schema),
    },
    ...asked.messages.map((message, index) => ({
      kind: message.role,
      hash: hashes.messages[index]?.hash ?? '',
      text: texts.messages[index]?.text ?? '',
      tokens: () => countMessage(message),
    })),
  ]
}

/**
 * The prompts of one trial, as an endpoint with a prompt cache would keep them (docs/design.md#models). It serves the
 * longest beginning that a prompt has in common with earlier ones, and forgets what nobody has used for a while.
 */
export interface PromptCache {
  /** Counts as a use at this time. What it returns is called with the tokens of the whole prompt. */
  use(
    model: string,
    parts: readonly Part[],
    at: number,
  ): (promptTokens: number) => Pick<Usage, 'cachedTokens' | 'cacheWriteTokens'>
}

/** A stretch of text that some parts have in common: a part is the stretches from the first to its last. */
interface Stretch {
  before: Stretch | null
  text: string
  from: number
  to: number
  usedAt: number
  /** Of the part up to `to`. */
  tokens: number | null
  next: Map<number, Stretch>
}

/** The place behind a part: which parts followed here, by their kind and hash, and by their text. */
interface Place {
  followers: Map<string, { last: Stretch; tokens: number | null; place: Place }>
  texts: Map<string, Stretch>
}

const newPlace = (): Place => ({ followers: new Map(), texts: new Map() })

/** One per trial. */
export function createPromptCache({ ttlMs, minimum }: CacheSettings): PromptCache {
  const models = new Map<string, Place>()
  const kept = (tokens: number): number =>
    ttlMs === 0 || tokens < minimum ? 0 : minimum + STEP * Math.floor((tokens - minimum) / STEP)

  return {
    use(model, parts, at) {
      const since = ttlMs === null ? -Infinity : at - ttlMs
      let place = models.get(model) ?? newPlace()
      models.set(model, place)
      let common = 0
      let apart = false
      for (const part of parts) {
        const key = `${part.kind} ${part.hash}`
        const known = place.followers.get(key)
        if (!apart && known !== undefined && known.last.usedAt > since) {
          common += known.tokens ??= part.tokens()
        } else if (!apart) {
          apart = true
          common += commonTokens(place, part, since)
        }
        const follower = known ?? { last: enter(place, part), tokens: null, place: newPlace() }
        place.followers.set(key, follower)
        for (let each: Stretch | null = follower.last; each !== null; each = each.before) each.usedAt = at
        place = follower.place
      }
      return (promptTokens) => {
        const whole = kept(promptTokens)
        const cachedTokens = Math.min(kept(common), whole)
        return { cachedTokens, cacheWriteTokens: whole - cachedTokens }
      }
    },
  }
}

/** Tokens of what the beginning of a part has in common with parts at this place that were used since then. */
function commonTokens(place: Place, part: Part, since: number): number {
  const { at, stretch } = descend(place.texts.get(part.kind), part.text, since)
  if (stretch === null || at === 0) return 0
  const shared = at < stretch.to ? split(place, part.kind, stretch, at) : stretch
  return (shared.tokens ??= countTokens(part.text.slice(0, at)))
}

/** How far a text is known, and the stretch in which it parts from what is known. */
function descend(first: Stretch | undefined, text: string, since: number): { at: number; stretch: Stretch | null } {
  let at = 0
  let stretch: Stretch | null = null
  for (let next = first; next !== undefined && next.usedAt > since; next = next.next.get(text.charCodeAt(at))) {
    at = partingOf(next, text)
    stretch = next
    if (at < next.to || at === text.length) break
  }
  return { at, stretch }
}

/** Puts a text where it parts from the others, and returns its last stretch. */
function enter(place: Place, { kind, text }: Part): Stretch {
  const { at, stretch } = descend(place.texts.get(kind), text, -Infinity)
  if (stretch === null) {
    const first = newStretch(null, text, 0)
    place.texts.set(kind, first)
    return first
  }
  const before = at < stretch.to ? split(place, kind, stretch, at) : stretch
  if (at === text.length) return before
  const rest = newStretch(before, text, at)
  before.next.set(text.charCodeAt(at), rest)
  return rest
}

const newStretch = (before: Stretch | null, text: string, from: number): Stretch => ({
  before,
  text,
  from,
  to: text.length,
  usedAt: -Infinity,
  tokens: null,
  next: new Map(),
})

/** The stretch up to a place in it; it goes on behind that. */
function split(place: Place, kind: string, stretch: Stretch, at: number): Stretch {
  const { before, text, from, usedAt } = stretch
  const head: Stretch = { before, text, from, to: at, usedAt, tokens: null, next: new Map() }
  head.next.set(text.charCodeAt(at), stretch)
  if (before === null) place.texts.set(kind, head)
  else before.next.set(text.charCodeAt(from), head)
  stretch.before = head
  stretch.from = at
  return head
}

const CHUNK = 256

/** Where the text parts from the stretch; before that both are the same. */
function partingOf({ text: known, from, to }: Stretch, text: string): number {
  const end = Math.min(to, text.length)
  let at = from
  while (at + CHUNK <= end && known.slice(at, at + CHUNK) === text.slice(at, at + CHUNK)) at += CHUNK
  while (at < end && known.charCodeAt(at) === text.charCodeAt(at)) at++
  return at
}
