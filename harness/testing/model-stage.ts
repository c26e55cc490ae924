import type { ClockEnd, Happening, Limits, ModelAccess, ModelRequest, Process, Usage } from '../contract/index.js'
import type { ChatModel, ChatRequest, Completion } from '../model/chat.js'
import { createLedger, meter } from '../model/metered.js'
import { parseThinking } from '../model/thinking.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'

/** A record as a trial would stamp it. */
export type Line = Happening & { at: number; role: string | null; activity: string | null }

/** What `said` cost. */
export const usage: Usage = { promptTokens: 100, completionTokens: 40, cachedTokens: 0, counted: false }
/** The answer that a stage's model gives by default. */
export const said: Completion = {
  text: 'Yes.',
  toolCalls: [],
  finish: 'stop',
  usage,
  retries: 2,
  realMs: 3,
  unparsed: ['a rule'],
}
const ample: Limits = { modelCalls: 200, tokens: 1e6, operations: 200, virtualMs: 1e6, costUsd: null }
/** A question of one message. */
export const user = (content: string): ModelRequest => ({
  phase: 'turn',
  activity: 'uuid-1',
  messages: [{ role: 'user', content }],
})

/** A trial of nothing but roles, a clock and a scripted model. */
export function openStage(
  parts: { chat?: ChatModel['complete']; name?: string; thinking?: string; limits?: Partial<Limits> } = {},
) {
  const clock = createVirtualClock()
  const ledger = createLedger()
  const lines: Line[] = []
  const asked: ChatRequest[] = []
  const chat: ChatModel = {
    name: parts.name ?? 'scripted',
    complete(request) {
      asked.push(request)
      return parts.chat?.(request) ?? Promise.resolve(said)
    },
  }
  const role = (name: string, body: (model: ModelAccess, self: Process) => Promise<void>): void => {
    clock.spawn(name, (self) =>
      body(
        meter(chat, {
          reader: { agent: 'staged', seed: 1, replica: 0 },
          clock,
          self,
          ledger,
          role: { name },
          thinking: parseThinking(parts.thinking ?? 'fixed:1000'),
          record: (happening, who) =>
            lines.push({ ...happening, at: clock.now(), role: who?.role ?? null, activity: who?.activity ?? null }),
          random: createRandom('scenario'),
          limits: { ...ample, ...parts.limits },
          exhausted(limit, value) {
            lines.push({ kind: 'limit', limit, value, at: clock.now(), role: name, activity: null })
            clock.stop()
            return new Promise(() => {})
          },
        }),
        self,
      ),
    )
  }
  const run = (): Promise<ClockEnd> => clock.run({ untilMs: 1e6 })
  const kinds = (): string[] => lines.map(({ kind }) => kind)
  return { clock, lines, asked, role, run, kinds }
}
