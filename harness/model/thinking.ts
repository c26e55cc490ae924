import { UserError } from '../contract/index.js'
import type { Stream, Usage } from '../contract/index.js'

/** How long a thought lasts in virtual time (docs/design.md#time). Part of a run's identity. */
export interface ThinkingPolicy {
  name: string
  /** Of a thought, the time (ms) before its first token: an abort earlier than that is charged no completion token. */
  firstTokenMs: number
  /** What reasoning adds to each answer of a simulated model, whose words are authored; a real one reports its own. */
  addedTokens: number
  /** Whole ms. `realMs`: what the call really took. */
  lasts(usage: Usage, draw: Stream, realMs: number): number
}

interface Speed {
  firstTokenMs: number
  promptMsPerToken: number
  completionTokensPerSecond: number
}

/**
 * Authored round figures for three kinds of endpoint, not measurements of any: a small hosted model, a large hosted
 * model, and a model on a workstation.
 */
const DEFAULT: Speed = { firstTokenMs: 500, promptMsPerToken: 0.05, completionTokensPerSecond: 80 }
const SPEEDS: Record<string, Speed> = {
  fast: { firstTokenMs: 300, promptMsPerToken: 0.02, completionTokensPerSecond: 150 },
  default: DEFAULT,
  slow: { firstTokenMs: 1_500, promptMsPerToken: 0.5, completionTokensPerSecond: 25 },
}
const JITTER = 0.1
const MEASURED = 'measured'

/** Reads `tokens[:profile]`, `tokens:N` (the default endpoint, writing N tokens a second), `fixed:MS`, `zero` or `measured`, and `+TOKENS` of reasoning behind each of them. */
export function parseThinking(text: string): ThinkingPolicy {
  const [, policy = text, added] = /^(.+)\+([1-9]\d{0,6})$/.exec(text) ?? []
  const found = policyOf(policy)
  if (found === null) {
    const profiles = Object.keys(SPEEDS).join('|')
    throw new UserError(
      `No thinking policy "${text}". Known: tokens, tokens:${profiles}, tokens:N (a second), fixed:MS (whole ms), zero, measured.`,
    )
  }
  return added === undefined
    ? { ...found, addedTokens: 0 }
    : { ...found, name: `${found.name}+${added}`, addedTokens: Number(added) }
}

type Policy = Omit<ThinkingPolicy, 'addedTokens'>

function policyOf(text: string): Policy | null {
  const [kind = '', ...rest] = text.split(':')
  const detail = rest.length === 0 ? null : rest.join(':')
  if (kind === 'zero' && detail === null) return { name: 'zero', firstTokenMs: 0, lasts: () => 0 }
  // Real latency never comes back: such trials are not reproducible.
  if (kind === MEASURED && detail === null) {
    return { name: MEASURED, firstTokenMs: 0, lasts: (_usage, _draw, realMs) => Math.round(realMs) }
  }
  if (kind === 'fixed' && detail !== null && /^\d{1,9}$/.test(detail)) return fixed(Number(detail))
  const writing = kind === 'tokens' && detail !== null && /^[1-9]\d{0,4}$/.test(detail)
  if (writing) return byTokens(`tokens:${detail}`, { ...DEFAULT, completionTokensPerSecond: Number(detail) })
  const speed =
    kind === 'tokens' && Object.hasOwn(SPEEDS, detail ?? 'default') ? SPEEDS[detail ?? 'default'] : undefined
  return speed === undefined ? null : byTokens(`tokens:${detail ?? 'default'}`, speed)
}

const fixed = (lastsMs: number): Policy => ({ name: `fixed:${lastsMs}`, firstTokenMs: 0, lasts: () => lastsMs })

function byTokens(name: string, speed: Speed): Policy {
  const { firstTokenMs, promptMsPerToken, completionTokensPerSecond } = speed
  return {
    name,
    firstTokenMs,
    lasts({ promptTokens, completionTokens }, draw) {
      const readMs = promptMsPerToken * promptTokens
      const writeMs = (1_000 * completionTokens) / completionTokensPerSecond
      return Math.round((firstTokenMs + readMs + writeMs) * draw.uniform(1 - JITTER, 1 + JITTER))
    },
  }
}

/** What a call costs that was aborted `tookMs` after its start and would have lasted `lastsMs`: the prompt, and what had been said. */
export function chargeAborted(
  usage: Usage,
  { tookMs, lastsMs, firstTokenMs }: { tookMs: number; lastsMs: number; firstTokenMs: number },
): Usage {
  const spokenMs = Math.max(0, tookMs - firstTokenMs)
  const speakingMs = lastsMs - firstTokenMs
  const share = speakingMs > 0 ? Math.min(1, spokenMs / speakingMs) : 0
  return { ...usage, completionTokens: Math.floor(usage.completionTokens * share) }
}
