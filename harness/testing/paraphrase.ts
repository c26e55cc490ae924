import type { Stream } from '../contract/index.js'

/**
 * Manuals and goals as a colleague would word them who was given the printed ones: the same facts in other words, in
 * another layout. Written without a look at what the reader knows, and to be kept so: what it cannot read is a finding.
 */
export function paraphraseManual(text: string, stream: Stream): string {
  const style = styleOf(stream)
  const tool = { name: '' }
  return text
    .split('\n')
    .map((line) => lineIn(line, tool, style, stream))
    .join('\n')
}

/** How one author lays out one document. */
interface Style {
  bullet: string
  label: (word: string) => string
  labels: Readonly<Record<string, string>>
  /** A heading for each operation; null where it is an item like the others. */
  operation: ((name: string) => string) | null
  joined: string
  width: number
  indent: string
}

const LABELS: Readonly<Record<string, readonly string[]>> = {
  'tool id': ['Tool ID', 'Tool id', 'tool id', 'Tool', 'TOOL ID'],
  operation: ['Operation', 'operation', 'OPERATION', 'Action', 'Command'],
  description: ['Description', 'description', 'Summary', 'What it does', 'Purpose'],
  behavior: ['Behavior', 'Behaviour', 'behaviour', 'How it behaves', 'Timing'],
  preconditions: [
    'Preconditions',
    'preconditions',
    'Precondition',
    'PRECONDITIONS',
    'Requirements',
    'Prerequisites',
    'Requires',
    'Conditions',
    'Needs',
    'Pre-conditions',
    'Before the call',
    'Allowed when',
  ],
  effects: ['Effects', 'effects', 'Effect', 'Results', 'Outcome', 'Consequences', 'Postconditions'],
  payload: ['Payload', 'payload', 'Arguments', 'Call', 'Body', 'Parameters'],
  signal: ['Signal', 'signal', 'Event', 'SIGNAL', 'Notification'],
  trigger: ['Trigger', 'trigger', 'Triggered when', 'Emitted when', 'Sent when', 'When'],
}

function styleOf(stream: Stream): Style {
  const labels = Object.fromEntries(Object.entries(LABELS).map(([label, words]) => [label, stream.pick(words)]))
  return {
    bullet: stream.pick(['* ', '- ', '+ ', '1. ', '', '• ']),
    label: stream.pick([
      (word: string) => `**${word}:**`,
      (word: string) => `**${word}**:`,
      (word: string) => `${word}:`,
      (word: string) => `*${word}:*`,
      (word: string) => `_${word}_:`,
      (word: string) => `__${word}:__`,
    ]),
    labels,
    operation: stream.pick([
      (name: string) => `#### \`${name}\``,
      (name: string) => `#### Operation: \`${name}\``,
      (name: string) => `#### Operation \`${name}\``,
      null,
      null,
      null,
    ]),
    joined: stream.pick(['; ', '; ', '. ', ', and ', ' and ', '; and ', 'list', 'numbers']),
    width: stream.pick([0, 0, 72, 96]),
    indent: stream.pick(['  ', '    ', '']),
  }
}

function lineIn(line: string, tool: { name: string }, style: Style, stream: Stream): string {
  const [, word = '', value = ''] = /^(?:\* )?\*\*([A-Z][A-Za-z ]+):\*\* (.*)$/.exec(line) ?? []
  const label = word.toLowerCase()
  if (label === 'tool id') {
    tool.name = value.replaceAll('`', '')
    return `${style.label(style.labels[label] ?? word)} ${value}`
  }
  if (line.startsWith('| Property'))
    return stream.pick([line, line.replace('Property', '**Property**'), line.toLowerCase()])
  if (!line.startsWith('* ')) return line
  const head = `${style.bullet}${style.label(style.labels[label] ?? word)}`
  switch (label) {
    case 'operation':
      return style.operation === null ? `${head} ${value}` : style.operation(value.replaceAll('`', ''))
    case 'behavior':
      return wrapped(`${head} ${behaviour(value, stream)}`, style)
    case 'preconditions':
      return preconditions(head, value, tool.name, style, stream)
    case 'effects':
      return wrapped(`${head} ${effects(value, stream)}`, style)
    case 'trigger':
      return wrapped(`${head} ${trigger(value, tool.name, stream)}`, style)
    case 'description':
      return wrapped(`${head} ${value}`, style)
    default:
      return `${head} ${value}`
  }
}

/** Breaks a long line where an editor would, and never so that the next one begins like a list item. */
function wrapped(line: string, { width, indent }: Style): string {
  if (width === 0) return line
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    const item = /^(?:[-*+•#|<]|\d+\.)/.test(word)
    if (last === undefined || (!item && last.length + word.length >= width)) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((each, index) => (index === 0 ? each : `${indent}${each}`)).join('\n')
}

interface Stated {
  property: string
  tool: string
  op: string
  value: string
  unit: string
  reason: string
}

const CONDITION =
  /^`([^`]+)` of `([^`]+)` is(?: (below|above|at least|at most))? `([^`]+)`(?: ([^\s()]+))?(?: \((.*)\))?$/

function stated(clause: string): Stated | null {
  const [all, property = '', tool = '', op = 'is', value = '', unit = '', reason = ''] = CONDITION.exec(clause) ?? []
  return all === undefined ? null : { property, tool, op, value, unit, reason }
}

function subject({ property, tool }: Stated, own: string, stream: Stream): string {
  const full = [
    `\`${property}\` of \`${tool}\``,
    `the \`${property}\` of \`${tool}\``,
    `the property \`${property}\` of the tool \`${tool}\``,
    `\`${tool}\`'s \`${property}\``,
    `\`${property}\` of the \`${tool}\``,
    `\`${property}\` (of \`${tool}\`)`,
    `the value of \`${property}\` of \`${tool}\``,
    `\`${property}\` on \`${tool}\``,
    `the \`${property}\` property of \`${tool}\``,
  ]
  return stream.pick(tool === own ? [...full, `\`${property}\``, `the \`${property}\``] : full)
}

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  is: ['', '', 'equal to', 'set to'],
  below: ['below', 'under', 'less than', 'lower than', 'smaller than', '<'],
  above: ['above', 'over', 'more than', 'greater than', 'higher than', '>'],
  'at least': ['at least', 'no less than', 'not less than', 'not below', '≥', '>=', 'no lower than', 'no fewer than'],
  'at most': ['at most', 'no more than', 'not more than', 'not above', '≤', '<=', 'no higher than'],
}
const VERBS: Readonly<Record<string, readonly string[]>> = {
  is: ['equals', 'shows', 'reads', '=', '==', 'remains', 'has become', 'has reached'],
  below: ['stays below', 'remains under', 'stays under', 'has fallen below'],
  above: ['exceeds', 'stays above', 'has risen above', 'goes beyond'],
  'at least': ['reaches', 'has reached', 'amounts to at least', 'does not fall below'],
  'at most': ['does not exceed', 'stays at or below'],
}

/** A precondition in other words. */
export function paraphraseCondition(clause: string, own: string, stream: Stream): string {
  const condition = stated(clause)
  if (condition === null) return clause
  const { op, value, unit, reason } = condition
  const who = subject(condition, own, stream)
  const amount = [`\`${value}\``, ...(unit === '' ? [] : [unit])].join(' ')
  const than = stream.pick(PLAIN[op] ?? [''])
  const what = than === '' ? amount : `${than} ${amount}`
  const verb = stream.pick(VERBS[op] ?? [])
  const must = stream.pick(['must be', 'has to be', 'needs to be', 'should be', 'shall be', 'must already be'])
  const worded = stream.pick([
    `${who} is ${what}`,
    `${who} ${must} ${what}`,
    `${who} ${must} ${what} first`,
    `${who} ${must} ${what} before the call`,
    `${who} is required to be ${what}`,
    `requires ${who} to be ${what}`,
    `requires that ${who} is ${what}`,
    `it is required that ${who} is ${what}`,
    `only if ${who} is ${what}`,
    `only when ${who} is ${what}`,
    `only while ${who} is ${what}`,
    `only once ${who} is ${what}`,
    `call it only when ${who} is ${what}`,
    `allowed only while ${who} is ${what}`,
    `permitted only if ${who} is ${what}`,
    `not before ${who} is ${what}`,
    `not until ${who} is ${what}`,
    `refused unless ${who} is ${what}`,
    `not allowed unless ${who} is ${what}`,
    `wait until ${who} is ${what}`,
    `make sure that ${who} is ${what}`,
    `please make sure ${who} is ${what}`,
    `ensure ${who} is ${what}`,
    `provided that ${who} is ${what}`,
    `as long as ${who} is ${what}`,
    `works only if ${who} is ${what}`,
    `can only be called while ${who} is ${what}`,
    `may only be used when ${who} is ${what}`,
    `available only when ${who} is ${what}`,
    `do not call this unless ${who} is ${what}`,
    `never call it before ${who} is ${what}`,
    `will be refused unless ${who} is ${what}`,
    `you must wait until ${who} is ${what}`,
    `for this, ${who} has to be ${what}`,
    `${who} must currently be ${what}`,
    `${who} must have been ${what} before that`,
    ...(what.startsWith('not') ? [] : [`if ${who} is not ${what}, the call is refused`]),
    `unless ${who} is ${what}, the call is refused`,
    `the operation requires ${who} to be ${what}`,
    `it is necessary that ${who} is ${what}`,
    `you should check first that ${who} is ${what}`,
    `${who} must be ${what} for the call to be accepted`,
    `${who} must be ${what}, or else the call is refused`,
    ...(verb === undefined ? [] : [`${who} ${verb} ${amount}`, `only when ${who} ${verb} ${amount}`]),
    ...(op === 'is'
      ? [
          `\`${value}\` is required for ${who}`,
          `\`${value}\` must be shown by ${who}`,
          `\`${value}\` is needed as ${who}`,
        ]
      : [`${what} is required for ${who}`]),
  ])
  if (reason === '') return capital(worded, stream)
  return (
    capital(worded, stream) + stream.pick([` (${reason})`, ` (${reason})`, '', ` – ${reason}`, ` (note: ${reason})`])
  )
}

const capital = (text: string, stream: Stream): string =>
  stream.chance(0.5) ? text.charAt(0).toUpperCase() + text.slice(1) : text

function preconditions(head: string, value: string, own: string, style: Style, stream: Stream): string {
  if (value === 'None.') return `${head} ${stream.pick(['None.', 'none', 'None', '–', 'No preconditions.', 'nothing'])}`
  const clauses = stream.shuffle(value.replace(/\.$/, '').split(/(?<=\)|`|[A-Z]|°C); (?=`)/))
  const worded = clauses.map((clause) => paraphraseCondition(clause, own, stream))
  if (style.joined === 'list') return [head, ...worded.map((each) => `  - ${each}.`)].join('\n')
  if (style.joined === 'numbers') return [head, ...worded.map((each, index) => `  ${index + 1}. ${each}`)].join('\n')
  // A dash goes on to the end of its sentence; what follows another sort of mark would belong to the reason.
  const joined = worded.some((each) => each.includes(' – ')) ? '; ' : style.joined
  return wrapped(`${head} ${worded.join(joined)}.`, style)
}

function effects(value: string, stream: Stream): string {
  if (value === 'None.') return stream.pick(['None.', 'none', 'None'])
  return value
    .replace(/\.$/, '')
    .split('. ')
    .map((sentence) => {
      const [, signal, rest = sentence] = /^On `([^`]+)`: (.*)$/.exec(sentence) ?? []
      const worded = rest.split('; ').map((clause) => paraphraseEffect(clause, stream))
      if (signal === undefined) return `${worded.join(stream.pick(['; ', ', and ']))}.`
      const name = `\`${signal}\``
      const all = worded.join('; ')
      return stream.pick([
        `On ${name}: ${all}.`,
        `Upon ${name}: ${all}.`,
        `When ${name} arrives: ${all}.`,
        `When ${name} is emitted, ${all}.`,
        `Once ${name} has come, ${all}.`,
        `After ${name}: ${all}.`,
        `With ${name}, ${all}.`,
        `As soon as ${name} is sent: ${all}.`,
        `When ${name} has been received, ${all}.`,
        `At ${name}: ${all}.`,
        `${name} means that ${all}.`,
      ])
    })
    .join(' ')
}

/** An effect in other words. */
export function paraphraseEffect(clause: string, stream: Stream): string {
  const [, what = clause, verb = '', rest = ''] =
    /^(`[^`]+`(?: of `[^`]+`)?) (becomes|rises|falls)(.*)$/.exec(clause) ?? []
  const value = rest.trim()
  const the = stream.pick([what, `the ${what}`])
  const end = rest.replace(/ by `[^`]+`(?: [^\s`]+)?/, '')
  switch (verb) {
    case 'becomes':
      return stream.pick([
        `${the} becomes ${value}`,
        `${the} is set to ${value}`,
        `${the} changes to ${value}`,
        `sets ${the} to ${value}`,
        `${the} turns ${value}`,
        `${the} will be ${value}`,
        `${the} goes to ${value}`,
        `transitions ${the} to ${value}`,
        `${the} is then ${value}`,
        `changes ${the} to ${value}`,
        `${the} switches to ${value}`,
        `${the} will change to ${value}`,
        `${the} ends up ${value}`,
        `puts ${the} to ${value}`,
        `${the} is ${value} afterwards`,
        `${the} → ${value}`,
        `makes ${the} ${value}`,
      ])
    case 'rises':
      if (end !== rest || rest === '')
        return stream.pick([
          `${the} ${stream.pick(['rises', 'increases', 'grows', 'goes up', 'is increased', 'is raised'])}${rest}`,
          `${stream.pick(['raises', 'increases'])} ${the}${rest}`,
        ])
      return `${the} ${stream.pick(['rises', 'increases', 'climbs', 'goes up'])}${rest.replace('above', stream.pick(['above', 'to above', 'over', 'beyond']))}`
    case 'falls':
      if (end !== rest || rest === '')
        return stream.pick([
          `${the} ${stream.pick(['falls', 'decreases', 'drops', 'goes down', 'is reduced', 'is lowered', 'sinks'])}${rest}`,
          `${stream.pick(['lowers', 'reduces', 'decreases'])} ${the}${rest}`,
        ])
      return `${the} ${stream.pick(['falls', 'drops', 'decreases', 'goes down'])}${rest.replace('below', stream.pick(['below', 'to below', 'under', 'to less than']))}`
    default:
      return clause
  }
}

function behaviour(value: string, stream: Stream): string {
  return value.replace(/Completion is indicated by the (.*) signal\./, (_, names: string) =>
    stream.pick([
      `Completion is indicated by the ${names} signal.`,
      `Completion is announced by ${names}.`,
      `The ${names} signal indicates completion.`,
      `Its end is signalled by ${names}.`,
      `The signal ${names} tells that it is complete.`,
      `It is finished when ${names} arrives.`,
      `Emits ${names} when it is done.`,
      `${names} is emitted on completion.`,
      `The end is marked by the ${names} signal.`,
      `Wait for ${names} to know that it is complete.`,
      `You will be told of its completion by ${names}.`,
      `Sends ${names} as soon as it has finished.`,
    ]),
  )
}

function trigger(value: string, own: string, stream: Stream): string {
  return value.replace(/\((`.*`.*)\)/, (_, inner: string) => {
    const clauses = inner.split('; ').map((clause) => {
      const condition = stated(clause)
      if (condition === null) return clause
      const { op, unit } = condition
      const who = subject(condition, own, stream)
      const amount = [`\`${condition.value}\``, ...(unit === '' ? [] : [unit])].join(' ')
      const than = stream.pick(PLAIN[op] ?? [''])
      return `${who} ${stream.pick(['is', 'is', 'is now'])} ${than === '' ? amount : `${than} ${amount}`}`
    })
    const joined = clauses.join(stream.pick(['; ', ' and ', ', and ']))
    return stream.pick([`(${joined})`, `(i.e. ${joined})`, `– ${joined}`, `(when ${joined})`])
  })
}

/** What a colleague would say for parts of the shipped goals; the rest of a sentence stands. */
const REWORDINGS: readonly (readonly [part: RegExp, words: readonly string[]])[] = [
  [
    /verify it is below (\d+)°C and the system is STABLE/,
    [
      'verify that it is under $1 °C and that the system is STABLE',
      'make sure it is less than $1°C and the system has become STABLE',
      'confirm that it has dropped below $1 °C and the status is STABLE',
      'check that it is lower than $1 degrees Celsius and the system reads STABLE',
      'see to it that it stays below $1°C and that the system remains STABLE',
      'verify that the temperature is < $1 °C and the system is STABLE',
      'ensure that it has fallen under $1°C; the system must be STABLE',
      'do not stop until it is below $1 °C and the system shows STABLE',
      'wait until it is below $1°C and the system is STABLE',
      'verify that a temperature below $1°C has been reached and that the system is STABLE',
      'bring it to less than $1 °C, with the system reported as STABLE',
    ],
  ],
  [
    /All the while keep the pressure of the feed line below (\d+) BAR: an excess has to be relieved/,
    [
      'All the while keep the pressure of the feed line under $1 BAR: an excess must be relieved',
      'Throughout, the pressure of the feed line must stay below $1 bar: any excess needs to be relieved',
      'Meanwhile, make sure that the pressure of the feed line always stays below $1 BAR: an excess has to be relieved',
      'At all times the feed line pressure has to remain below $1 BAR. An excess has to be relieved',
      'Please keep the feed line pressure less than $1 BAR the whole time; an excess is to be relieved',
      'The pressure of the feed line must never reach $1 BAR: an excess has to be relieved',
      'Hold the pressure of the feed line below $1 BAR throughout: an excess has to be relieved',
      'Maintain a feed line pressure of less than $1 BAR: an excess has to be relieved',
    ],
  ],
  [
    /find the counter and increment it only if the number (is [A-Z]+|modulo \d+ is \d+), continue until it exceeds (\d+)/,
    [
      'find the counter and increment it only when the number $1, and go on until it exceeds $2',
      'find the counter; only increment it if the number $1, until it is greater than $2',
      'find the counter. Increment it only while the number $1, and continue until it is more than $2',
      'look for the counter and increment it, but only if the number $1; stop once it exceeds $2',
      'find the counter. Never increment it unless the number $1. Continue until it is above $2',
      'find the counter and do not increment it unless the number $1, continuing until it is over $2',
      'only if the number $1 may you increment the counter; continue until it has exceeded $2',
      'find the counter, increment it if and only if the number $1, and carry on until it is higher than $2',
      'find the counter and keep going until it is larger than $2, incrementing it only if the number $1',
      'until the counter exceeds $2, increment it only if the number $1',
      'your job: bring the counter above $2. It must be incremented only when the number $1',
    ],
  ],
  [
    /Keep watch so that the number of open alarms stays below (\d+): acknowledge each alarm within (\d+) s, and nothing that merely resembles one\. Stay at the desk until the watch is OVER/,
    [
      'Keep watch so that the number of open alarms remains under $1: acknowledge each alarm within $2 s, and nothing that merely resembles one. Stay at the desk until the watch is OVER',
      'Keep the number of open alarms below $1: every alarm must be acknowledged within $2 s, and nothing that merely resembles one. Remain at the desk until the watch has become OVER',
      'The number of open alarms must always stay below $1: acknowledge each alarm within $2 s, and nothing that merely resembles one. Do not leave the desk before the watch is OVER',
      'See that at no time the number of open alarms reaches $1: acknowledge each within $2 s and nothing else. Stay until the watch is OVER',
      'Maintain fewer than $1 open alarms: acknowledge each one within $2 s. Your post ends once the watch is OVER',
      'Please keep watch, so that the open alarms stay below $1. Stay at the desk as long as the watch is not OVER',
      'Until the watch is OVER, stay at the desk and keep the number of open alarms less than $1: acknowledge each within $2 s',
      'Throughout the watch, the number of open alarms has to stay below $1. The watch must be OVER before you leave',
    ],
  ],
  [
    /Have the document ("[^"]+") converted and download its result, so that the state of its job is DOWNLOADED/,
    [
      'Convert the document $1 and download its result; the state of its job must be DOWNLOADED',
      'Please have $1 converted and its result downloaded, so that its job becomes DOWNLOADED',
      'The document $1 has to be converted and its result downloaded: at the end the state of its job is DOWNLOADED',
      'Make sure that the document $1 is converted and the state of its job has become DOWNLOADED',
      'Get the document $1 converted, download the result, and see that its job ends up DOWNLOADED',
      'Download the result of the document $1 after it has been converted. You are done once the state of its job is DOWNLOADED',
      'Have $1 converted. Continue until the state of its job reads DOWNLOADED',
      'The job of the document $1 needs to reach the state DOWNLOADED',
      'The state of the job of $1 should be DOWNLOADED when you have finished: have it converted and download its result',
    ],
  ],
  [
    /See that the request is ANSWERED, rightly and before the traveller goes/,
    [
      'See to it that the request gets ANSWERED, rightly and before the traveller goes',
      'Make sure the request is ANSWERED correctly, before the traveller goes',
      'The request must be ANSWERED, rightly, before the traveller goes',
      'Please ensure that the request has been ANSWERED rightly before the traveller leaves',
      'Before the traveller goes, the request has to be ANSWERED, and rightly so',
      'The request needs to become ANSWERED while the traveller is still there',
      'Your work is done when the request is ANSWERED, rightly and in time',
      'Bring the request to ANSWERED, rightly and before the traveller goes',
    ],
  ],
]

/** A goal in other words; null for one that nobody has reworded here. */
export function paraphraseGoal(text: string, stream: Stream): string | null {
  let worded = text
  let known = false
  for (const [part, words] of REWORDINGS) {
    known ||= part.test(worded)
    worded = worded.replace(part, stream.pick(words))
  }
  if (!known) return null
  const framed = stream.pick([worded, worded, `Please note: ${worded}`, `${worded} Thank you!`, `Hello. ${worded}`])
  return stream.chance(0.3) ? framed.replaceAll('. ', '.\n') : framed
}
