import type { JsonObject, RecordOf, Scalar, Trace, TraceRecord } from '../contract/index.js'
import { acknowledgements, recordsOf, styleFinder } from './records.js'
import { clean, fold, seconds, show, thousands } from './text.js'
import type { Palette } from './text.js'

/** What one record says in one line; null for what another line tells. Changes and syncs are told by telemetry.ts. */
export function lineWriter(trace: Trace, { full, colour }: { full: boolean; colour: Palette }) {
  const acks = acknowledgements(trace)
  const styleOf = styleFinder(trace)
  const requests = new Map(recordsOf(trace, 'request').map((record) => [record.call, record]))
  const answered = new Set(recordsOf(trace, 'answer').map(({ call }) => call))
  const cut = (text: string) => (full ? clean(text) : fold(text))
  const json = (value: JsonObject) => (Object.keys(value).length === 0 ? '' : ` ${cut(JSON.stringify(value))}`)

  return (record: TraceRecord): string | null => {
    switch (record.kind) {
      case 'trial':
      case 'acknowledgement':
      case 'verdict':
      case 'change':
      case 'sync':
        break
      case 'goal':
        return colour.bold(`goal ${record.goal + 1} arrives: ${quote(record.text)}`)
      case 'pursue':
        return `takes on goal ${record.goals.map((goal) => goal + 1).join(', ')}`
      case 'text':
        return full ? colour.dim(`text ${record.hash}: ${clean(record.text)}`) : null
      case 'request':
        return answered.has(record.call) ? null : colour.dim(`call ${record.call} is asked, and never answered`)
      case 'answer':
        return answer(record)
      case 'embedding':
        return colour.dim(
          `embeds ${record.texts.length} texts by ${clean(record.model)}, ${thousands(record.usage.promptTokens)} tokens`,
        )
      case 'thought':
        return colour.dim(`thinks ${seconds(record.thoughtMs)}, without a model`)
      case 'operation':
        return operation(record)
      case 'invalid':
        return colour.yellow(`invalid call of ${clean(record.tool)}${json(record.args)}: ${cut(record.message)}`)
      case 'read':
        return record.what === 'catalogue'
          ? 'reads the catalogue'
          : `reads the document ${show(record.document ?? '?')}${record.found ? '' : ', which is unknown'}`
      case 'poll':
        return `polls: ${values(record.values)}`
      case 'read_fault':
        return readFault(record)
      case 'resync':
        return 'reads the log without a doorbell'
      case 'recheck':
        return full
          ? colour.dim(`reads the log and what is in focus, without a doorbell (${record.reads} reads)`)
          : null
      case 'sleep':
        return `sleeps ${seconds(record.delayMs)}`
      case 'signal':
        return colour.cyan(`signal ${clean(record.signal)} ${cut(JSON.stringify(record.payload))} (seq ${record.seq})`)
      case 'delivered':
        return colour.dim(`doorbell: signals up to seq ${record.seq}`)
      case 'doorbell':
        return doorbell(record)
      case 'consumed':
        return record.seqs.length === 0 ? null : colour.cyan(`takes in the signals seq ${record.seqs.join(', ')}`)
      case 'focus':
        return `focuses ${clean(record.tool)}${record.only === undefined ? '' : `, only ${list(record.only)}`}`
      case 'unfocus':
        return `unfocuses ${clean(record.tool)}`
      case 'violation':
        return colour.bold(colour.red(`!! VIOLATION ${clean(record.violation)}${by(record.op)}`))
      case 'margin':
        return record.near
          ? colour.yellow(`near miss of ${clean(record.violation)}: ${distance(record)}`)
          : colour.dim(`${clean(record.violation)} avoided by ${distance(record)}`)
      case 'claim':
        return colour.bold(`claims ${record.claim === 'achieved' ? 'success' : 'to give up'}: ${quote(record.text)}`)
      case 'program':
        return program(record)
      case 'reported':
        return colour.dim(
          `reports ${thousands(record.calls)} calls, ${thousands(record.promptTokens)} + ${thousands(record.completionTokens)} tokens (its own word)`,
        )
      case 'limit':
        return colour.red(`limit reached: ${clean(record.limit)} ${thousands(record.value)}`)
      case 'error':
        return colour.red(
          `${record.infrastructure ? 'infrastructure error' : 'error'} in ${clean(record.where)}: ${cut(record.message)}`,
        )
      case 'end':
        return colour.bold(`the trial ends: ${END[record.how]}`)
      case 'settled':
        return `left alone, the world ${record.reached ? 'ends up at the goal' : 'does not reach the goal'}${record.violations.length === 0 ? '' : ` (violations: ${list(record.violations)})`}`
      case 'note':
        return note(record)
      case 'remembered':
      case 'kept':
        return full ? colour.dim(`${record.kind}: ${record.hash}`) : null
      case 'suspend':
        return `suspends until ${awaited(record)}`
      case 'wake':
        return `wakes by ${record.reason}${record.signals.length === 0 ? '' : `: ${list(record.signals)}`}`
      case 'malformed':
        return colour.yellow(
          `malformed ${clean(record.what)}: ${cut(record.detail)}${record.retry ? ' (asked again)' : ''}`,
        )
    }
    return null
  }

  /** Spaces before a line say how deep it stands; what stands before and behind a first ` · ` is cut by itself. */
  function note(record: RecordOf<'note'>): string | null {
    if (record.line === null) return null
    const [indent = ''] = /^ {0,40}/.exec(record.line) ?? []
    const { colour: name } = styleOf(record)
    const [head = '', ...rest] = record.line.split(' · ')
    const text = indent + [head, ...(rest.length === 0 ? [] : [rest.join(' · ')])].map(cut).join(' · ')
    return name === undefined ? text : colour[name](text)
  }

  function answer(record: RecordOf<'answer'>): string {
    const { promptTokens, completionTokens, counted } = record.usage
    const phase = requests.get(record.call)?.phase ?? ''
    const cost = `${thousands(promptTokens)} + ${thousands(completionTokens)} tokens${counted ? ' (counted)' : ''}`
    const said = record.toolCalls.map(({ name, arguments: args }) => `${clean(name)} ${cut(args)}`)
    if (record.text !== null && record.text !== '') said.push(quote(record.text, said.length === 0 ? 120 : 60))
    if (record.status === 'interrupted') said.push('interrupted')
    if (record.unparsed.length > 0) said.push(`${record.unparsed.length} rules not understood`)
    if (record.retries > 0) said.push(`${record.retries} retries`)
    const head = `call ${record.call}${phase === '' ? '' : ` ${clean(phase)}`}, thought ${seconds(record.thoughtMs)}, ${cost}`
    return `${colour.dim(head)} → ${said.length === 0 ? 'nothing' : said.join(' · ')}`
  }

  function operation(record: RecordOf<'operation'>): string {
    const ack = acks.get(record.op)
    const call = `${clean(record.tool)}.${clean(record.action)}${json(record.args)}`
    if (ack === undefined) return `${call} → never acknowledged`
    const rule = ack.rule === null || ack.message.includes(ack.rule) ? '' : ` (rule: ${cut(ack.rule)})`
    const paint = ack.outcome === 'accepted' ? colour.green : ack.outcome === 'harmed' ? colour.red : colour.yellow
    const outcome = paint(ack.outcome)
    return `${call} → ${outcome}: ${cut(ack.message)}${rule}`
  }

  function doorbell({ what, tool, delayMs, count }: RecordOf<'doorbell'>): string | null {
    const whose = `the doorbell of ${tool === null ? 'the log' : clean(tool)}`
    const late = delayMs === 0 ? '' : ` in ${seconds(delayMs)}`
    switch (what) {
      case 'dropped':
        return colour.yellow(`${whose} is lost`)
      case 'delayed':
        return colour.dim(`${whose} will ring${late}`)
      case 'duplicated':
        return colour.dim(`${whose} rings once more${late}`)
      case 'reordered':
        return colour.dim(`${whose} is overtaken by others`)
      case 'storm':
        return colour.yellow(`a storm: ${whose} rings ${thousands(count)} times without news${late}`)
      case 'telemetry':
        return full ? colour.dim(`telemetry: ${whose} rings without news${late}`) : null
    }
    return what satisfies never
  }

  function readFault({ what, by, tools, ms }: RecordOf<'read_fault'>): string {
    const whose = `its ${by} of ${tools.length === 0 ? 'all tools' : list(tools)}`
    switch (what) {
      case 'failed':
        return colour.yellow(`${whose} fails`)
      case 'timed_out':
        return colour.yellow(`${whose} has no answer within ${seconds(ms)}`)
      case 'slow':
        return colour.dim(`${whose} takes ${seconds(ms)}`)
      case 'stale':
        return colour.dim(`${whose} will show the state of ${seconds(ms)} before`)
    }
    return what satisfies never
  }

  function program({ what, text }: RecordOf<'program'>): string {
    switch (what) {
      case 'started':
        return `is played by a program: ${cut(text)}`
      case 'note':
        return `notes ${quote(text)}`
      case 'stderr':
        return colour.yellow(`complains ${quote(text)}`)
      case 'exited':
        return `its program has ended: ${cut(text)}`
      case 'stopped':
        return colour.red(`its program: ${cut(text)}`)
    }
    return what satisfies never
  }

  function quote(text: string, limit?: number): string {
    return `“${full ? clean(text) : fold(text, limit)}”`
  }
}

const END = {
  ended: 'every agent has ended',
  deadlocked: 'everybody waits, and nothing more can happen',
  out_of_time: 'out of time',
  out_of_budget: 'out of budget',
  out_of_context: 'the model’s context was full',
  failed: 'an agent or the world failed',
}

const list = (items: readonly string[]) => items.map(clean).join(', ')

const by = (op: string | null): string => (op === null ? '' : ` (by ${clean(op)})`)

const distance = (record: RecordOf<'margin'>): string =>
  record.unit === 'ms' ? seconds(record.distance) : `${thousands(record.distance)} ${clean(record.unit)}`.trim()

function values(all: Record<string, Scalar>): string {
  const shown = Object.entries(all).map(([key, value]) => `${clean(key)} = ${show(value)}`)
  return shown.length === 0 ? 'nothing' : shown.join(', ')
}

export function awaited({ signals, when, timeoutMs }: RecordOf<'suspend'>): string {
  const parts = signals.map(clean)
  if (when !== null) {
    parts.push(`${clean(when.property)} of ${clean(when.tool)} ${when.op.replace('_', ' ')} ${show(when.value)}`)
  }
  if (timeoutMs !== null) parts.push(`${seconds(timeoutMs)} have passed`)
  return parts.length === 0 ? 'nothing named' : parts.join(', or ')
}
