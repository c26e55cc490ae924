import type { Environment, Happening, JsonObject } from '../../contract/index.js'
import { createRandom } from '../../sim/random.js'
import { createVirtualClock } from '../../sim/virtual-clock.js'
import { openWorld } from '../../world/open.js'

/** A world under a test's direct control: no agent, no wire, and time moves only when it is told to. */
export async function stage(
  environment: Environment,
  params: JsonObject = {},
  seed = 'stage',
  roleOf?: (activity: string) => string | null,
) {
  const clock = createVirtualClock()
  await clock.run({ untilMs: 0 })
  const records: (Happening & { at: number })[] = []
  const world = openWorld(environment, {
    params: environment.params.parse(params),
    random: createRandom(seed),
    clock,
    record: (happening) => records.push({ ...happening, at: clock.now() }),
    ...(roleOf !== undefined && { roleOf }),
  })
  return {
    world,
    records,
    now: () => clock.now(),
    act(this: void, tool: string, action: string, args: JsonObject = {}) {
      const { outcome, message, rule } = world.execute({ tool, action, args, activity: 'test' })
      return { outcome, message, rule }
    },
    /** Until the world comes to rest. */
    rest: () => clock.settle(1e9),
    pass(this: void, ms: number) {
      clock.after(ms, () => {})
      clock.settle(clock.now() + ms)
    },
    value: (tool: string, property: string) => world.read(tool).properties[property]?.value,
    document: (id: string) => world.documents.find((document) => document.id === id)?.text ?? '',
    changesOf: (property: string) =>
      records.flatMap((record) => (record.kind === 'change' && record.property === property ? [record.to] : [])),
    signals: () =>
      records.flatMap((record) =>
        record.kind === 'signal' ? [{ at: record.at, signal: record.signal, payload: record.payload }] : [],
      ),
  }
}
