import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../contract/index.js'
import type { Exposure, Limits, ModelAccess, ModelAnswer, ModelRequest } from '../contract/index.js'
import { countKey } from './chat.js'
import { createRandom } from '../sim/random.js'
import { openStage, said, usage, user } from '../testing/model-stage.js'
import type { Line } from '../testing/model-stage.js'

describe('a question', () => {
  it('is answered when the thought is over, and both are written down', async () => {
    const { lines, role, run, clock } = openStage()
    const answers: ModelAnswer[] = []
    role('agent', async (model) => void answers.push(await model.ask(user('May I?'))))
    expect(await run()).toEqual({ how: 'ended', failed: [] })
    expect(clock.now()).toBe(1_000)
    const { text, toolCalls, finish } = said
    expect(answers).toEqual([{ status: 'answered', text, toolCalls, finish, usage }])
    const who = { role: 'agent', activity: 'uuid-1' }
    expect(lines).toEqual([
      { kind: 'text', hash: expect.stringMatching(/^[0-9a-f]{16}$/), text: 'May I?', at: 0, ...who },
      {
        kind: 'request',
        call: 1,
        phase: 'turn',
        model: 'scripted',
        at: 0,
        ...who,
        messages: [{ role: 'user', hash: hashOf(lines, 'May I?') }],
        tools: null,
        schema: null,
      },
      {
        kind: 'answer',
        call: 1,
        status: 'answered',
        text,
        toolCalls,
        finish,
        usage,
        at: 1_000,
        ...who,
        thoughtMs: 1_000,
        retries: 2,
        costUsd: null,
        unparsed: ['a rule'],
      },
    ])
  })

  it('pools each text once per trial, whichever role says it, calls and tools and schema too', async () => {
    const { lines, role, run } = openStage()
    const call = { id: 'c1', type: 'function' as const, function: { name: 'sleep', arguments: '{}' } }
    const schema = { name: 'plan', schema: { type: 'object' } }
    const tool = {
      kind: 'sleep' as const,
      name: 'sleep',
      description: 'Waits.',
      parameters: { type: 'object' },
      actions: [],
    }
    const request: ModelRequest = {
      ...user('Go.'),
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: [call] },
      ],
      tools: [tool],
      schema,
    }
    for (const name of ['a', 'b']) {
      role(name, async (model) => {
        await model.ask(request)
        await model.ask(request)
      })
    }
    await run()
    const { kind: _, actions: __, ...shown } = tool
    expect(lines.flatMap((line) => (line.kind === 'text' ? [line.text] : []))).toEqual([
      'Go.',
      JSON.stringify({ content: null, tool_calls: [call] }),
      JSON.stringify([{ type: 'function', function: shown }]),
      JSON.stringify(schema),
    ])
    const named = lines.flatMap((line) =>
      line.kind === 'request' ? [[...line.messages.map(({ hash }) => hash), line.tools, line.schema]] : [],
    )
    expect(named).toHaveLength(4)
    expect(new Set(named.map(String)).size).toBe(1)
    expect(named[0]).toEqual(lines.flatMap((line) => (line.kind === 'text' ? [line.hash] : [])))
  })

  it('carries one seed per role, the same in every call and for every agent of the scenario', async () => {
    const { asked, role, run } = openStage()
    for (const name of ['a', 'b']) {
      role(name, async (model) => {
        await model.ask(user('one'))
        await model.ask(user('two'))
      })
    }
    await run()
    const [a, b] = ['a', 'b'].map((name) => createRandom('scenario').seed('model', name))
    expect(asked.map(({ seed }) => seed)).toEqual([a, b, a, b])
    expect(a).not.toBe(b)
  })

  it('thinks as long whatever the other roles ask', async () => {
    const alone = await thoughts(0)
    expect(alone).toHaveLength(2)
    expect(new Set(alone).size).toBe(2)
    expect(await thoughts(3)).toEqual(alone)
  })

  it('lands in the order of the questions when two roles ask at one instant, however late the first is answered', async () => {
    const { lines, role, run } = openStage({
      chat: async ({ messages }) => {
        if (messages[0]?.content === 'slow') await new Promise((resolve) => setImmediate(resolve))
        return { ...said, text: messages[0]?.content ?? null }
      },
    })
    role('a', async (model) => void (await model.ask(user('slow'))))
    role('b', async (model) => void (await model.ask(user('quick'))))
    await run()
    expect(
      lines.flatMap((line) => (line.kind === 'answer' ? [[line.call, line.role, line.text, line.at]] : [])),
    ).toEqual([
      [1, 'a', 'slow', 1_000],
      [2, 'b', 'quick', 1_000],
    ])
  })

  it('fails as the model failed, and the failure is the process’s', async () => {
    const lost = new InfrastructureError('gone')
    const { role, run, kinds } = openStage({ chat: () => Promise.reject(lost) })
    role('agent', async (model) => void (await model.ask(user('May I?'))))
    expect((await run()).failed).toEqual([{ process: 'agent', error: lost }])
    expect(kinds()).toEqual(['text', 'request'])
  })
})

describe('an interrupted thought', () => {
  it('ends at the ring, and is charged its prompt and what had been said', async () => {
    const { clock, lines, role, run } = openStage({ limits: { tokens: 110 } })
    const bell = clock.bell()
    clock.after(250, () => bell.ring())
    const answers: ModelAnswer[] = []
    role('agent', async (model) => {
      answers.push(await model.ask({ ...user('May I?'), interrupt: bell }))
      await model.ask(user('And now?'))
    })
    await run()
    const partial = { ...usage, completionTokens: 10 }
    expect(answers).toEqual([{ status: 'interrupted', usage: partial }])
    expect(lines.slice(2)).toEqual([
      {
        kind: 'answer',
        call: 1,
        status: 'interrupted',
        text: null,
        toolCalls: [],
        finish: 'interrupted',
        usage: partial,
        thoughtMs: 250,
        retries: 2,
        costUsd: null,
        unparsed: ['a rule'],
        at: 250,
        role: 'agent',
        activity: 'uuid-1',
      },
      { kind: 'limit', limit: 'tokens', value: 110, at: 250, role: 'agent', activity: null },
    ])
  })
})

describe('a budget', () => {
  it('of calls is shared by the roles, and ends the trial without an answer', async () => {
    expect(await untilSpent({ modelCalls: 3 })).toEqual({ answered: 2, limits: [['modelCalls', 3, 1_000]] })
  })

  it('of tokens counts prompt and completion of calls that have landed', async () => {
    expect(await untilSpent({ tokens: 281 })).toEqual({ answered: 3, limits: [['tokens', 420, 2_000]] })
  })

  it('of cost holds where the price is known', async () => {
    const perCall = (100 * 2.5 + 40 * 10) / 1e6
    expect(await untilSpent({ costUsd: perCall }, 'gpt-4o')).toEqual({
      answered: 1,
      limits: [['costUsd', perCall, 1_000]],
    })
  })

  it('of cost does not hold where no price is known', async () => {
    expect((await untilSpent({ costUsd: 1e-9, modelCalls: 10 })).limits).toEqual([['modelCalls', 10, 5_000]])
  })
})

it('a thousand questions at one instant are allowed, and one more is an error of the agent', async () => {
  const { role, run, asked } = openStage({ thinking: 'zero', limits: { modelCalls: 5_000 } })
  role('agent', async (model, self) => {
    for (let i = 0; i < 1_000; i += 1) await model.ask(user('again'))
    await self.sleep(1)
    for (;;) await model.ask(user('again'))
  })
  const { failed } = await run()
  expect(failed.map(({ error }) => String(error))).toEqual([
    'Error: agent asked its model 1000 times at 1 ms: time does not move.',
  ])
  expect(asked).toHaveLength(2_000)
})

it('a question after the end of the trial is neither asked, nor answered, nor written down', async () => {
  const { clock, role, run, asked, lines } = openStage()
  const models: ModelAccess[] = []
  let answered = false
  role('agent', async (model, self) => {
    models.push(model)
    await self.sleep(5)
  })
  await run()
  expect([clock.over, models.length]).toEqual([true, 1])
  for (const model of models) void model.ask(user('late')).then(() => (answered = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect([answered, asked, lines]).toEqual([false, [], []])
})

async function thoughts(others: number): Promise<number[]> {
  const { lines, role, run } = openStage({ thinking: 'tokens' })
  for (let i = 0; i < others; i += 1) role(`other-${i}`, async (model) => void (await model.ask(user('hm'))))
  role('agent', async (model) => {
    await model.ask(user('one'))
    await model.ask(user('two'))
  })
  await run()
  return lines.flatMap((line) => (line.kind === 'answer' && line.role === 'agent' ? [line.thoughtMs] : []))
}

async function untilSpent(limits: Partial<Limits>, model = 'scripted') {
  const { lines, role, run } = openStage({ limits, name: model })
  let answered = 0
  for (const name of ['a', 'b']) {
    role(name, async (access) => {
      for (;;) {
        await access.ask(user('again'))
        answered += 1
      }
    })
  }
  expect(await run()).toEqual({ how: 'stopped', failed: [] })
  return {
    answered,
    limits: lines.flatMap((line) => (line.kind === 'limit' ? [[line.limit, line.value, line.at]] : [])),
  }
}

function hashOf(lines: Line[], text: string): string | undefined {
  return lines.flatMap((line) => (line.kind === 'text' && line.text === text ? [line.hash] : []))[0]
}

describe('a simulated reader', () => {
  const exposure: Exposure = {
    trait: 'patience',
    subject: 'a pump',
    d: 0,
    k: 0,
    kind: 'commit',
    q: 0.1,
    v: 1,
    erred: false,
  }
  const exposed = (erred: boolean) => ({ ...said, exposures: [{ ...exposure, erred }] })

  it('is told what its role has come across in answers that landed, malformed or cut short as well, and nobody else is', async () => {
    const { lines, role, run, clock, asked } = openStage({
      name: 'sim:typical',
      chat: () => Promise.resolve(exposed(asked.length === 2)),
    })
    role('one', async (model, self) => {
      await model.ask(user('First?'))
      const bell = clock.bell()
      clock.after(500, () => bell.ring())
      await model.ask({ ...user('Second?'), interrupt: bell })
      await self.sleep(1)
      await model.ask(user('Third?'))
    })
    await run()
    const key = countKey(exposure)
    expect(asked.map(({ reader }) => reader?.counts)).toEqual([{}, { [key]: [1, 0] }, { [key]: [2, 1] }])
    const pooled = lines.filter((line) => line.kind === 'text' && line.text === 'a pump')
    expect(pooled).toHaveLength(1)
    const answers = lines.flatMap((line) => (line.kind === 'answer' ? [line] : []))
    expect(answers.map(({ status }) => status)).toEqual(['answered', 'interrupted', 'answered'])
    expect(answers[0]?.exposures).toEqual([{ ...exposure, subject: hashOf(lines, 'a pump') }])
  })

  it('has counts of its own in each role', async () => {
    const { role, run, asked } = openStage({ name: 'sim:typical', chat: () => Promise.resolve(exposed(true)) })
    for (const name of ['one', 'two']) role(name, async (model) => void (await model.ask(user(`${name}?`))))
    role('late', async (model, self) => {
      await self.sleep(5_000)
      await model.ask(user('And me?'))
    })
    await run()
    expect(asked.map(({ reader }) => reader?.counts)).toEqual([{}, {}, {}])
  })

  it('is the only model that is told', async () => {
    const { role, run, asked } = openStage({ name: 'gpt-4o-mini' })
    role('one', async (model) => void (await model.ask(user('May I?'))))
    await run()
    expect(asked.map((request) => Object.keys(request))).toEqual([['messages', 'tools', 'schema', 'seed']])
  })
})
