import { expect, test } from 'vitest'
import { UserError } from '../contract/index.js'
import { loadAgent } from '../run/registry.js'
import { createWallClock } from '../sim/wall-clock.js'
import { playTrial } from '../testing/play-trial.js'
import { createStillTime } from '../testing/still-time.js'
import { notesOf, recordsOf } from '../trace/records.js'
import { createAsking } from './team.js'
import type { Person } from './team.js'

const question = { text: 'Which season?', choices: ['AUTUMN', 'WINTER'] }

/** Asks once, on a clock ten times as fast as a real time that stands still while somebody is at work. */
async function ask(person: (real: ReturnType<typeof createStillTime>) => Person) {
  const real = createStillTime()
  const clock = createWallClock({ speed: 10, real })
  const told: [what: string | null, at: number][] = []
  const closers: (() => Promise<void>)[] = []
  clock.after(3_000, () => told.push(['world', clock.now()]))
  clock.spawn('asker', async (self) => {
    const asking = createAsking(person(real), { clock, self, onEnd: (close) => closers.push(close) })
    told.push([await asking({ ...question, timeoutMs: 5_000 }), clock.now()])
  })
  const { how } = await clock.run({ untilMs: 60_000 })
  return { how, told, closers, clock }
}

test('an answer comes when it really comes, and the world does not wait for it', async () => {
  const heard: object[] = []
  const { how, told } = await ask((real) => (asked) => {
    heard.push(asked)
    return new Promise((resolve) => void real.after(400, () => resolve('winter')))
  })
  expect([how, heard]).toEqual(['ended', [question]])
  expect(told).toEqual([
    ['world', 3_000],
    ['winter', 4_000],
  ])
})

test('after the time-out nobody waits, and the person is told so', async () => {
  const signals: AbortSignal[] = []
  const { told } = await ask(() => (_question, signal) => {
    signals.push(signal)
    return new Promise(() => {})
  })
  expect(told).toEqual([
    ['world', 3_000],
    [null, 5_000],
  ])
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a trial that ends tells the person that nobody waits', async () => {
  const real = createStillTime()
  const clock = createWallClock({ real })
  const signals: AbortSignal[] = []
  const closers: (() => Promise<void>)[] = []
  const person: Person = (_question, signal) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  clock.spawn('asker', async (self) => {
    await createAsking(person, { clock, self, onEnd: (close) => closers.push(close) })({
      ...question,
      timeoutMs: 5_000,
    })
  })
  expect((await clock.run({ untilMs: 1_000 })).how).toBe('out_of_time')
  clock.stop()
  for (const close of closers) await close()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

const REGISTRY = JSON.stringify([
  {
    name: 'weather_lookup',
    summary: 'Weather of the day.',
    tool: 'weather_lookup',
    replies: [{ text: '{{ .Options "Which season?" "AUTUMN" "WINTER" }}' }],
  },
])
const trial = async (more: { clock?: string; person?: Person; params?: object }) =>
  playTrial({
    agent: await loadAgent('agencia'),
    environment: 'weather-desk',
    worldParams: { reportMs: 0, changeMs: 0 },
    clock: 'wall:100',
    ...more,
    params: { registry: REGISTRY, user: 'terminal', ...more.params },
  })

test('the answer of a person goes into the trial that asked, as a suspension and its end', async () => {
  const { outcome, trace } = await trial({ person: () => Promise.resolve('winter') })
  expect(outcome).toBe('solved')
  expect(notesOf(trace, 'ask').map(({ data: { question: text, choices } }) => ({ text, choices }))).toEqual([question])
  expect(notesOf(trace, 'told').map(({ data }) => data['answer'])).toEqual(['WINTER'])
  expect(recordsOf(trace, 'suspend').map(({ signals }) => signals)).toEqual([['user.answered', 'user.declined']])
  expect(recordsOf(trace, 'wake').map(({ reason, signals }) => ({ reason, signals }))).toEqual([
    { reason: 'signal', signals: ['user.answered'] },
  ])
})

test('where there is no person to ask, the trial says so', async () => {
  expect((await trial({})).errors).toEqual(['This trial has no person to ask.'])
})

test('on the virtual clock a plan that asks a person is refused, and one that asks nobody is not', async () => {
  await expect(trial({ clock: 'virtual' })).rejects.toThrow(
    new UserError(
      'agencia asks a person, who lives in real time. Add --clock wall, or clock: wall to the suite, or parameters that ask nobody (`sora-bench describe agencia`).',
    ),
  )
  expect((await trial({ clock: 'virtual', params: { user: 'scripted', askTimeoutMs: 1_000 } })).errors).toEqual([])
})
