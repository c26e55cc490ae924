import { TRACE_VERSION } from '../contract/index.js'
import type {
  Happening,
  Json,
  JsonObject,
  NoteStyles,
  Outcome,
  Scalar,
  Trace,
  TraceRecord,
  TrialIdentity,
  Usage,
} from '../contract/index.js'

/** Writes traces tersely: a cursor in time and a speaker, and one method per thing that often happens. */
export interface Story {
  at(ms: number): Story
  /** Who speaks from now on; the activity is `uuid-<role>` unless named. */
  as(role: string, activity?: string): Story
  add(...happenings: Happening[]): Story
  /** A request now and its answer `lastsMs` later; the cursor moves there. */
  call(options?: CallOptions): Story
  /** A request that is never answered. */
  asks(phase?: string): Story
  /** An operation and its acknowledgement, recorded without a role, as worlds do. Returns to the speaker. */
  operate(name: string, options?: OperateOptions): Story
  change(name: string, from: Scalar, to: Scalar, op?: string): Story
  signal(name: string, seq: number, options?: { tool?: string; op?: string; payload?: Json }): Story
  poll(values: Record<string, Scalar>): Story
  note(name: string, data?: JsonObject, line?: string | null): Story
  verdict(outcome: Outcome, violations?: string[]): Story
  readonly trace: Trace
}

interface CallOptions {
  phase?: string
  lastsMs?: number
  usage?: Partial<Usage>
  costUsd?: number | null
  text?: string | null
  tool?: { name: string; args: string }
  interrupted?: boolean
}
interface OperateOptions {
  op?: string
  args?: JsonObject
  outcome?: 'accepted' | 'refused' | 'harmed'
  message?: string
  rule?: string
}

/** `notes`: what the agents declare of theirs. */
export function story(identity: Partial<TrialIdentity> = {}, roles = ['operator'], notes: NoteStyles = {}): Story {
  const trace: TraceRecord[] = []
  let now = 0
  let speaker: { role: string | null; activity: string | null } = { role: null, activity: null }
  let calls = 0
  let operations = 0

  const push = (happening: Happening, who = speaker) => trace.push({ n: trace.length, at: now, ...who, ...happening })

  const self: Story = {
    trace,
    at(ms) {
      now = ms
      return self
    },
    as(role, activity = `uuid-${role}`) {
      speaker = { role, activity }
      return self
    },
    add(...happenings) {
      for (const happening of happenings) push(happening)
      return self
    },
    asks(phase = 'react') {
      push({ kind: 'request', call: ++calls, phase, model: 'sim:typical', messages: [], tools: null, schema: null })
      return self
    },
    call({ phase, lastsMs = 1_000, usage, costUsd = null, text = null, tool, interrupted = false } = {}) {
      self.asks(phase)
      now += lastsMs
      push({
        kind: 'answer',
        call: calls,
        status: interrupted ? 'interrupted' : 'answered',
        text,
        toolCalls: tool === undefined ? [] : [{ id: 'call', name: tool.name, arguments: tool.args }],
        finish: tool === undefined ? 'stop' : 'tool_calls',
        usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0, counted: false, ...usage },
        thoughtMs: lastsMs,
        retries: 0,
        costUsd,
        unparsed: [],
      })
      return self
    },
    operate(name, { op = `op-${++operations}`, args = {}, outcome = 'accepted', message = 'Done.', rule } = {}) {
      const [tool, action] = dotted(name)
      const who = { role: null, activity: speaker.activity }
      push({ kind: 'operation', op, tool, action, args }, who)
      push({ kind: 'acknowledgement', op, outcome, message, rule: rule ?? null }, who)
      return self
    },
    change(name, from, to, op) {
      const [tool, property] = dotted(name)
      push({ kind: 'change', seq: trace.length, tool, property, from, to, op: op ?? null }, world)
      return self
    },
    signal(name, seq, { tool = 'plant', op, payload = {} } = {}) {
      push({ kind: 'signal', seq, tool, signal: name, payload, op: op ?? null }, world)
      return self
    },
    poll(values) {
      push({ kind: 'poll', values })
      return self
    },
    note(name, data = {}, line = null) {
      push({ kind: 'note', name, data, line })
      return self
    },
    verdict(outcome, violations = []) {
      const reached = outcome === 'solved'
      push({ kind: 'end', how: 'ended' }, world)
      push({ kind: 'settled', reached, violations }, world)
      push({ kind: 'verdict', outcome, reached, solved: reached, violations }, world)
      return self
    },
  }
  push({
    kind: 'trial',
    version: TRACE_VERSION,
    identity: identityOf(identity),
    roles: roles.map((name) => ({ name, goal: `Make it hot, ${name}.`, agent: 'react-polling', notes })),
  })
  return self
}

const world = { role: null, activity: null }

function dotted(name: string): [string, string] {
  const dot = name.indexOf('.')
  return [name.slice(0, dot), name.slice(dot + 1)]
}

export function identityOf(changes: Partial<TrialIdentity> = {}): TrialIdentity {
  return {
    id: 'kettle/react-polling/sim:typical/0',
    scenario: { environment: 'kettle', environmentVersion: '1', params: { litres: 1 }, index: 0, seed: 'seed-0' },
    agent: 'react-polling',
    agentVersion: '1',
    agentParams: {},
    model: 'sim:typical',
    replica: 0,
    clock: 'virtual',
    thinking: 'fixed:1000',
    limits: { modelCalls: 200, tokens: 2_000_000, operations: 200, virtualMs: 1_800_000, costUsd: null },
    ...changes,
  }
}
