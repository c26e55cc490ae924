import { expect, test } from 'vitest'
import { playAgent, story } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, setup, situate, waitFor } from './fixtures/script.js'
import sora from './s-ora.agent.js'

const fire = { action: 'fire' }
const arm = { action: 'arm' }

test('A focus on one signal lets no other of its tool wake the activity or into its prompts.', async () => {
  const { records, prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    worldParams: { wailMs: 4_000 },
    params: { wakeOnAnySignal: true },
    script: [
      ...cycle('system_discovery'),
      ...cycle('manual_retrieval', { document: 'kiln_manual' }),
      ...cycle('manual_retrieval', { document: 'siren_manual' }),
      observe(),
      reason('SETUP'),
      setup({ mount: ['kiln_manual', 'siren_manual'], focus: ['kiln', 'siren.siren.alarm'] }),
      setup({ mount: ['kiln_manual', 'siren_manual'], focus: ['kiln.kiln.done', 'siren'] }),
      reason('SETUP'),
      setup({ unfocus: ['siren'] }),
      reason('ACT'),
      act('siren', arm),
      observe(),
      reason('ACT', waitFor(['kiln.done'])),
      act('kiln', fire),
      ...finish,
    ],
  })
  expect(story(records, 'malformed')).toMatchObject([
    { what: 'unknown_signal', detail: 'No document of siren that was read speaks of the signal "siren.alarm".' },
  ])
  expect(story(records, 'focus', 'unfocus', 'wake')).toEqual([
    { at: 13_000, kind: 'focus', tool: 'kiln', only: ['kiln.done'] },
    { at: 13_000, kind: 'focus', tool: 'siren' },
    { at: 15_000, kind: 'unfocus', tool: 'siren' },
    { at: 30_000, kind: 'wake', reason: 'signal', signals: ['kiln.done'] },
  ])
  expect(prompts.at(-2)?.messages[1]?.content).toContain(
    '{"focused":["kiln"],"only":{"kiln":["kiln.done"]},"at":15000}',
  )
})

test('To focus the whole tool again hears all of its signals again, and so does to unfocus and focus it.', async () => {
  const { prompts } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...situate,
      reason('SETUP'),
      setup({ focus: ['siren.siren.wail'] }),
      reason('SETUP'),
      setup({ focus: ['siren'] }),
      reason('SETUP'),
      setup({ focus: ['siren.siren.wail'] }),
      reason('SETUP'),
      setup({ unfocus: ['siren'] }),
      reason('SETUP'),
      setup({ focus: ['siren'] }),
      reason('OBSERVE'),
      ...finish,
    ],
  })
  const heard = prompts
    .slice(situate.length)
    .flatMap(({ phase, messages }) =>
      phase === 'reasoning' ? [/\{"focused":.*/.exec(messages[1]?.content ?? '')?.[0]] : [],
    )
  expect(heard).toEqual([
    '{"focused":["kiln","siren"],"at":12000}',
    '{"focused":["kiln","siren"],"only":{"siren":["siren.wail"]},"at":14000}',
    '{"focused":["kiln","siren"],"at":16000}',
    '{"focused":["kiln","siren"],"only":{"siren":["siren.wail"]},"at":18000}',
    '{"focused":["kiln"],"at":20000}',
    '{"focused":["kiln","siren"],"at":22000}',
  ])
})

test('A wait for a signal that the focus lets through nowhere is corrected, not slept through.', async () => {
  const { records } = await playAgent({
    agent: sora,
    environment: kiln,
    script: [
      ...situate,
      reason('SETUP'),
      setup({ unfocus: ['siren'], focus: ['kiln.kiln.done'] }),
      reason('WAIT', waitFor(['siren.wail'])),
      reason('SETUP'),
      setup({ focus: ['siren'] }),
      reason('WAIT', waitFor(['siren.wail'], 5_000)),
      ...finish,
    ],
  })
  expect(story(records, 'malformed', 'suspend')).toMatchObject([
    {
      at: 15_000,
      kind: 'malformed',
      what: 'unheard_signal',
      detail: 'The focus is narrowed to other signals: "siren.wail" would never be heard.',
    },
    { at: 18_000, kind: 'suspend' },
  ])
})

test('Only where a parameter says so SETUP is told of single signals; the rest of its prompt is the same.', async () => {
  const play = async (selectiveFocus: boolean) => {
    const { prompts } = await playAgent({
      agent: sora,
      environment: kiln,
      params: { selectiveFocus },
      script: [observe(), reason('SETUP'), setup({}), reason('OBSERVE'), ...finish],
    })
    return prompts[2]
  }
  const [plain, selective] = [await play(false), await play(true)]
  const added =
    ' To perceive only some signals or properties of a tool, focus them one by one as "tool.name", with the names of its document.'
  expect(selective?.messages[0]?.content?.replace(added, '')).toBe(plain?.messages[0]?.content)
  expect(plain?.messages[0]?.content).not.toContain('tool.name')
})
