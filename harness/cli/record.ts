import { UserError } from '../contract/index.js'
import { firstDifference } from '../model/miss.js'
import { addressOf, answerOf } from '../model/tape.js'
import type { Tape, Taped } from '../model/tape.js'
import { mergeRecordings, readRecording, readTape } from '../run/recording.js'
import { valueText } from '../run/replay.js'
import { clean } from '../trace/text.js'
import { defineCommand, exit, flag, needed, option } from './command.js'
import type { Command } from './command.js'
import { columns } from './terminal.js'
import { matchTrial } from './trace.js'

const actions: Command[] = [
  defineCommand({
    command: 'show <recording> [trial]',
    describe: 'What a recording holds: trial by trial, or the calls of one',
    builder: (y) =>
      y
        .positional('recording', needed('A folder that `run --record` has left'))
        .positional('trial', option('A trial’s id, or the end of one'))
        .option('json', flag('Print all of it as JSON, whole texts included'))
        .example('$0 record show results/recorded', 'trials, calls, tokens, seconds')
        .example('$0 record show results/recorded s-ora/sim:typical/0', 'question and answer, call by call'),
    run: async ({ recording, trial, json }) => show(recording, trial, json),
  }),
  defineCommand({
    command: 'diff <left> <right>',
    describe: 'Where two recordings differ: the first call of each trial that is asked or answered otherwise',
    builder: (y) => y.positional('left', needed('A recording')).positional('right', needed('Another')),
    run: async ({ left, right }) => diff(left, right),
  }),
  defineCommand({
    command: 'merge <into> <from..>',
    describe: 'Join recordings in one folder',
    builder: (y) =>
      y
        .positional('into', needed('A recording, or a new folder'))
        .positional('from', { ...needed('Recordings'), array: true })
        .example(
          '$0 record merge results/all results/monday results/tuesday',
          'trials of both, in a folder of their own',
        ),
    async run({ into, from }) {
      const { trials, added } = mergeRecordings(into, from)
      process.stdout.write(`${into} holds ${trials} trials, ${added} of them new.\n`)
      return exit.fine
    },
  }),
]

/** Recordings of what models were asked and said. */
export const recordCommand: Command = (parser, done) =>
  parser.command('record <action>', 'Show, compare and join recordings of calls', (y) =>
    actions
      .reduce((all, add) => add(all, done), y)
      .demandCommand(1, 'Name an action: show, diff or merge.')
      .epilogue('Made by `run --record DIR`; played by `run --replay DIR` and `replay DIR`.'),
  )

function show(folder: string, trial: string | undefined, json: boolean): number {
  const { lines } = readRecording(folder)
  if (trial !== undefined) {
    const id = matchTrial(
      trial,
      lines.map(({ identity }) => identity.id),
      folder,
    )
    const tape = readTape(folder, { id })
    const told = json
      ? JSON.stringify(
          tape.calls.map((call) => unpooled(call, tape)),
          null,
          2,
        )
      : tape.calls.map((call, index) => callLines(call, index, tape)).join('\n')
    process.stdout.write(`${told}\n`)
    return exit.fine
  }
  const rows = lines.map(({ identity: { id }, outcome }) => {
    const { calls } = readTape(folder, { id })
    const usages = calls.flatMap(({ said }) => said?.usage ?? [])
    const sum = (of: (usage: (typeof usages)[number]) => number): number =>
      usages.reduce((total, usage) => total + of(usage), 0)
    return {
      trial: id,
      outcome,
      calls: calls.length,
      failed: calls.filter(({ failed }) => failed !== undefined).length,
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens),
      latencyMs: Math.round(calls.reduce((total, call) => total + (call.kind === 'call' ? call.latencyMs : 0), 0)),
    }
  })
  const heads = ['trial', 'outcome', 'calls', 'failed', 'prompt tokens', 'completion tokens', 'latency (ms)']
  const table = [heads, ...rows.map((row) => Object.values(row).map((cell) => clean(String(cell))))]
  process.stdout.write(`${json ? JSON.stringify(rows, null, 2) : columns(table)}\n`)
  return exit.fine
}

const textIn = ({ texts }: Tape, hash: string | null): string | null => (hash === null ? null : (texts.get(hash) ?? ''))

/** With its texts in place of their hashes. */
function unpooled(call: Taped, tape: Tape): object {
  const address = addressOf(call)
  if (call.kind === 'embedding') return { address, ...call, texts: call.texts.map((hash) => textIn(tape, hash)) }
  return {
    address,
    ...call,
    messages: call.messages.map(({ role, hash }) => ({ role, text: textIn(tape, hash) })),
    tools: textIn(tape, call.tools),
    schema: textIn(tape, call.schema),
  }
}

/** What was asked last, and what was answered. */
function callLines(call: Taped, index: number, tape: Tape): string {
  const head = `${index + 1}  ${addressOf(call)}  ${clean(call.model)}`
  const failed = call.failed === undefined ? [] : [`   failed    ${valueText(call.failed.message)}`]
  if (call.kind === 'embedding') return [`${head}  embeddings of ${call.texts.length} texts`, ...failed].join('\n')
  const { messages, tools, schema, said, latencyMs } = call
  const last = messages.at(-1)
  const parts = [
    `${messages.length} messages`,
    ...(tools === null ? [] : ['tools']),
    ...(schema === null ? [] : ['schema']),
  ]
  const told = said === undefined ? [] : answerLines(said, latencyMs)
  return [
    `${head}  ${parts.join(', ')}`,
    `   ${(last?.role ?? '').padEnd(9)} ${valueText(textIn(tape, last?.hash ?? null) ?? undefined)}`,
    ...told,
    ...failed,
  ].join('\n')
}

function answerLines({ text, toolCalls, finish, usage }: NonNullable<TapedSaid>, latencyMs: number): string[] {
  const words = [...(text === null ? [] : [text]), ...toolCalls.map(({ name, arguments: args }) => `${name} ${args}`)]
  const tokens = `${usage.promptTokens} + ${usage.completionTokens} tokens`
  return [
    ...words.map((each) => `   answer    ${valueText(each)}`),
    `   ${clean(finish)}, ${tokens}, ${Math.round(latencyMs)} ms`,
  ]
}
type TapedSaid = Extract<Taped, { kind: 'call' }>['said']

/** Of trials that one side alone has so many are named. */
const SHOWN = 10

function diff(left: string, right: string): number {
  const [ours, theirs] = [left, right].map((folder) => readRecording(folder).lines.map(({ identity }) => identity.id))
  if (ours === undefined || theirs === undefined) throw new UserError('Name two recordings.')
  const both = ours.filter((id) => theirs.includes(id))
  const differing = both.flatMap((id) => {
    const found = callDifference(readTape(left, { id }), readTape(right, { id }))
    return found === null ? [] : [`${clean(id)}: ${found}`]
  })
  const alone = (ids: readonly string[], others: readonly string[], folder: string): string[] => {
    const own = ids.filter((id) => !others.includes(id))
    const more = own.length > SHOWN ? [`… and ${own.length - SHOWN} more only in ${folder}`] : []
    return [...own.slice(0, SHOWN).map((id) => `${clean(id)}: only in ${folder}`), ...more]
  }
  const told = [...differing, ...alone(ours, theirs, left), ...alone(theirs, ours, right)]
  process.stdout.write(
    `${[...told, `${both.length - differing.length} of ${both.length} common trials are the same`].join('\n')}\n`,
  )
  return told.length === 0 ? exit.fine : exit.regression
}

/** The first difference; latency and the tries before an answer are none. */
function callDifference(left: Tape, right: Tape): string | null {
  for (let index = 0; index < Math.max(left.calls.length, right.calls.length); index++) {
    const [ours, theirs] = [left.calls[index], right.calls[index]]
    if (ours === undefined || theirs === undefined)
      return `call ${index + 1} is only in the ${ours === undefined ? 'second' : 'first'}`
    const [asked, told] = [
      [ours, theirs].map((call, at) => questionOf(call, at === 0 ? left : right)),
      [ours, theirs].map((call) => JSON.stringify(answerOf(call))),
    ]
    for (const [what, [was = '', is = '']] of [
      ['asked', asked],
      ['answered', told],
    ] as const) {
      const found = firstDifference(was, is)
      if (found !== null)
        return `call ${index + 1} is ${what} otherwise\n  first   ${valueText(found.recorded ?? undefined)}\n  second  ${valueText(found.now ?? undefined)}`
    }
  }
  return null
}

/** All that decides the answer, as one text of many lines. */
function questionOf(call: Taped, tape: Tape): string {
  if (call.kind === 'embedding') return [call.model, ...call.texts.map((hash) => textIn(tape, hash))].join('\n')
  const said = call.messages.map(({ role, hash }) => `${role}: ${textIn(tape, hash) ?? ''}`)
  return [call.model, ...said, textIn(tape, call.tools), textIn(tape, call.schema), call.settings ?? ''].join('\n')
}
