import { expect, test } from 'vitest'
import { createRandom } from '../../harness/sim/random.js'
import { environmentContract } from '../../harness/testing/environment-contract.js'
import { stage } from '../../harness/testing/environment/stage.js'
import converter from './converter.env.js'

environmentContract(converter, {
  unreachableSignals: { JOB_FAILED: 'no job fails with the default failure rate; a test of its own makes one fail' },
})

const TOOL = 'converter'
const start = (file: string): [string, string, { file: string }] => [TOOL, 'start_job', { file }]
const download = (job: string): [string, string, { job: string }] => [TOOL, 'download_result', { job }]
const cancel = (job: string): [string, string, { job: string }] => [TOOL, 'cancel_job', { job }]
const stateOf = (job: string) => `jobs[${job}].state`

const goalsOf = (documents: number, given = {}) =>
  converter.roles(converter.params.parse({ documents, ...given }), createRandom('roles')).map(({ goal }) => goal)
const goal = (file: string) =>
  `Have the document "${file}" converted and download its result, so that the state of its job is DOWNLOADED.`

test('each document is a goal of its own', () => {
  expect(goalsOf(1)).toEqual([goal('report-1')])
  expect(goalsOf(3)).toEqual([['report-1', 'report-2', 'report-3'].map((file) => ({ text: goal(file) }))])
})

test('goals may come apart, or each when the one before is achieved', () => {
  expect(goalsOf(3, { goals: 'apart', goalGapMs: 5_000 })).toEqual([
    [{ text: goal('report-1') }, { text: goal('report-2'), atMs: 5_000 }, { text: goal('report-3'), atMs: 10_000 }],
  ])
  expect(goalsOf(3, { goals: 'in_turn' })).toEqual([
    [{ text: goal('report-1') }, { text: goal('report-2'), after: 0 }, { text: goal('report-3'), after: 1 }],
  ])
})

test('jobs run side by side, each with its own state, and the world is done when every result is downloaded', async () => {
  const { act, rest, value, world } = await stage(converter, { documents: 2 })
  expect(act(...start('report-1'))).toEqual({ outcome: 'accepted', message: 'Job started.', rule: null })
  act(...start('report-2'))
  expect([value(TOOL, 'status'), value(TOOL, 'free_slots')]).toEqual(['PROCESSING', 14])
  expect([value(TOOL, 'jobs[job-2].file'), value(TOOL, stateOf('job-2'))]).toEqual(['report-2', 'PROCESSING'])
  rest()
  expect([value(TOOL, 'status'), value(TOOL, 'free_slots')]).toEqual(['IDLE', 16])
  act(...download('job-1'))
  expect([value(TOOL, stateOf('job-1')), value(TOOL, stateOf('job-2')), world.reached()]).toEqual([
    'DOWNLOADED',
    'COMPLETED',
    false,
  ])
  act(...download('job-2'))
  expect([world.reached(), world.violations()]).toEqual([true, []])
})

test('the course of a job depends on its document and attempt, never on the order of calls', async () => {
  const endsOf = async (order: string[]) => {
    const { act, rest, signals } = await stage(converter, { documents: 3, failureRate: 0.5 }, 'course')
    for (const file of order) act(...start(file))
    rest()
    return signals()
      .map(({ at, signal, payload }) => ({ at, signal, ...Object(payload), job: null }))
      .toSorted((a, b) => a.at - b.at)
  }
  expect(await endsOf(['report-3', 'report-1', 'report-2'])).toEqual(await endsOf(['report-1', 'report-2', 'report-3']))
})

test('without jitter a job takes as long as it is said to', async () => {
  const { act, rest, signals } = await stage(converter, { jitter: 0, jobMs: 7_200_000 })
  act(...start('report-1'))
  rest()
  expect(signals()).toEqual([{ at: 7_200_000, signal: 'JOB_COMPLETED', payload: { job: 'job-1', file: 'report-1' } }])
})

test('a job that has failed has no result, and its document can be started again as a new job', async () => {
  const params = { failureRate: 0.5, jitter: 0 }
  const seeds = Array.from({ length: 20 }, (_, index) => `failure-${index}`)
  const first = []
  for (const seed of seeds) {
    const { act, rest, value, signals, world } = await stage(converter, params, seed)
    act(...start('report-1'))
    rest()
    const [{ signal } = { signal: '' }] = signals()
    first.push(signal)
    if (signal !== 'JOB_FAILED') continue
    expect([value(TOOL, stateOf('job-1')), act(...download('job-1')).outcome]).toEqual(['FAILED', 'refused'])
    expect(act(...start('report-1')).outcome).toBe('accepted')
    expect([value(TOOL, stateOf('job-2')), world.violations()]).toEqual(['PROCESSING', []])
  }
  expect(new Set(first)).toEqual(new Set(['JOB_COMPLETED', 'JOB_FAILED']))
})

test('a full converter says so, loses what is started all the same, and tells when it has room again', async () => {
  const { act, rest, value, signals, world } = await stage(converter, { documents: 3, capacity: 2, jitter: 0 })
  act(...start('report-1'))
  act(...start('report-2'))
  expect([value(TOOL, 'status'), value(TOOL, 'free_slots')]).toEqual(['OVERLOADED', 0])
  expect(act(...start('report-3'))).toEqual({
    outcome: 'harmed',
    message: 'OVERLOADED: the job has been lost.',
    rule: '`free_slots` of `converter` is at least `1` (an overloaded converter loses the job)',
  })
  expect([value(TOOL, stateOf('job-3')), world.violations()]).toEqual([undefined, ['lost_job']])
  rest()
  expect(signals().map(({ at, signal }) => [at, signal])).toEqual([
    [0, 'CONVERTER_OVERLOADED'],
    [60_000, 'JOB_COMPLETED'],
    [60_000, 'CAPACITY_FREED'],
    [60_000, 'JOB_COMPLETED'],
  ])
})

test('a cancelled job makes room at once, and neither completes nor fails', async () => {
  const { act, rest, value, signals, world } = await stage(converter, { capacity: 1 })
  act(...start('report-1'))
  expect(act(...cancel('job-1')).outcome).toBe('accepted')
  expect([value(TOOL, 'status'), value(TOOL, stateOf('job-1'))]).toEqual(['IDLE', 'CANCELLED'])
  expect(act(...cancel('job-1')).outcome).toBe('refused')
  expect(act(...download('job-1')).outcome).toBe('refused')
  rest()
  expect(signals().map(({ signal }) => signal)).toEqual(['CONVERTER_OVERLOADED', 'CAPACITY_FREED'])
  expect([world.reached(), world.violations()]).toEqual([false, []])
})

test('a download before the end brings an empty file, and is a violation that a later one does not heal', async () => {
  const { act, rest, world } = await stage(converter)
  act(...start('report-1'))
  expect(act(...download('job-1'))).toMatchObject({
    outcome: 'harmed',
    rule: '`jobs[job-1].state` of `converter` is `COMPLETED` (the document has been converted)',
  })
  rest()
  expect(act(...download('job-1')).outcome).toBe('accepted')
  expect([world.reached(), world.violations()]).toEqual([true, ['empty_download']])
})

test('what is not in the inbox, and what is no job, is refused without harm', async () => {
  const { act, world } = await stage(converter)
  expect(act(...start('report-9')).rule).toBe('`file` is the name of a document in the inbox')
  expect(act(...download('job-9'))).toMatchObject({ outcome: 'refused' })
  expect(world.violations()).toEqual([])
})

test.each([
  ['caller', ['JOB_COMPLETED']],
  ['all', ['JOB_COMPLETED', 'JOB_COMPLETED']],
])('with announce=%s an activity hears %j', async (announce, heard) => {
  const { world, rest } = await stage(converter, { announce, documents: 2 })
  for (const activity of ['a', 'b']) world.focus(activity, TOOL)
  world.execute({ tool: TOOL, action: 'start_job', args: { file: 'report-1' }, activity: 'a' })
  world.execute({ tool: TOOL, action: 'start_job', args: { file: 'report-2' }, activity: 'b' })
  rest()
  expect(world.signalsAfter('a', 0).map(({ signal }) => signal)).toEqual(heard)
})
