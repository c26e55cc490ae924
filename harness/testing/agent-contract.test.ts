import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../contract/index.js'
import type { Context, JsonObject } from '../contract/index.js'
import { MISBEHAVIOURS, SEVERAL, spoilt } from './agent/bad-models.js'
import { errorsOf, foreignTo, spoiltFaults } from './agent/faults.js'
import { playTrial, sane } from './agent/play.js'

type Run = (context: Context<'poll', Record<string, never>>) => Promise<void>
const agentThat = (run: Run) =>
  defineAgent({
    name: 'bad',
    version: '1',
    summary: 'Breaks the contract.',
    surface: 'poll',
    usesModel: true,
    params: z.strictObject({}),
    run,
  })

/** Asks once and calls whatever it was told to. */
const gullible: Run = async (context) => {
  const door = await context.open('goal')
  const messages = [{ role: 'user' as const, content: context.role.goal }]
  const answer = await context.model.ask({ phase: 'turn', activity: door.uuid, messages, tools: door.tools() })
  if (answer.status === 'interrupted') return
  for (const call of answer.toolCalls) {
    const args: JsonObject = JSON.parse(call.arguments)
    await door.call(call.name, args)
  }
  context.claim(door.uuid, 'achieved', 'Done.')
}

/** Asks the same for ever, and never says what was wrong. */
const tireless: Run = async (context) => {
  const door = await context.open('goal')
  for (;;) await context.model.ask({ phase: 'turn', activity: door.uuid, messages: [], tools: door.tools() })
}

const faultsOf = async (run: Run, misbehaviour: string) => {
  const misbehave = MISBEHAVIOURS[misbehaviour]
  if (misbehave === undefined) throw new Error(`No misbehaviour is called "${misbehaviour}".`)
  return spoiltFaults(await playTrial({ agent: agentThat(run), params: {}, chat: spoilt(sane(), 0, misbehave) }), 0)
}

test('An agent that carries out two calls of one answer, and tells nobody, is found out.', async () => {
  expect(await faultsOf(gullible, SEVERAL)).toEqual([
    'Of 1 bad answers it tells 0.',
    'After the first bad answer it calls kiln.fire.',
    'After the first bad answer it calls kiln.fire.',
  ])
})

test('An agent that carries out what was cut short is found out.', async () => {
  expect(await faultsOf(gullible, 'an answer that is cut')).toContain('After the first bad answer it calls kiln.fire.')
})

test('An agent that crashes over malformed JSON is found out.', async () => {
  const faults = await faultsOf(gullible, 'malformed JSON')
  expect(faults).toContain('It does not end by itself, but by failed.')
  expect(faults[0]).toMatch(/JSON/)
})

test('An agent that asks again for ever is found out.', async () => {
  expect(await faultsOf(tireless, 'an empty answer')).toEqual([
    'It does not end by itself, but by out_of_budget.',
    'Of 200 bad answers it tells 0.',
    'It asks 200 times for something better.',
  ])
})

test('Verbs that a surface does not have are found in the trace.', async () => {
  const sleeper: Run = async (context) => {
    const door = await context.open('goal')
    await door.call('sleep', { ms: 5 })
    context.claim(door.uuid, 'gave_up', 'Tired.')
  }
  const trace = await playTrial({ agent: agentThat(sleeper), params: {} })
  expect(errorsOf(trace)).toEqual([])
  expect(foreignTo('poll', trace)).toEqual([])
  expect(foreignTo('act', trace).map(({ kind }) => kind)).toEqual(['sleep'])
})
