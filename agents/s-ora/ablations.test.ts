import { expect, test } from 'vitest'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }
const arm = { action: 'arm' }
const kinds = (records: Awaited<ReturnType<typeof playAgent>>['records'], ...wanted: string[]) =>
  records
    .map((record) => [record.at, record.kind === 'note' ? record.name : record.kind] as const)
    .filter(([, kind]) => wanted.includes(kind))

test('Without suspension it goes on observing until the signal comes, and pays for each look.', async () => {
  const wait = reason('WAIT', waitFor(['kiln.done']))
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { suspension: false },
    worldParams: { fireMs: 4_500 },
    script: [
      ...situate,
      reason('ACT', waitFor(['kiln.done'])),
      act('kiln', fire),
      observe(),
      wait,
      observe(),
      wait,
      // The guard finds the signal before the third look is paid in full.
      observe(),
      observe(),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(kinds(records, 'suspend', 'wake', 'guard')).toEqual([[19_000, 'guard']])
})

test('Documents up front are read by the runtime and stand in the very first prompt.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { documents: 'upFront' },
    script: finish,
  })
  expect(story(records, 'read', 'mount')).toEqual([
    { at: 0, kind: 'read', what: 'catalogue', document: null, found: true },
    { at: 0, kind: 'read', what: 'document', document: 'kiln_manual', found: true },
    { at: 0, kind: 'read', what: 'document', document: 'siren_manual', found: true },
    { at: 0, kind: 'mount', documents: ['kiln_manual', 'siren_manual'] },
  ])
  expect(prompts[0]?.messages[1]?.content?.match(/<document id="\w+">/g)).toEqual([
    '<document id="kiln_manual">',
    '<document id="siren_manual">',
  ])
})

test('Without memory a document is forgotten when it is unmounted, and must be read again; with memory it need not.', async () => {
  const script = [
    ...situate,
    reason('SETUP'),
    setup({ unmount: ['siren_manual'] }),
    reason('SETUP'),
    setup({ mount: ['siren_manual'] }),
  ]
  const remounted = await playAgent({
    agent: sora,
    environment: kiln,
    script: [...script, reason('OBSERVE'), ...finish],
  })
  expect(story(remounted.records, 'malformed')).toEqual([])
  const forgotten = await playAgent({
    agent: sora,
    environment: kiln,
    params: { memory: 'none' },
    script: [...script, setup({}), reason('OBSERVE'), ...finish],
  })
  expect(story(forgotten.records, 'malformed')).toMatchObject([{ what: 'unread_document', retry: true }])
})

test('A wait decided after the result costs one call more, and begins when that call has ended.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { waitDecided: 'after', knowledgeConstraint: false },
    script: [
      observe(),
      reason('SETUP'),
      setup({ focus: ['kiln'] }),
      reason('ACT'),
      act('kiln', fire),
      { phase: 'result', says: { summary: 'It fires.', suspend: waitFor(['kiln.done']) } },
      ...finish,
    ],
  })
  expect(kinds(records, 'operation', 'suspend', 'wake')).toEqual([
    [5_000, 'operation'],
    [6_000, 'suspend'],
    [15_000, 'wake'],
  ])
  expect(prompts.find(({ phase }) => phase === 'reasoning')?.schema?.schema).toMatchObject({
    properties: { wait: { description: 'With WAIT: begins at once. Else null' } },
  })
})

test('Where waits belong to calls, REASONING is offered no WAIT and no OBSERVE, and one of them is malformed.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { waitAlone: false },
    script: [
      observe(),
      reason('WAIT', waitFor(['kiln.done'])),
      reason('SETUP'),
      setup({}),
      reason('ACT'),
      act('decline'),
      reason('ACT'),
      act('system_discovery'),
      ...finish,
    ],
  })
  expect(story(records, 'malformed')).toMatchObject([{ what: 'schema', retry: true }])
  expect(prompts[1]?.schema?.schema).toMatchObject({ properties: { decision: { enum: ['SETUP', 'ACT'] } } })
})

test('What the model does not retype is lost, and what it mistypes is what memory holds.', async () => {
  const read = (document: string | null) => [
    ...cycle('manual_retrieval', { document: 'kiln_manual' }),
    { phase: 'result', says: { summary: 'Read.', document } },
  ]
  const { prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { retypedDocuments: true },
    script: [
      ...cycle('system_discovery'),
      ...read(null),
      ...read('Open it whenever you like.'),
      observe(),
      reason('SETUP'),
      setup({ mount: ['kiln_manual'] }),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  const states = prompts.flatMap(({ phase, messages }) =>
    phase === 'reasoning' ? [/"kiln_manual".*"state":"(\w+)"/.exec(messages[1]?.content ?? '')?.[1]] : [],
  )
  expect(states).toEqual([undefined, 'listed', 'listed', 'read', 'mounted'])
  expect(prompts.at(-2)?.messages[1]?.content).toContain(
    '<document id="kiln_manual">\nOpen it whenever you like.\n</document>',
  )
})

test('Where REASONING is not shown the goal, every other phase still is.', async () => {
  const { prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    params: { goalInReasoning: false },
    script: [observe(), reason('OBSERVE'), ...finish],
  })
  expect(prompts.map(({ phase, messages }) => [phase, messages[1]?.content?.includes('## GOAL')])).toEqual([
    ['observation', true],
    ['reasoning', false],
    ['observation', true],
    ['completed', true],
  ])
})

test('Without time-outs a wait for what never comes ends in a deadlock; with them it ends.', async () => {
  const script = [...situate, reason('ACT', waitFor(['siren.wail'], 5_000)), act('kiln', fire)]
  const { how } = await playAgent({ agent: sora, environment: kiln, params: { timeouts: false }, script })
  expect(how).toBe('deadlocked')
  const timed = await playAgent({ agent: sora, environment: kiln, script: [...script, ...finish] })
  expect(timed.how).toBe('ended')
})

test('With abort a signal cuts the model short, the call is lost, and OBSERVATION takes the signal in.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 2_500, wails: 1 },
    params: { interrupt: 'abort' },
    script: [
      ...situate,
      reason('ACT'),
      act('siren', arm),
      observe(),
      { ...reason('ACT'), takesMs: 60_000 },
      observe(),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  expect(story(records, 'signal', 'guard')).toMatchObject([
    { at: 16_500, kind: 'signal' },
    { at: 16_500, kind: 'guard', value: { diverted: 'reasoning' }, signals: ['siren.wail'] },
  ])
  expect(prompts[situate.length + 4]?.messages[1]?.content).toContain('"signal":"siren.wail"')
})

test('Under a storm at most three calls in a row are aborted, then one is thought to its end.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 300, wails: 1_000 },
    params: { interrupt: 'abort' },
    script: [
      ...situate,
      reason('ACT'),
      act('siren', arm),
      observe(),
      observe(),
      observe(),
      observe(),
      reason('ACT'),
      act('kiln', fire),
      observe(),
      observe(),
      observe(),
      observe({ completed: true }),
      ...finish.slice(-1),
    ],
  })
  expect(kinds(records, 'guard', 'operation').map(([at]) => at)).toEqual([
    14_000, 14_300, 14_600, 14_900, 17_900, 18_200, 18_500, 18_800,
  ])
  expect(prompts).toHaveLength(situate.length + 13)
})
