import { describe, expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { TraceRecord } from '../contract/index.js'
import { lines, readVerbs } from '../kit/index.js'
import type { ChatModel, ChatRequest } from '../model/chat.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { recordsOf } from '../trace/records.js'
import { runTrial } from '../trial/trial.js'
import suite from './factorial.suite.js'

const cells = await Promise.all(
  Object.entries(suite.factors ?? {}).map(async ([name, levels]) => {
    const { loop, surface } = levels
    return { name, loop, surface, agent: await loadAgent(name) }
  }),
)
const phased = cells.filter(({ agent }) => agent.params.safeParse({ maxSetbacks: 3 }).success)
const single = cells.filter((cell) => !phased.includes(cell))

interface Played {
  trace: TraceRecord[]
  /** What was asked, but for reflections: the goal is settled before them. */
  prompts: { text: string; request: ChatRequest }[]
}

const played = new Map<string, Promise<Played>>()

/** One scenario of a case of the suite, and all that its agent asked a model. */
function play(name: string, world: string, model = 'sim:careful'): Promise<Played> {
  const key = [name, world, model].join()
  const known = played.get(key) ?? playAnew(name, world, model)
  played.set(key, known)
  return known
}

async function playAnew(name: string, world: string, model: string): Promise<Played> {
  const [agent, environment] = await Promise.all([loadAgent(name), loadEnvironment(world)])
  const environments = suite.environments.filter((use) => (typeof use === 'string' ? use : use.use) === world)
  const one = suiteSchema.parse({
    ...suite,
    factors: undefined,
    scenarios: 1,
    agents: [name],
    environments,
    models: [model],
  })
  const [identity] = planSuite(one, {
    agents: new Map([[name, agent]]),
    environments: new Map([[world, environment]]),
  }).trials
  if (identity === undefined) throw new Error('The plan is empty.')
  const chat = openModel(model, { env: {} })
  const requests: ChatRequest[] = []
  const listening: ChatModel = {
    name: chat.name,
    complete(request, ...more) {
      requests.push(request)
      return chat.complete(request, ...more)
    },
  }
  const trace = await runTrial(identity, {
    environment,
    agent,
    chat: listening,
    thinking: parseThinking(identity.thinking),
  })
  const phases = recordsOf(trace, 'request').map(({ phase }) => phase)
  const prompts = requests.flatMap((request, index) => {
    const text = request.messages.map(({ content }) => content ?? '').join('\n')
    return phases[index] === 'completed' ? [] : [{ text, request }]
  })
  return { trace, prompts }
}

const toolsIn = ({ prompts }: Played) => prompts.flatMap(({ request }) => request.tools ?? [])
/** As they are offered, each once; `decline` is no tool of the world, but how an ACTION says that it cannot. */
const offered = (trial: Played): string[] =>
  [...new Set(toolsIn(trial).map((tool) => JSON.stringify(tool)))].filter((tool) => !tool.includes('"name":"decline"'))

test('The cells are every loop with every surface, once.', () => {
  expect(single.map(({ loop, surface }) => [loop, surface])).toEqual(
    ['polling', 'await', 'push'].map((surface) => ['single', surface]),
  )
  expect(phased.map(({ loop, surface }) => [loop, surface])).toEqual(
    ['polling', 'await', 'push'].map((surface) => ['phased', surface]),
  )
  for (const one of single) {
    const other = phased.find(({ surface }) => surface === one.surface)
    expect(other?.agent.surface).toBe(one.agent.surface)
  }
})

test('Whatever parameters two cells have in common have the same default.', () => {
  const defaults = cells.map(({ agent }): Record<string, unknown> => agent.params.parse({}))
  const names = new Set(defaults.flatMap((params) => Object.keys(params)))
  const values = Object.fromEntries(
    [...names].map((name) => [
      name,
      new Set(defaults.flatMap((params) => (name in params ? [JSON.stringify(params[name])] : []))),
    ]),
  )
  expect(Object.entries(values).filter(([, all]) => all.size > 1)).toEqual([])
  for (const params of defaults) expect(params).toMatchObject({ malformed: 3, documents: 'onDemand', window: null })
})

describe.each(['water-hammer', 'converter'])('in %s', (world) => {
  test('the loops offer the same tools on the same surface, and the surfaces differ in their own verbs alone', async () => {
    const worldTools: string[] = []
    for (const one of single) {
      const other = phased.find(({ surface }) => surface === one.surface)
      const tools = offered(await play(one.name, world))
      expect(offered(await play(other?.name ?? '', world))).toEqual(tools)
      worldTools.push(tools.filter((tool) => /"kind":"(?:operation|catalogue|document)"/.test(tool)).join('\n'))
    }
    expect(new Set(worldTools).size).toBe(1)
  })

  test.each(phased.map(({ name }) => name))('%s names in its repertoire what its ACTION may call', async (name) => {
    const trial = await play(name, world)
    const tools = toolsIn(trial)
    const own = tools.filter(({ kind }) => !['operation', 'catalogue', 'document'].includes(kind))
    const expected = new Set(own.map(lines.callLine))
    const [first, ...others] = trial.prompts.map(({ text }) =>
      text.split('\n').filter((line) => line.startsWith('{"call":') || line.startsWith('Verbs:')),
    )
    for (const repertoire of others) expect(repertoire).toEqual(first)
    const [verbs = '', ...calls] = first ?? []
    expect(new Set(calls)).toEqual(expected)
    // To observe and to decline are phases' own; the verbs of a single loop are the tools that it is offered.
    const bySurface = new Set(own.map(({ kind }) => kind).filter((kind) => kind !== 'poll' && kind !== 'unfocus'))
    const shared = ['discover', 'read', 'observe', 'operate', 'claim', 'decline']
    expect(new Set(readVerbs(verbs))).toEqual(new Set([...shared, ...bySurface]))
  })

  test.each(cells.map(({ name }) => name))('%s solves it with a careful reader', async (name) => {
    const { trace } = await play(name, world)
    expect(recordsOf(trace, 'verdict')).toMatchObject([{ outcome: 'solved', violations: [] }])
  })

  test.each(cells.map(({ name }) => name))(
    '%s shows the goal, and all that it has read, in every prompt',
    async (name) => {
      const { trace, prompts } = await play(name, world)
      const goals = recordsOf(trace, 'trial').flatMap(({ roles }) => roles.map(({ goal }) => goal))
      const stated = recordsOf(trace, 'goal').map(({ text }) => text)
      const known = stated.length > 0 ? stated : goals
      expect(prompts.filter(({ text }) => !known.some((goal) => text.includes(goal)))).toEqual([])
      const fences = prompts.map(({ text }) => text.match(/<document id=[\s\S]*?\n<\/document>/g) ?? [])
      for (const [index, shown] of fences.entries())
        expect(shown).toEqual(expect.arrayContaining(fences[index - 1] ?? []))
      expect(fences.at(-1)?.length).toBeGreaterThan(0)
      // Nothing is read twice, not even for another goal.
      const read = recordsOf(trace, 'read').map(({ what, document }) => `${what} ${document}`)
      expect(read).toEqual([...new Set(read)])
    },
  )

  test.each(cells.map(({ name }) => name))('%s forgets nothing of what it did', async (name) => {
    const { trace, prompts } = await play(name, world)
    const [claim] = recordsOf(trace, 'claim')
    const of = ({ activity }: TraceRecord): boolean => activity === claim?.activity
    const first = recordsOf(trace, 'acknowledgement').filter(of)
    const asked = recordsOf(trace, 'request').filter(({ phase }) => phase !== 'completed')
    const last = prompts[asked.findLastIndex(of)]?.text ?? ''
    for (const { op } of first) expect(last).toContain(`"operationId":"${op}"`)
    expect(first.length).toBeGreaterThan(0)
  })

  test.each(cells.map(({ name }) => name))(
    '%s lets no wait go with an operation, and no guard divert it',
    async (name) => {
      const { trace } = await play(name, world)
      // Between an operation and a wait the model was asked.
      const steps = trace.flatMap(({ kind }) => (['operation', 'request', 'suspend'].includes(kind) ? kind : []))
      expect(steps.join(' ')).not.toContain('operation suspend')
      const own = recordsOf(trace, 'note').map((note) => note.name)
      expect(own.filter((note) => ['guard', 'mount', 'unmount', 'mismatch', 'recall'].includes(note))).toEqual([])
      expect(recordsOf(trace, 'recheck')).toEqual([])
    },
  )

  test.each(cells.map(({ name }) => name))('%s may operate what it has not read about', async (name) => {
    const { trace, prompts } = await play(name, world, 'sim:careful?diligence=0')
    const asked = recordsOf(trace, 'request').filter(({ phase }) => phase !== 'completed')
    const operation = trace.find(({ kind }) => kind === 'operation' || kind === 'invalid')
    const tool = operation !== undefined && 'tool' in operation ? operation.tool : ''
    const before = prompts[asked.findLastIndex(({ n }) => n < (operation?.n ?? 0))]?.text
    expect(before).toMatch(/./)
    expect(before).not.toContain(`**Tool ID:** \`${tool}\``)
  })
})
