import { expect, it } from 'vitest'
import type { Exposure } from '../contract/index.js'
import { actOf, differ, kindOf } from './act.js'
import { playPhases, playTurns } from './fixtures/drivers.js'
import { Office } from './fixtures/office.js'
import type { Playground } from './fixtures/playground.js'
import { Toy } from './fixtures/toy.js'
import { parseProfile } from './profile.js'
import { readOffer } from './read/request.js'
import type { Request } from './read/request.js'
import { respond } from './reply.js'
import type { Answer } from './say/call.js'

const plain = (name: string): string => name
const WORLDS: Record<string, () => Playground> = {
  'a studio': () => new Toy(plain),
  'an office with one order': () => new Office(plain, ['ash']),
  'an office with two orders': () => new Office(plain, ['ash', 'birch']),
}
const PLAYS: Record<string, typeof playPhases> = {
  act: (toy, options) => playTurns(toy, 'act', options),
  poll: (toy, options) => playTurns(toy, 'poll', options),
  await: (toy, options) => playTurns(toy, 'await', options),
  phases: playPhases,
}

/** Every trait as wrong as can be, whatever the prompt shows. */
const WRONG: Record<string, string> = {
  patience: 'patience=0',
  honesty: 'honesty=0',
  fixation: 'fixation=1',
  attention: 'attention=0',
  diligence: 'diligence=0',
  fidelity: 'fidelity=0',
  syntax: 'syntax=0',
  handoff: 'handoff=1&restore=0',
}
/** Fields that hold prose, and lines of a plan that nobody acts on. */
const SPOKEN = new Set(['summary', 'thought', 'lessons', 'procedure', 'plan', 'reason'])

/** What is left of an answer without its prose, put together by other means than the reader's own. */
function withoutProse({ content, call }: Answer): string {
  if (call === null) return content?.startsWith('{') === true ? bare(content) : (content?.split('\n').at(-1) ?? '')
  return `${call.name} ${bare(call.arguments)}`
}
function bare(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (name, value: unknown) => (SPOKEN.has(name) ? undefined : value))
  } catch {
    return json
  }
}

const surfaces = Object.keys(PLAYS).flatMap((surface) => Object.keys(WORLDS).map((world) => [surface, world] as const))

/** Every prompt of a careful reader's play, with its exposures. */
function prompts(surface: string, world: string): [Request, readonly Exposure[]][] {
  const asked: [Request, readonly Exposure[]][] = []
  const toy = WORLDS[world]?.()
  if (toy !== undefined) PLAYS[surface]?.(toy, { onAnswer: (...each) => asked.push(each) })
  return asked
}

it.each(surfaces)(
  'is exposed exactly where an answer would differ by more than its prose (%s, %s)',
  (surface, world) => {
    const careful = parseProfile('sim:careful')
    const found = prompts(surface, world).map(([request, exposures]) => {
      const right = withoutProse(respond(request, careful).answer)
      const differing = Object.entries(WRONG).filter(([, settings]) => {
        const profile = parseProfile(`sim:careful?visible=1&misled=1&${settings}`)
        return withoutProse(respond(request, profile).answer) !== right
      })
      return {
        exposed: [...new Set(exposures.map(({ trait }) => trait))],
        differing: differing.map(([trait]) => trait),
      }
    })
    expect(found.length).toBeGreaterThan(5)
    for (const { exposed, differing } of found) expect(exposed.toSorted()).toEqual(differing.toSorted())
  },
)

it('counts a chance once per answer, and lets who carries out an instruction lose its form and what was handed over, and nothing else', () => {
  for (const [surface, world] of surfaces) {
    for (const [request, exposures] of prompts(surface, world)) {
      const keys = exposures.map(({ trait, subject, d }) => JSON.stringify([trait, subject, d]))
      expect(new Set(keys).size).toBe(keys.length)
      const instructed = request.messages.some(({ content }) => content?.includes('## INSTRUCTION') === true)
      const traits = new Set(exposures.map(({ trait }) => trait))
      traits.delete('syntax')
      traits.delete('handoff')
      expect(instructed ? [...traits] : []).toEqual([])
    }
  }
})

it('with everything that is handed over lost, only calls with an argument from an instruction differ', () => {
  const changed = prompts('phases', 'an office with one order').flatMap(([request]) => {
    const [kept, lost] = ['0', '1&restore=0'].map((handoff) =>
      respond(request, parseProfile(`sim:careful?handoff=${handoff}`)),
    )
    if (kept === undefined || lost === undefined || JSON.stringify(kept.answer) === JSON.stringify(lost.answer))
      return []
    const instruction = request.messages.map(({ content }) => content).join('\n')
    return [/## INSTRUCTION\n(Call the operation|.*)/.exec(instruction)?.[1] ?? 'none']
  })
  expect(changed.length).toBeGreaterThan(0)
  expect([...new Set(changed)]).toEqual(['Call the operation'])
})

const offer = readOffer([
  { function: { name: 'kiln', description: 'A kiln.', parameters: { properties: { action: { enum: ['fire'] } } } } },
  { function: { name: 'wait_for', description: 'Waits for signals.', parameters: {} } },
])
const said = (content: string) => actOf({ offer, schema: { type: 'object' } }, { content, call: null })
const called = (name: string, args: object | string) =>
  actOf(
    { offer, schema: null },
    { content: 'So be it.', call: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } },
  )
const decided = (decision: string, instruction: string, wait: object | null = null) =>
  said(JSON.stringify({ decision, instruction, wait, summary: `${decision} it is.` }))
const until = { signals: ['kiln.done'], when: null, timeoutMs: null }

it.each([
  ['a call of an operation instead of a wait', called('wait_for', until), called('kiln', { action: 'fire' }), 'commit'],
  ['a wait instead of a call', called('kiln', { action: 'fire' }), called('wait_for', until), 'detour'],
  ['arguments cut off', called('kiln', { action: 'fire' }), called('kiln', '{"action"'), 'detour'],
  [
    'an end instead of a wait',
    called('wait_for', until),
    actOf({ offer, schema: null }, { content: 'Done.\nOUTCOME: ACHIEVED', call: null }),
    'commit',
  ],
  ['an operation without its wait', decided('ACT', 'Fire the kiln.', until), decided('ACT', 'Fire the kiln.'), 'omit'],
  [
    'an operation of a real model instead of a wait',
    decided('WAIT', '', until),
    decided('ACT', 'Fire the kiln now.'),
    'commit',
  ],
  [
    'a document to read instead of an operation',
    decided('ACT', 'Fire the kiln.'),
    decided('ACT', 'Retrieve the document.'),
    'detour',
  ],
  [
    'a claim in a field',
    said('{"completed":false,"achieved":false}'),
    said('{"completed":true,"achieved":true}'),
    'commit',
  ],
  ['a result without its wait', said(JSON.stringify({ suspend: until })), said('{"suspend":null}'), 'omit'],
])('classes %s', (_name, right, wrong, kind) => {
  expect([differ(right, wrong), kindOf(right, wrong)]).toEqual([true, kind])
})

it('sees no difference in prose', () => {
  const other = said(
    JSON.stringify({ decision: 'ACT', instruction: 'Fire the kiln.', wait: until, summary: 'Because.' }),
  )
  expect(differ(decided('ACT', 'Fire the kiln.', until), other)).toBe(false)
})
