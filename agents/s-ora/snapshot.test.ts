import { expect, test } from 'vitest'
import { defineAgent, defineEnvironment, z } from '../../harness/contract/index.js'
import type { Agent, Context, PushDoor } from '../../harness/contract/index.js'
import { playAgent } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { act, cycle, finish, observe, reason, reflect, setup, situate, waitFor } from './fixtures/script.js'
import { simulated } from './fixtures/simulated.js'
import type { Params } from './params.js'
import { createRuntime } from './runtime.js'
import sora from './s-ora.agent.js'
import { snapshotSchema } from './snapshot.js'

/** S-ORA as a process that dies whenever all its activities are suspended, and is built anew from text. */
function mortal(deaths: string[]) {
  async function run(given: Context<'push', Params>): Promise<void> {
    const doors = new Map<string, PushDoor>()
    const context: Context<'push', Params> = {
      ...given,
      async open(name, goals) {
        const door = await given.open(name, goals)
        doors.set(door.uuid, door)
        return door
      },
    }
    const doorOf = (uuid: string): PushDoor => {
      const door = doors.get(uuid)
      if (door === undefined) throw new Error(`No door of ${uuid}.`)
      return door
    }
    let runtime = createRuntime(context)
    for (;;) {
      const end = await runtime.step()
      if (end === 'done') return
      if (end === 'stepped') continue
      const text = JSON.stringify(runtime.snapshot())
      deaths.push(text)
      runtime = createRuntime(context, { snapshot: snapshotSchema.parse(JSON.parse(text)), doors: doorOf })
      await context.wait(runtime.untilNextLook())
    }
  }
  return defineAgent({ ...sora, run })
}

const fire = { action: 'fire' }

test('A trial that is stopped while suspended goes on from its snapshot to the very same end.', async () => {
  const stage = {
    environment: kiln,
    worldParams: { wailMs: 2_500, wails: 4 },
    script: [
      ...situate,
      reason('SETUP'),
      setup({
        unmount: ['siren_manual'],
        focus: ['siren.siren.wail'],
      }),
      reason('ACT', waitFor(['kiln.never'], 4e3)),
      act('kiln', fire),
      observe(),
      reason('WAIT', {
        signals: ['kiln.done'],
        when: null,
        timeoutMs: 6e4,
      }),
      ...cycle('kiln', { action: 'open_door' }),
      ...finish,
    ],
  }
  const deaths: string[] = []
  const [unbroken, broken] = [
    await playAgent({ agent: sora, ...stage }),
    await playAgent({ agent: mortal(deaths), ...stage }),
  ]
  expect(deaths.length).toBeGreaterThanOrEqual(2)
  expect(broken.records).toEqual(unbroken.records)
  expect(broken.prompts).toEqual(unbroken.prompts)
})

test('So do two activities at once, and those that remember nothing of each other.', async () => {
  const twoGoals = defineEnvironment({
    ...kiln,
    roles: () => [{ name: 'potter', goal: [{ text: 'Fire the pot.' }, { text: 'Arm the siren.', atMs: 15_500 }] }],
  })
  for (const memory of ['trial', 'none'] as const) {
    const stage = {
      environment: twoGoals,
      params: { memory, knowledgeConstraint: false },
      script: [
        ...situate,
        reason('ACT', waitFor(['kiln.done'])),
        act('kiln', fire),
        ...cycle('siren', { action: 'arm' }),
        observe({ completed: true, achieved: true }),
        reflect,
        ...finish,
      ],
    }
    const deaths: string[] = []
    const [unbroken, broken] = [
      await playAgent({ agent: sora, ...stage }),
      await playAgent({ agent: mortal(deaths), ...stage }),
    ]
    expect(deaths.length).toBeGreaterThanOrEqual(2)
    expect(broken.records).toEqual(unbroken.records)
  }
})

test('What was read before the snapshot does not overwrite the plan a second time where namespaces are shared.', async () => {
  const posted = defineEnvironment({
    ...kiln,
    setup(kit) {
      kit.artifact('board', 'Shows what others do.').property('goal_progress', z.string(), 'All is done.', 'Of others.')
      return kiln.setup(kit)
    },
  })
  const stage = {
    environment: posted,
    params: { namespaces: 'shared', knowledgeConstraint: false },
    script: [
      ...cycle('system_discovery'),
      observe(),
      reason('SETUP'),
      setup({ focus: ['kiln', 'board'] }),
      reason('ACT'),
      act('kiln', fire),
      observe({ plan: ['Wait for the kiln.'] }),
      reason('WAIT', waitFor(['kiln.done'])),
      ...finish,
    ],
  } as const
  const deaths: string[] = []
  const [unbroken, broken] = [
    await playAgent({ agent: sora, ...stage }),
    await playAgent({ agent: mortal(deaths), ...stage }),
  ]
  expect(deaths).toHaveLength(1)
  expect(broken.prompts).toEqual(unbroken.prompts)
  expect(broken.prompts.at(-2)?.messages[1]?.content).toContain('## PLAN\n1. Wait for the kiln.')
})

test('A whole trial of the water hammer is the same, record by record, with a new agent after each suspension.', async () => {
  const deaths: string[] = []
  const trial = { world: 'water-hammer', model: 'sim:typical' }
  const play = (agent: Agent) => simulated(agent, trial)
  expect(await play(mortal(deaths))).toEqual(await play(sora))
  expect(deaths.length).toBeGreaterThanOrEqual(2)
})

test('A snapshot of another format is refused.', () => {
  expect(snapshotSchema.safeParse({ version: 2, memory: null, ready: [], suspended: [] }).success).toBe(false)
})
