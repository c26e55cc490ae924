import { expect, it } from 'vitest'
import { intentIn, manual } from '../fixtures/situation.js'
import type { Situation } from '../fixtures/situation.js'

const PUSH = 'discover, read, observe, operate, wait, claim'
const mill = manual({
  tool: 'mill',
  properties: [
    '`jobs[<job>].state` | String | `PROCESSING`, `COMPLETED`, `FAILED`, `DOWNLOADED` | What became of a job.',
    '`jobs[<job>].file` | String | any | Its file.',
  ],
  operations: [
    'start | **Latent.** Completion is indicated by the `mill.done` or `mill.failed` signal. | None. | `jobs[<job>].state` becomes `PROCESSING`; `jobs[<job>].file` becomes `<file>`. On `mill.done`: `jobs[<job>].state` becomes `COMPLETED`. On `mill.failed`: `jobs[<job>].state` becomes `FAILED`. | {"action":"start","file":"<file: String>"}',
    'fetch | **Immediate.** | `jobs[<job>].state` of `mill` is `COMPLETED` (converted). | `jobs[<job>].state` becomes `DOWNLOADED`. | {"action":"fetch","job":"<job: String>"}',
  ],
  signals: [
    'mill.done | A job is done (`jobs[<job>].state` of `mill` is `COMPLETED`).',
    'mill.failed | A job has failed (`jobs[<job>].state` of `mill` is `FAILED`).',
  ],
})
const goal = (file: string) => `Have "${file}" converted, so that the state of its job is DOWNLOADED.`
const situation: Situation = {
  goal: goal('report-3'),
  documents: { mill },
  catalogue: [{ id: 'mill', summary: 'Jobs.', covers: ['mill'] }],
  verbs: PUSH,
}
const next = (history: NonNullable<Situation['history']>, more: Partial<Situation> = {}) =>
  intentIn({ ...situation, history, ...more })

const started = (file: string, job: string, at: number) => ({
  tool: 'mill',
  action: 'start',
  accepted: true,
  operationId: `op-${at}`,
  at,
  about: { file, job },
  message: 'Started.',
})
const ended = (signal: string, job: string, { at, operationId }: { at: number; operationId: string | null }) => ({
  signal,
  tool: 'mill',
  payload: { job },
  seq: at,
  at,
  operationId,
})
const seen = (jobs: Record<string, [file: string, state: string]>, at: number) => ({
  observed: [
    {
      tool: 'mill',
      properties: Object.fromEntries(
        Object.entries(jobs).flatMap(([job, [file, state]]) => [
          [`jobs[${job}].state`, { value: state, at }],
          [`jobs[${job}].file`, { value: file, at }],
        ]),
      ),
    },
  ],
  at,
})
const ANY_END = { signals: ['mill.done', 'mill.failed'], timeoutMs: 300_000 }
const start = (file: string) => ({
  do: 'operate',
  tool: 'mill',
  action: 'start',
  args: { file },
  wait: { ...ANY_END, when: null },
})
const fetch = (job: string) => ({ do: 'operate', tool: 'mill', action: 'fetch', args: { job }, wait: null })
const waitFor = (job: string) => ({
  do: 'wait',
  ...ANY_END,
  when: { tool: 'mill', property: `jobs[${job}].state`, op: 'is', value: 'COMPLETED' },
})

it('begins a job for the quoted file; a condition cannot name what does not exist yet', () => {
  expect(next([])).toEqual(start('report-3'))
})

it('waits for the job that its own call brought, whatever others are there', () => {
  const others = seen({ 'job-1': ['report-2', 'COMPLETED'], 'job-2': ['report-31', 'COMPLETED'] }, 5)
  expect(next([others])).toEqual(start('report-3'))
  expect(next([others, started('report-3', 'job-7', 10)])).toEqual(waitFor('job-7'))
})

it('takes the end of a job for that of the call which began it, and for no other', () => {
  const both = [started('report-2', 'job-1', 10), started('report-3', 'job-2', 20)]
  expect(next([...both, ended('mill.done', 'job-1', { at: 30, operationId: 'op-10' })])).toEqual(waitFor('job-2'))
  expect(next([...both, ended('mill.done', 'job-2', { at: 30, operationId: 'op-20' })])).toEqual(fetch('job-2'))
  expect(next([...both, ended('mill.failed', 'job-2', { at: 30, operationId: 'op-20' })])).toEqual(start('report-3'))
})

it('knows its job by the file where the call is forgotten, and the end by the payload', () => {
  const running = seen({ 'job-1': ['report-2', 'PROCESSING'], 'job-2': ['report-3', 'PROCESSING'] }, 5)
  expect(next([running])).toEqual(waitFor('job-2'))
  expect(next([running, ended('mill.done', 'job-1', { at: 9, operationId: null })])).toEqual(waitFor('job-2'))
  expect(next([running, ended('mill.done', 'job-2', { at: 9, operationId: 'op-4' })])).toEqual(fetch('job-2'))
})

it('goes on with the latest job of a file that was begun again', () => {
  const again = seen({ 'job-1': ['report-3', 'FAILED'], 'job-2': ['report-3', 'COMPLETED'] }, 5)
  expect(next([again])).toEqual(fetch('job-2'))
  expect(next([seen({ 'job-1': ['report-3', 'FAILED'] }, 5)])).toEqual(start('report-3'))
})

it('claims when its own job is as the goal demands, and not for that of another file', () => {
  expect(next([seen({ 'job-1': ['report-2', 'DOWNLOADED'] }, 5)])).toEqual(start('report-3'))
  expect(next([seen({ 'job-1': ['report-3', 'DOWNLOADED'] }, 5)])).toEqual({ do: 'claim', achieved: true })
})

it('takes the job that the goal quotes itself', () => {
  const both = seen({ 'job-1': ['report-2', 'COMPLETED'], 'job-2': ['report-3', 'COMPLETED'] }, 5)
  expect(next([both], { goal: 'See to it that the state of the job "job-1" is DOWNLOADED.' })).toEqual(fetch('job-1'))
})

it('reads a refusal as one of the job that it names', () => {
  const rule = '`jobs[job-1].state` of `mill` is `COMPLETED`'
  const refused = {
    ...started('report-2', 'job-1', 30),
    action: 'fetch',
    accepted: false,
    about: { job: 'job-1' },
    rule,
  }
  const history = [started('report-3', 'job-2', 10), ended('mill.done', 'job-2', { at: 20, operationId: 'op-10' })]
  expect(next([...history, refused])).toEqual(fetch('job-2'))
})

const several = { goal: `1. ${goal('report-1')}\n2. ${goal('report-2')}` }

it('works on the next goal while one can only wait, then waits for all their signals at once', () => {
  const first = { ...start('report-1'), wait: null }
  expect(next([], several)).toEqual(first)
  const one = started('report-1', 'job-1', 10)
  expect(next([one], several)).toEqual(start('report-2'))
  const two = [one, started('report-2', 'job-2', 20)]
  expect(next(two, several)).toEqual({ do: 'wait', ...ANY_END, when: null })
  const done = [...two, ended('mill.done', 'job-2', { at: 30, operationId: 'op-20' })]
  expect(next(done, several)).toEqual(fetch('job-2'))
})

it('claims numbered goals only when all of them hold', () => {
  const one = seen({ 'job-1': ['report-1', 'DOWNLOADED'], 'job-2': ['report-2', 'PROCESSING'] }, 5)
  expect(next([one], several)).toEqual(waitFor('job-2'))
  const both = seen({ 'job-1': ['report-1', 'DOWNLOADED'], 'job-2': ['report-2', 'DOWNLOADED'] }, 5)
  expect(next([both], several)).toEqual({ do: 'claim', achieved: true })
})

it('looks and pauses once for all goals where it polls', () => {
  const verbs = 'discover, read, observe, operate, sleep, claim'
  const two = [started('report-1', 'job-1', 10), started('report-2', 'job-2', 20)]
  expect(next(two, { ...several, verbs })).toEqual({ do: 'sleep', ms: 2_000 })
  expect(next([...two, { slept: 2_000, at: 2_020 }], { ...several, verbs })).toEqual({ do: 'observe', tools: ['mill'] })
})

it('takes one numbered line for one goal', () => {
  expect(next([], { goal: `1. ${goal('report-3')}` })).toEqual(start('report-3'))
})
