import { expect, test } from 'vitest'
import { defineEnvironment, z } from '../../harness/contract/index.js'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }
const work = [
  reason('ACT', waitFor(['kiln.done'])),
  act('kiln', fire),
  ...cycle('kiln', { action: 'open_door' }),
  ...finish.slice(0, 1),
]
const reflect = {
  phase: 'completed',
  says: { summary: 'Fired.', outcome: 'Well.', lessons: ['Wait for it.'], procedure: ['fire', 'wait', 'open'] },
}
const first = () =>
  playAgent({ agent: sora, environment: kiln, params: { memory: 'run' }, script: [...situate, ...work, reflect] })
const mounting = [
  observe(),
  reason('SETUP'),
  setup({ mount: ['kiln_manual', 'siren_manual'], focus: ['kiln', 'siren'] }),
]
const promptOf = (play: Awaited<ReturnType<typeof first>>, index: number) =>
  play.prompts[index]?.messages[1]?.content ?? ''

test('What one trial read and learnt, the next begins with: it only mounts, nine calls earlier.', async () => {
  const { kept, prompts } = await first()
  const next = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'run' },
    remembered: kept,
    script: [...mounting, ...work, reflect],
  })
  expect([next.reached, prompts.length - next.prompts.length]).toEqual([true, 9])
  expect(story(next.records, 'read', 'recall')).toEqual([
    { at: 0, kind: 'recall', documents: ['kiln_manual', 'siren_manual'], stale: [], experiences: 1 },
  ])
  const memories =
    '## MEMORIES\n{"experience":{"goal":"Fire the pot, then open the kiln.","outcome":"achieved","summary":"Fired.",' +
    '"lessons":["Wait for it."],"procedure":["fire","wait","open"],"needed":["kiln_manual","siren_manual"],"idle":[]}}\n'
  expect(
    next.prompts.map(({ phase, messages }) => [phase, messages[1]?.content?.includes(memories)]).slice(0, 4),
  ).toEqual([
    ['observation', true],
    ['reasoning', true],
    ['setup', false],
    ['reasoning', true],
  ])
})

test('What the same trial teaches again is kept once.', async () => {
  const play = (
    remembered: Awaited<ReturnType<typeof first>>['kept'],
    script: Parameters<typeof playAgent>[0]['script'],
  ) => playAgent({ agent: sora, environment: kiln, params: { memory: 'run' }, remembered, script })
  const { kept } = await first()
  const again = await play(kept, [...mounting, ...work, reflect])
  expect(again.kept).toEqual(kept)
})

test('The runtime says which documents a goal took: those of tools in use were needed, one of a tool that is not there was read for nothing.', async () => {
  const canteen = defineEnvironment({
    ...kiln,
    setup(kit) {
      kit.document('menu', { kind: 'plain', title: 'Menu', summary: 'Dishes.', covers: ['canteen'], text: 'Soup.' })
      return kiln.setup(kit)
    },
  })
  const { kept } = await playAgent({
    agent: sora,
    environment: canteen,
    params: { memory: 'run' },
    script: [
      ...cycle('system_discovery'),
      ...cycle('manual_retrieval', { document: 'menu' }),
      ...situate.slice(3),
      ...work,
      reflect,
    ],
  })
  expect(kept).toMatchObject({ experiences: [{ needed: ['kiln_manual', 'siren_manual'], idle: ['menu'] }] })
})

test('A memory of the trial neither recalls nor shows experiences, unless their number is stated.', async () => {
  const { kept } = await first()
  const next = await playAgent({ agent: sora, environment: kiln, remembered: kept, script: finish })
  expect([story(next.records, 'recall'), next.kept, promptOf(next, 0).includes('MEMORIES')]).toEqual([[], null, false])
})

test('A document that has changed since is stale: it is forgotten, told, and must be read again.', async () => {
  const { kept } = await first()
  const changed = defineEnvironment({
    ...kiln,
    setup: (kit) =>
      kiln.setup({
        ...kit,
        document: (id, declaration) =>
          kit.document(
            id,
            id === 'kiln_manual' && declaration.kind === 'manual'
              ? { ...declaration, protocol: ['Open it with gloves.'] }
              : declaration,
          ),
      }),
  })
  const next = await playAgent({
    agent: sora,
    environment: changed,
    params: { memory: 'run' },
    remembered: kept,
    script: [
      observe(),
      reason('SETUP'),
      setup({ mount: ['kiln_manual'] }),
      setup({ mount: ['siren_manual'] }),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(story(next.records, 'recall', 'malformed')).toMatchObject([
    { documents: ['siren_manual'], stale: ['kiln_manual'] },
    { what: 'unread_document' },
  ])
  expect(promptOf(next, 1)).toContain('{"document":"kiln_manual"')
})

test('A memory of other documents than the world lists is no catalogue of it.', async () => {
  const { kept } = await first()
  const bare = z.json().parse(JSON.parse(JSON.stringify(kept).replaceAll('siren_manual', 'whistle_manual')))
  const next = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'run' },
    remembered: bare,
    script: finish,
  })
  expect(story(next.records, 'recall')).toMatchObject([{ documents: ['kiln_manual'], stale: ['whistle_manual'] }])
  expect(promptOf(next, 0)).toContain('Nothing is discovered yet.')
})

test('What cannot be read as a memory is none.', async () => {
  const next = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'run' },
    remembered: { knowledge: 'all of it' },
    script: finish,
  })
  expect(promptOf(next, 0)).toContain('Nothing is discovered yet.')
})

test('A failure is remembered as well, with its reason, also where no reflection came of it.', async () => {
  const blocked = [reason('ACT'), act('kiln', fire)]
  const { kept } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'persistent' },
    script: [observe(), ...blocked, ...blocked, ...blocked, ...blocked],
  })
  expect(kept).toMatchObject({
    experiences: [
      {
        goal: 'Fire the pot, then open the kiln.',
        outcome: 'gave_up',
        summary: '4 steps in a row led nowhere: No mounted document covers kiln.',
        lessons: [],
        procedure: [],
      },
    ],
  })
})

test('Experiences are chosen by likeness of goals, by a threshold and a number, and shown in REASONING alone where asked.', async () => {
  const experience = (goal: string, summary: string) => ({
    goal,
    outcome: 'achieved',
    summary,
    lessons: [],
    procedure: [],
  })
  const remembered = {
    knowledge: { catalogue: null, documents: [] },
    experiences: [
      experience('Fire the pot.', 'one'),
      experience('Feed the cat.', 'two'),
      experience('Fire the pot, then open the kiln.', 'three'),
      experience('Water plants.', 'four'),
    ],
  }
  const play = (params: object) =>
    playAgent({
      agent: sora,
      environment: kiln,
      params: { memory: 'run', ...params },
      remembered,
      script: [observe(), reason('OBSERVE'), ...finish],
    })
  const shown = (text: string) => [...text.matchAll(/"summary":"(\w+)"/g)].map(([, summary]) => summary)
  const [all, one, strict, late] = [
    await play({}),
    await play({ experiences: 1 }),
    await play({ similarity: 0.99 }),
    await play({ experiencesIn: 'reasoning' }),
  ]
  expect([all, one, strict, late].map((each) => [shown(promptOf(each, 0)), shown(promptOf(each, 1))])).toEqual([
    [
      ['three', 'one'],
      ['three', 'one'],
    ],
    [['three'], ['three']],
    [['three'], ['three']],
    [[], ['three', 'one']],
  ])
})

test('Where a model for embeddings is named, its vectors say which goals are alike: also without a common word.', async () => {
  const experience = (goal: string) => ({ goal, outcome: 'achieved', summary: goal, lessons: [], procedure: [] })
  const remembered = {
    knowledge: { catalogue: null, documents: [] },
    experiences: [experience('Bake the clay.'), experience('Fire the pot.'), experience('Feed the cat.')],
  }
  const vectors = new Map([
    ['Fire the pot, then open the kiln.', [1, 0.1]],
    ['Bake the clay.', [1, 0]],
    ['Fire the pot.', [0, 1]],
    ['Feed the cat.', [-1, 0]],
  ])
  const asked: string[] = []
  const next = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'run', embeddings: 'some-model' },
    remembered,
    embed(text) {
      asked.push(text)
      return vectors.get(text) ?? []
    },
    script: finish,
  })
  const shown = [...promptOf(next, 0).matchAll(/"summary":"([^"]+)"/g)].map(([, summary]) => summary)
  expect([shown, asked.toSorted()]).toEqual([['Bake the clay.'], [...vectors.keys()].toSorted()])
})

test('Without experiences nothing is embedded.', async () => {
  const embed = () => {
    throw new Error('It asks for vectors.')
  }
  const params = { memory: 'run', embeddings: 'some-model' } as const
  const next = await playAgent({ agent: sora, environment: kiln, params, embed, script: finish })
  expect(promptOf(next, 0).includes('MEMORIES')).toBe(false)
})
