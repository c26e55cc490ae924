import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { outcomeLine, readEnding } from './ending.js'
import { namesOf } from './json.js'
import * as lines from './lines.js'
import * as prompt from './prompt.js'
import { readPromptText, readUnread, readVerbs, unreadLine, verbsLine } from './sections.js'

const text = fc.string()
const at = fc.nat()
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const named = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), scalar)
const texts = fc.array(text, { maxLength: 3 })
const operationId = fc.option(text)
const about = { about: named }
const signal = fc.record({ signal: text, tool: text, payload: named, seq: fc.nat(), at, operationId })
const observed = fc.array(
  fc.record({ tool: text, properties: fc.dictionary(text, fc.record({ value: scalar, at })) }),
  { maxLength: 3 },
)

/** What it is about, written and read again: as it was. */
function inverse<T>(arbitrary: fc.Arbitrary<T>, write: (told: T) => string, events: (told: T) => lines.Event[]): void {
  const holds = (told: T): void => {
    for (const line of [write(told), `- ${write(told)}`]) {
      expect(lines.readFact(lines.factIn(line) ?? '').events).toEqual(events(told))
    }
  }
  fc.assert(fc.property(arbitrary, holds))
}
const seenIn = (
  looks: { tool: string; properties: Record<string, { value: string | number | boolean; at: number }> }[],
  when: number,
) =>
  looks.flatMap(({ tool, properties }) =>
    Object.entries(properties).map(([property, { value, at: changedAt }]) => {
      return { kind: 'seen' as const, at: when, tool, property, value, changedAt }
    }),
  )
const signalled = ({
  payload,
  ...of
}: { payload: Record<string, string | number | boolean> } & Omit<
  Parameters<typeof lines.signal.write>[0],
  'payload'
>) => ({ kind: 'signal', ...of, about: namesOf(payload) }) as const

test('An acknowledgement is read as it was written, with its rule, and with the end of what it began.', () => {
  expect.hasAssertions()
  const ack = fc.record(
    { tool: text, action: text, accepted: fc.boolean(), operationId, at, message: text, rule: text, ...about },
    { requiredKeys: ['tool', 'action', 'accepted', 'operationId', 'at', 'message'] },
  )
  const event = (
    told: {
      rule?: string
      about?: Record<string, string | number | boolean>
      tool: string
      action: string
      accepted: boolean
      operationId: string | null
      at: number
      message: string
    },
    completed: boolean,
  ) => ({ kind: 'operated', ...told, rule: told.rule ?? null, about: told.about ?? {}, completed }) as const
  inverse(
    ack,
    (given) => lines.acknowledgement.write(given),
    (told) => [event(told, false)],
  )
  const ended = fc.record({ ack, completed: fc.boolean(), signals: fc.array(signal, { maxLength: 2 }), returnedAt: at })
  inverse(
    ended,
    ({ ack: told, ...end }) => lines.fact(lines.withCompletion({ ...told }, end)),
    ({ ack: told, completed, signals }) => [event(told, completed && signals.length === 0), ...signals.map(signalled)],
  )
})

test('A refusal of the door, an error and a call that was held back are read as they were written.', () => {
  expect.hasAssertions()
  inverse(
    fc.record({ tool: text, error: text, at }),
    (given) => lines.failure.write(given),
    ({ tool, at: when }) => [{ kind: 'failed', at: when, tool, action: null }],
  )
  const held = fc.record({ notDispatched: fc.record({ tool: text, action: text }), reason: text, at })
  inverse(
    held,
    (given) => lines.withheld.write(given),
    ({ notDispatched: { tool }, at: when }) => [{ kind: 'withheld', at: when, tool }],
  )
})

test('Signals, waits, looks and variables are read as they were written.', () => {
  expect.hasAssertions()
  inverse(
    signal,
    (given) => lines.signal.write(given),
    (told) => [signalled(told)],
  )
  const wait = fc.record({
    waited: fc.record({ signals: texts }),
    ended: fc.constantFrom('signal' as const, 'condition' as const, 'timeout' as const),
    signals: fc.array(signal, { maxLength: 2 }),
    observed,
    at,
  })
  inverse(
    wait,
    (given) => lines.wait.write(given),
    (told) => [
      ...seenIn(told.observed, told.at),
      { kind: 'waited', at: told.at, ended: told.ended },
      ...told.signals.map(signalled),
    ],
  )
  inverse(
    fc.record({ observed, at }),
    (given) => lines.look.write(given),
    (told) => [
      ...seenIn(told.observed, told.at),
      { kind: 'looked', at: told.at, tools: told.observed.map(({ tool }) => tool) },
    ],
  )
  const variable = fc.record({ tool: text, property: text, value: scalar, at, readAt: at })
  inverse(
    variable,
    (given) => lines.variable.write(given),
    ({ at: changedAt, readAt, ...told }) => [{ kind: 'seen', ...told, at: readAt, changedAt }],
  )
})

test('What was discovered, read, slept, focused, unmounted and ended is read as it was written.', () => {
  expect.hasAssertions()
  const when = fc.record({ names: texts, count: fc.nat(), id: text, at })
  inverse(
    when,
    ({ count, at: time }) => lines.discovery.write({ discovered: { tools: count, documents: count }, at: time }),
    ({ at: time }) => [{ kind: 'discovered', at: time }],
  )
  inverse(
    when,
    ({ id, at: time }) => lines.reading.write({ read: id, at: time }),
    ({ id, at: time }) => [{ kind: 'read', at: time, document: id }],
  )
  inverse(
    when,
    ({ count, at: time }) => lines.pause.write({ slept: count, at: time }),
    ({ at: time }) => [{ kind: 'slept', at: time }],
  )
  inverse(
    when,
    ({ id, at: time }) => lines.end.write({ ended: id, summary: '', at: time }),
    ({ id, at: time }) => [{ kind: 'ended', at: time, achieved: id === 'achieved' }],
  )
  inverse(
    when,
    ({ names, at: time }) => lines.focus.write({ focused: names, at: time }),
    ({ names, at: time }) => [{ kind: 'focused', at: time, tools: names }],
  )
  inverse(
    when,
    ({ names, at: time }) => lines.unfocus.write({ unfocused: names, at: time }),
    ({ names, at: time }) => [{ kind: 'unfocused', at: time, tools: names }],
  )
  inverse(
    when,
    ({ names, at: time }) => lines.unmount.write({ unmounted: names, at: time }),
    ({ names, at: time }) => [{ kind: 'unmounted', at: time, documents: names }],
  )
})

test('A catalogue lists what was put into it, whole or line by line, and so do repertoires and descriptions.', () => {
  const entry = fc.record({ id: text, summary: text, covers: texts })
  const action = fc.record({ name: fc.stringMatching(/^[a-z_]{1,8}$/), summary: fc.stringMatching(/^[a-z .]*$/) })
  const property = fc.property(entry, action, text, at, ({ id, summary, covers }, operation, tool, time) => {
    const told = lines.readFact(
      lines.catalogue.write({ tools: [operation], documents: [{ id, summary, covers }], at: time }),
    )
    const document = { kind: 'document', id, summary, covers }
    expect(told.events).toEqual([{ kind: 'discovered', at: time }])
    expect(told.listings).toEqual([
      { kind: 'tool', ...operation },
      { ...document, state: null },
    ])
    expect(lines.readFact(lines.catalogueLine({ id, summary, covers }, 'read')).listings).toEqual([
      { ...document, state: 'read' },
    ])
    const { name, summary: does } = operation
    expect(lines.readFact(lines.operationLine(tool, operation)).listings).toEqual([
      { kind: 'operation', tool, action: name, summary: does },
    ])
    expect(lines.readFact(lines.callLine({ name, description: does })).listings).toEqual([
      { kind: 'call', name, summary: does },
    ])
    expect(lines.readToolDescription(lines.toolDescription('A tool.', [operation]))).toEqual({
      summary: 'A tool.',
      actions: new Map([[name, does]]),
    })
  })
  fc.assert(property)
})

test('Sections, fences, verbs, the number of unread documents and the outcome are read as they were written.', () => {
  const line = fc.stringMatching(/^[a-z][a-z ]{0,20}$/)
  fc.assert(
    fc.property(text, fc.array(line, { minLength: 1, maxLength: 3 }), fc.nat(), (id, body, count) => {
      const trimmed = body.join('\n').trim()
      const written = prompt.section('DOCUMENTS', [prompt.fence(id, trimmed), ...body])
      const read = readPromptText(written, true)
      expect(read.documents).toEqual([{ section: 'DOCUMENTS', id, text: trimmed }])
      expect(read.lines).toEqual(body.map((each) => ({ section: 'DOCUMENTS', text: each })))
      expect(readUnread(unreadLine(count))).toBe(count)
    }),
  )
  expect(readVerbs(verbsLine(['observe', 'wait']))).toEqual(['observe', 'wait'])
  for (const claim of ['achieved', 'gave_up'] as const)
    expect(readEnding(`So.\n${outcomeLine(claim)}`)).toMatchObject({ kind: 'end', claim })
})
