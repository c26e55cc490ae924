import { prompt } from '../../harness/kit/index.js'
import type { CallResult, JsonObject } from '../../harness/contract/index.js'
import { remember } from './activity.js'
import type { Activity, Agent } from './activity.js'
import { notes } from './notes.js'

/** The opposite of mounting just in time: the runtime reads all there is and mounts it, before any model is asked. */
export async function readAll(activity: Activity, agent: Agent): Promise<void> {
  const { door, memory, mounted } = activity
  if (!memory.catalogued()) await call('catalogue', {})
  for (const { id } of memory.catalogue()) {
    if (memory.text(id) === null) await call('document', { document: id })
    if (memory.text(id) !== null) mounted.add(id)
  }
  agent.memory.read()
  if (mounted.size === 0) return
  const documents = [...mounted]
  const at = agent.context.now()
  agent.context.note(door.uuid, notes.mount(documents))
  remember(activity, at, [prompt.fact({ mounted: documents, at })])

  async function call(kind: CallResult['kind'], args: JsonObject): Promise<void> {
    const tool = door.tools().find((each) => each.kind === kind)
    if (tool === undefined) return
    memory.learn(await door.call(tool.name, args), args)
  }
}
