import { expect, it } from 'vitest'
import { prompt } from '../kit/index.js'
import { playPhases, playTurns } from './fixtures/drivers.js'
import type { Played } from './fixtures/drivers.js'
import { Toy } from './fixtures/toy.js'

const plain = (name: string) => name
const calls = ({ answers }: Played) =>
  answers.flatMap((answer) => {
    const { call }: { call: { name: string; arguments: string } | null } = JSON.parse(answer)
    return call === null ? [] : [`${call.name} ${call.arguments}`]
  })
function played(play: (toy: Toy) => Played) {
  const toy = new Toy(plain)
  const result = play(toy)
  return { ...result, reached: toy.reached(), broken: toy.broken }
}

it('polls its way to the goal: reads what it needs, signs in, heats, looks until it is hot, shines, looks, claims', () => {
  const story = played((toy) => playTurns(toy, 'poll'))
  expect(calls(story)).toEqual([
    'system_discovery {}',
    'manual_retrieval {"document":"oven_manual"}',
    'manual_retrieval {"document":"staff_notes"}',
    'deskbox {"action":"logins","code":"Q-77-1"}',
    'ovenbox {"action":"ignite"}',
    'sleep {"ms":2000}',
    'read_properties {"tools":["ovenbox"]}',
    'sleep {"ms":2000}',
    'read_properties {"tools":["ovenbox"]}',
    'sleep {"ms":2000}',
    'read_properties {"tools":["ovenbox"]}',
    'manual_retrieval {"document":"lamp_manual"}',
    'lampbox {"action":"shines"}',
  ])
  expect({ claim: story.claim, reached: story.reached }).toEqual({ claim: 'achieved', reached: true })
})

it('waits for the signal that the manual promises where it can wait', () => {
  const story = played((toy) => playTurns(toy, 'await'))
  expect(calls(story).slice(5)).toEqual([
    'wait_for {"signals":["oven.hots"],"when":{"tool":"ovenbox","property":"oven_heat","op":"above","value":200},"timeoutMs":300000}',
    'manual_retrieval {"document":"lamp_manual"}',
    'lampbox {"action":"shines"}',
  ])
  expect({ claim: story.claim, reached: story.reached }).toEqual({ claim: 'achieved', reached: true })
})

it('reaches the goal in phases, in three calls per action and two per set-up', () => {
  const story = played((toy) => playPhases(toy))
  expect(calls(story)).toEqual([
    'system_discovery {}',
    'manual_retrieval {"document":"oven_manual"}',
    'manual_retrieval {"document":"staff_notes"}',
    'deskbox {"action":"logins","code":"Q-77-1"}',
    'ovenbox {"action":"ignite"}',
    'manual_retrieval {"document":"lamp_manual"}',
    'lampbox {"action":"shines"}',
  ])
  expect({ claim: story.claim, reached: story.reached, calls: story.calls }).toEqual({
    claim: 'achieved',
    reached: true,
    calls: 7 * 3 + 3 * 2 + 1,
  })
})

const memory = (needed: string[], idle: string[] = [], outcome: 'achieved' | 'gave_up' = 'achieved') => ({
  memories: [prompt.experienceLine({ goal: 'Light.', outcome, summary: '', lessons: [], procedure: [], needed, idle })],
})
const DOCUMENTS = ['oven_manual', 'staff_notes', 'lamp_manual']

it('mounts what an experience says was needed in one go: one set-up instead of three', () => {
  const [without, remembering] = [{}, memory(DOCUMENTS)].map((options) => played((toy) => playPhases(toy, options)))
  expect([remembering?.reached, remembering?.claim]).toEqual([true, 'achieved'])
  expect((without?.calls ?? 0) - (remembering?.calls ?? 0)).toBe(2 * 2)
})

it('is not blinded by a wrong memory, nor led by that of a failure', () => {
  const wrong = played((toy) => playPhases(toy, memory(['no_such_manual'], DOCUMENTS)))
  expect([wrong.reached, wrong.claim]).toEqual([true, 'achieved'])
  const failed = played((toy) => playPhases(toy, memory(DOCUMENTS, [], 'gave_up')))
  expect(failed.answers).toEqual(played((toy) => playPhases(toy)).answers)
})

const outcome = (impasse: string) => {
  const story = played((toy) => playTurns(toy, 'act', { model: `sim:careful?${impasse}` }))
  const reads = calls(story).filter((call) => call.startsWith('manual_retrieval')).length
  return { claim: story.claim, reached: story.reached, reads }
}

it('acts blindly in an impasse, stalls past it, or gives up', () => {
  expect(outcome('impasse=act')).toEqual({ claim: 'gave_up', reached: false, reads: 3 })
  expect(outcome('impasse=stall&stallCalls=12')).toEqual({ claim: 'achieved', reached: true, reads: 2 + 12 + 1 })
  expect(outcome('impasse=give-up')).toEqual({ claim: 'gave_up', reached: false, reads: 2 })
})

it('repairs malformed answers where its draws let it, on both wires', () => {
  const outcomes = [1, 2, 3, 4, 5, 6].flatMap((seed) => {
    const options = { model: 'sim:careful?syntax=0.8', seed }
    return [played((toy) => playTurns(toy, 'poll', options)), played((toy) => playPhases(toy, options))]
  })
  const broken = outcomes.flatMap(({ answers }) => answers).filter((answer) => !wellFormed(answer))
  expect(broken.length).toBeGreaterThan(0)
  expect(outcomes.filter(({ broken: harmed }) => harmed)).toEqual([])
  expect(outcomes.some(({ claim }) => claim === 'achieved')).toBe(true)
})

function wellFormed(answer: string): boolean {
  const { call, content }: { call: { arguments: string } | null; content: string } = JSON.parse(answer)
  const text = call?.arguments ?? (content.startsWith('{') ? content : '{}')
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('claims too early exactly when it is dishonest, and operates unread exactly when it is not diligent', () => {
  const early = played((toy) => playTurns(toy, 'poll', { model: 'sim:careful?honesty=0' }))
  expect(early.claim).toBe('achieved')
  expect(early.reached).toBe(false)
  const unread = played((toy) => playTurns(toy, 'poll', { model: 'sim:careful?diligence=0' }))
  expect(calls(unread)[1]).toMatch(/^ovenbox \{"action":"(?:ignite|purger)"\}$/)
})

const looks = (model: string) =>
  calls(played((toy) => playTurns(toy, 'poll', { model }))).filter((call) => call.startsWith('read_properties')).length

it('looks again at what is ready as often as it is told to, when fixated', () => {
  expect(looks('sim:careful?fixation=1&looks=4') - looks('sim:careful')).toBe(4)
})
