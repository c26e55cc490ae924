import { describe, expect, test } from 'vitest'
import type { Question } from '../../harness/contract/index.js'
import { story } from '../../harness/testing/agent-rig.js'
import { calls, end, results, says, talk } from './fixtures/talk.js'

type Person = (question: Question) => { says: string | null; afterMs: number }

const asks = says('packer', 'Season: {{ .AskUser "For which season?" }}.')
const autumn = { to: 'season', answer: 'autumn', afterMs: 20_000 }

test('§5: a question to the user suspends until the answer comes, and the world goes on meanwhile', async () => {
  const play = await talk([asks], [calls(['kiln', { action: 'fire' }]), calls('packer'), end], { answers: [autumn] })
  expect(results(play)).toEqual(['Season: autumn.'])
  expect(story(play.records, 'ask', 'suspend', 'signal', 'wake', 'told', 'not_told')).toEqual([
    { at: 2_000, kind: 'ask', question: 'For which season?', choices: [] },
    { at: 2_000, kind: 'suspend', signals: ['user.answered'], when: null, timeoutMs: 600_000 },
    { at: 11_000, kind: 'signal', seq: 3, tool: 'kiln', signal: 'kiln.done', payload: {}, op: 'op-1' },
    { at: 22_000, kind: 'wake', reason: 'signal', signals: ['user.answered'] },
    { at: 22_000, kind: 'told', answer: 'autumn' },
  ])
})

test('who is not answered in time goes on without a result', async () => {
  const alone = says('packer', '{{ .AskUser "For which season?" }}')
  for (const answers of [[], [{ ...autumn, to: 'day' }], [autumn]]) {
    const play = await talk([alone], [calls('packer'), end], { answers, askTimeoutMs: 5_000 })
    expect(results(play)).toEqual(['{"agent":"packer","noResult":"no_answer"}'])
    expect(story(play.records, 'wake', 'told', 'not_told')).toEqual([
      { at: 6_000, kind: 'wake', reason: 'timeout', signals: [] },
      { at: 6_000, kind: 'not_told' },
    ])
  }
})

test('the first scripted answer whose words stand in the question is given', async () => {
  const both = says('packer', '{{ .AskUser "Which season?" }} {{ .AskUser "Which city?" }}')
  const answers = [
    { to: 'city', answer: 'Oslo' },
    { to: '', answer: 'whatever' },
  ]
  expect(results(await talk([both], [calls('packer'), end], { answers }))).toEqual(['whatever Oslo'])
})

test.each([
  ['autumn', 'AUTUMN'],
  [' Winter ', 'WINTER'],
])('of choices the answer %j is %s', async (answer, chosen) => {
  const play = await talk(
    [says('packer', '{{ .Options "Which season?" "AUTUMN" "WINTER" }}')],
    [calls('packer'), end],
    { answers: [{ to: '', answer }] },
  )
  expect(results(play)).toEqual([chosen])
  expect(story(play.records, 'ask')).toEqual([
    { at: 1_000, kind: 'ask', question: 'Which season?', choices: ['AUTUMN', 'WINTER'] },
  ])
})

test('an answer that is none of the choices is none', async () => {
  const play = await talk(
    [says('packer', '{{ .Options "Which season?" "AUTUMN" "WINTER" }}')],
    [calls('packer'), end],
    { answers: [{ to: '', answer: 'soon' }] },
  )
  expect(results(play)).toEqual(['{"agent":"packer","noResult":"no_choice"}'])
})

describe('a person', () => {
  const asked = (person: Person, params: object = {}) =>
    talk([says('packer', '{{ .Options "Which season?" "AUTUMN" "WINTER" }}')], [calls('packer'), end], {
      user: 'terminal',
      person,
      ...params,
    })
  const waits = { kind: 'suspend', signals: ['user.answered', 'user.declined'], when: null, timeoutMs: 600_000 }

  test('is asked with the choices and the time-out, and answers when the answer comes', async () => {
    const questions: Question[] = []
    const play = await asked((question) => {
      questions.push(question)
      return { says: 'winter', afterMs: 20_000 }
    })
    expect(questions).toEqual([{ text: 'Which season?', choices: ['AUTUMN', 'WINTER'], timeoutMs: 600_000 }])
    expect(results(play)).toEqual(['WINTER'])
    expect(story(play.records, 'suspend', 'wake', 'told', 'not_told')).toEqual([
      { at: 1_000, ...waits },
      { at: 21_000, kind: 'wake', reason: 'signal', signals: ['user.answered'] },
      { at: 21_000, kind: 'told', answer: 'WINTER' },
    ])
  })

  test.each([
    ['declines at once', 3_000, { at: 4_000, kind: 'wake', reason: 'signal', signals: ['user.declined'] }],
    ['says nothing', 700_000, { at: 601_000, kind: 'wake', reason: 'timeout', signals: [] }],
  ])('who %s leaves no result', async (_how, afterMs, wake) => {
    const play = await asked(() => ({ says: null, afterMs }))
    expect(results(play)).toEqual(['{"agent":"packer","noResult":"no_answer"}'])
    expect(story(play.records, 'suspend', 'wake', 'told', 'not_told')).toEqual([
      { at: 1_000, ...waits },
      wake,
      { at: wake.at, kind: 'not_told' },
    ])
  })
})
