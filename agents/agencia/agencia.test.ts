import { expect, test } from 'vitest'
import { story } from '../../harness/testing/agent-rig.js'
import { notesOf } from '../../harness/trace/records.js'
import { calls, end, offered, results, says, talk } from './fixtures/talk.js'

const weather = says('weather_lookup', 'Weather unknown. {{ .Get "almanac_weather" }}')
const almanac = says('almanac_weather', 'In autumn Paris is mild and wet.', { offered: false })

test('§8: a lookup that does not know recruits the almanac, and the model gets both in one result', async () => {
  const play = await talk([weather, almanac], [calls(['weather_lookup', { city: 'Paris' }]), end])
  expect(results(play)).toEqual(['Weather unknown. In autumn Paris is mild and wet.'])
  expect(story(play.records, 'claim')).toEqual([
    { at: 2_000, kind: 'claim', claim: 'achieved', text: 'Done.\nOUTCOME: ACHIEVED' },
  ])
})

test('§6: the recruited agent was not wired before: the model was never offered it, and cannot call it', async () => {
  const play = await talk([weather, almanac], [calls('almanac_weather'), end])
  const known = ['kiln', 'siren', 'system_discovery', 'manual_retrieval', 'weather_lookup']
  expect(offered(play)).toEqual([known, known])
  expect(story(play.records, 'malformed', 'unit')).toMatchObject([
    { what: 'unknown_tool', detail: `No agent named "almanac_weather". Known: ${known.join(', ')}.` },
  ])
})

test('§4: an output without directives goes back as it is, and several calls are handled in their order', async () => {
  const play = await talk([says('b', 'Two {single} braces.'), says('a', 'One.')], [calls('a', 'b'), end])
  expect(results(play)).toEqual(['One.', 'Two {single} braces.'])
})

test('§7: every call, expansion and depth is in the trace', async () => {
  const outer = says('outer', '{{ .Get "middle" }}')
  const middle = says('middle', '{{ .Get "inner" "quick" }}')
  const { records } = await talk([outer, middle, says('inner', 'Done.')], [calls(['outer', { x: 1 }]), end])
  const ran = { kind: 'unit_result', ran: true, ended: 'output', detail: '' }
  expect(story(records, 'unit', 'expansion', 'unit_result')).toEqual(
    [
      { kind: 'unit', unit: 'outer', by: 'model', round: 1, depth: 1, input: { x: 1 } },
      { kind: 'expansion', unit: 'outer', depth: 1, directive: '{{ .Get "middle" }}' },
      { kind: 'unit', unit: 'middle', by: 'template', round: 1, depth: 2, input: { x: 1 } },
      { kind: 'expansion', unit: 'middle', depth: 2, directive: '{{ .Get "inner" "quick" }}' },
      { kind: 'unit', unit: 'inner', by: 'template', round: 1, depth: 3, input: { input: 'quick' } },
      { ...ran, unit: 'inner', depth: 3 },
      { ...ran, unit: 'middle', depth: 2 },
      { ...ran, unit: 'outer', depth: 1 },
    ].map((record) => ({ at: 1_000, ...record })),
  )
})

test('an agent is given a JSON object as its input, other words as `input`, or what its recruiter was given', async () => {
  const outer = says('outer', '{{ .Get "a" }}{{ .Get "a" "words" }}{{ .Get "a" `{"day": 3}` }}')
  const { records } = await talk([outer, says('a', '.')], [calls(['outer', { city: 'Oslo' }]), end])
  const inputs = notesOf(records, 'unit').filter(({ data }) => data['depth'] === 2)
  expect(inputs.map(({ data }) => data['input'])).toEqual([{ city: 'Oslo' }, { input: 'words' }, { day: 3 }])
})

test('§3: a hard failure ends tool handling at once: nothing else is called, and the model is not asked again', async () => {
  const broken = { name: 'broken', replies: [{ fail: 'The station burnt down.' }] }
  const play = await talk(
    [says('outer', 'Weather: {{ .Get "broken" }}{{ .Get "other" }}'), broken, says('other', 'Fine.')],
    [calls('outer', 'other')],
  )
  expect(story(play.records, 'unit_failed', 'claim')).toEqual([
    {
      at: 1_000,
      kind: 'unit_failed',
      unit: 'broken',
      depth: 2,
      ran: true,
      ended: 'hard',
      detail: 'broken: The station burnt down.',
    },
    {
      at: 1_000,
      kind: 'unit_failed',
      unit: 'outer',
      depth: 1,
      ran: true,
      ended: 'hard',
      detail: 'broken: The station burnt down.',
    },
    { at: 1_000, kind: 'claim', claim: 'gave_up', text: 'Tool handling was stopped: broken: The station burnt down.' },
  ])
  expect(story(play.records, 'unit').map((record) => 'unit' in record && record.unit)).toEqual(['outer', 'broken'])
})

test('to recruit or suggest an agent that is not in the registry is a hard failure', async () => {
  for (const verb of ['Get', 'Suggest']) {
    const { records } = await talk([says('outer', `{{ .${verb} "nobody" }}`)], [calls('outer')])
    expect(story(records, 'claim')).toMatchObject([
      {
        claim: 'gave_up',
        text: 'Tool handling was stopped: No agent named "nobody". Known: kiln, siren, system_discovery, manual_retrieval, outer.',
      },
    ])
  }
})

test('§3: %no-result% is soft: the conversation goes on', async () => {
  const play = await talk([says('lookup', '%no-result%')], [calls('lookup'), end])
  expect(results(play)).toEqual(['{"agent":"lookup","noResult":"no_result"}'])
  expect(story(play.records, 'unit_result', 'claim')).toMatchObject([
    { ended: 'soft', ran: true, detail: 'no_result' },
    { claim: 'achieved' },
  ])
})

test('§7: the words beside %no-result% reach the model with the reason, and the conversation goes on', async () => {
  const lookup = says('lookup', '%no-result% Ask the almanac instead.')
  const play = await talk([lookup], [calls('lookup'), end])
  expect(results(play)).toEqual(['Ask the almanac instead.\n{"agent":"lookup","noResult":"no_result"}'])
  expect(story(play.records, 'unit_result', 'claim')).toMatchObject([
    { ended: 'soft', ran: true, detail: 'no_result' },
    { claim: 'achieved' },
  ])
})

test('words beside %no-result% may hold directives, and go up to the model where their recruiter has nothing else', async () => {
  const lookup = says('lookup', 'Offline. %no-result offline% {{ .Suggest "almanac" }}')
  const agents = [says('outer', '{{ .Get "lookup" }}'), lookup, says('almanac', 'Mild.', { offered: false })]
  expect(results(await talk(agents, [calls('outer'), end]))).toEqual([
    'Offline.  You may call almanac.\n{"agent":"outer","noResult":"offline"}',
  ])
})

test('a recruiter with other words inserts nothing for a soft failure, whatever words stand beside its marker', async () => {
  const outer = says('outer', 'First: {{ .Get "empty" }}. Then: {{ .Get "full" }}.')
  const agents = [outer, says('empty', '%no-result% Look elsewhere.'), says('full', 'rain')]
  expect(results(await talk(agents, [calls('outer'), end]))).toEqual(['First: . Then: rain.'])
})

test('what a soft failure leaves out, the rest of the text makes good', async () => {
  const outer = says('outer', 'First: {{ .Get "empty" }}. Then: {{ .Get "full" }}.')
  const play = await talk([outer, says('empty', '%no-result%'), says('full', 'rain')], [calls('outer'), end])
  expect(results(play)).toEqual(['First: . Then: rain.'])
})

test('a text of which nothing is left has no result, for the first reason; a reason may be named', async () => {
  const outer = says('outer', '{{ .Get "offline" }} {{ .Get "empty" }}')
  const agents = [outer, says('offline', '%no-result offline%'), says('empty', '%no-result%')]
  expect(results(await talk(agents, [calls('outer'), end]))).toEqual(['{"agent":"outer","noResult":"offline"}'])
})

test('§4: an agent that recruits itself is capped after five levels', async () => {
  const play = await talk([says('echo', 'x{{ .Get "echo" }}')], [calls('echo'), end])
  expect(results(play)).toEqual(['xxxxx'])
  expect(story(play.records, 'unit')).toHaveLength(5)
  expect(story(play.records, 'unit_result')[0]).toEqual({
    at: 1_000,
    kind: 'unit_result',
    unit: 'echo',
    depth: 6,
    ran: false,
    ended: 'soft',
    detail: 'depth_limit',
  })
})

test('agents that recruit each other twice at each level are stopped before they double without end', async () => {
  const play = await talk([says('hydra', 'x{{ .Get "hydra" }}{{ .Get "hydra" }}')], [calls('hydra')], { maxDepth: 20 })
  expect(story(play.records, 'claim')).toMatchObject([
    { claim: 'gave_up', text: 'Tool handling was stopped: hydra: more than 64 directives follow from one call.' },
  ])
})

test('§4: results go back and further calls are handled, to five rounds; the sixth is not, and begins a turn anew', async () => {
  const five = Array.from({ length: 5 }, () => calls('a'))
  const play = await talk([says('a', 'Yes.')], [...five, calls('a'), calls('a'), end])
  expect(notesOf(play.records, 'unit').map(({ data }) => data['round'])).toEqual([1, 2, 3, 4, 5, 1])
  expect(play.prompts[6]?.messages.slice(-2)).toEqual([
    {
      role: 'tool',
      tool_call_id: 'call-6-0',
      content: '{"error":"The depth limit of 5 rounds is reached: this was not called."}',
    },
    { role: 'user', content: 'Go on.' },
  ])
  expect(story(play.records, 'depth_limit')).toEqual([{ at: 6_000, kind: 'depth_limit', limit: 5 }])
})

test('with one turn, as in the paper, the depth ends the conversation', async () => {
  const play = await talk([says('a', 'Yes.')], [calls('a'), calls('a'), calls('a')], { maxDepth: 2, maxTurns: 1 })
  expect(story(play.records, 'claim')).toEqual([
    { at: 3_000, kind: 'claim', claim: 'gave_up', text: 'The goal was not reached in 1 turns of depth 2.' },
  ])
})

test('deferred: a suggested agent is not called, but offered from then on', async () => {
  const outer = says('outer', '{{ .Suggest "almanac" }}')
  const book = says('almanac', 'Mild.', { summary: 'Knows seasons.', offered: false })
  const play = await talk([outer, book], [calls('outer'), calls('almanac'), end])
  expect(play.prompts[1]?.messages.at(-1)?.content).toBe('You may call almanac: Knows seasons.')
  expect(results(play)).toEqual(['Mild.'])
  expect(offered(play).map((names) => names.includes('almanac'))).toEqual([false, true, true])
})

test('nothing of a malformed answer is carried out, and each kind is corrected', async () => {
  const { records } = await talk(
    [says('a', 'Yes.')],
    [
      calls('a', 'b'),
      { phase: 'turn', calls: [['a', '{"']] },
      { phase: 'turn', says: '' },
      calls('a'),
      { phase: 'turn', says: 'All is well.' },
      end,
    ],
  )
  expect(records.flatMap((record) => (record.kind === 'malformed' ? [record.what] : []))).toEqual([
    'unknown_tool',
    'bad_arguments',
    'empty',
    'no_outcome',
  ])
  expect(story(records, 'unit')).toHaveLength(1)
  expect(story(records, 'claim')).toMatchObject([{ claim: 'achieved' }])
})

test('one malformed answer more than allowed in a row ends the agent', async () => {
  const { records } = await talk([], [calls('nobody')], { malformed: 0 })
  const detail = 'No agent named "nobody". Known: kiln, siren, system_discovery, manual_retrieval.'
  expect(story(records, 'malformed', 'claim')).toEqual([
    { at: 1_000, kind: 'malformed', what: 'unknown_tool', detail, retry: false },
    { at: 1_000, kind: 'claim', claim: 'gave_up', text: detail },
  ])
})

test('An outcome is read in whatever dress its line comes', async () => {
  const { records } = await talk([], [{ phase: 'turn', says: 'No.\n**OUTCOME:** GAVE UP' }])
  expect(story(records, 'malformed', 'claim')).toMatchObject([{ kind: 'claim', claim: 'gave_up' }])
})
