import { lines } from '../../harness/kit/index.js'
import { remember } from './activity.js'
import type { Activity, Agent } from './activity.js'
import { focusOn } from './focus.js'
import { notes } from './notes.js'
import { doubt } from './perception.js'
import { mismatchesIn } from './ranges.js'

/**
 * Where no SETUP decides it: what was read is mounted and the tools that it covers are observed. Of too many documents
 * the one that was not used for the longest time goes, with the focus that no other document holds.
 */
export async function mount(id: string, activity: Activity, agent: Agent): Promise<void> {
  const { mounted, memory, door } = activity
  const { context } = agent
  if (memory.text(id) === null) return
  // What was mounted up front has no focus yet.
  if (!mounted.has(id)) {
    const doubted = mismatchesIn(activity, activity.beliefs)
    mounted.add(id)
    use([id], activity)
    context.note(door.uuid, notes.mount([id]))
    doubt(activity, agent, doubted)
    await unmountOldest(activity, agent)
  }
  const known = [...memory.tools(), ...door.tools().map(({ name }) => name)]
  const focused = door.focused()
  const tools = [...new Set(memory.covers(id))].filter((tool) => known.includes(tool) && !focused.includes(tool))
  for (const tool of tools) await focusOn(tool, activity, agent)
  if (tools.length > 0) activity.focusedAt = context.now()
}

/** Notes that a tool was operated by these documents. */
export function use(ids: readonly string[], { used, mounted }: Activity): void {
  const now = Math.max(0, ...used.values()) + 1
  for (const id of ids) if (mounted.has(id)) used.set(id, now)
}

async function unmountOldest(activity: Activity, { context }: Agent): Promise<void> {
  const { mounted, used, memory, door } = activity
  if (mounted.size <= context.params.mountedDocuments) return
  const [oldest] = [...mounted].toSorted((a, b) => (used.get(a) ?? 0) - (used.get(b) ?? 0))
  if (oldest === undefined) return
  mounted.delete(oldest)
  context.note(door.uuid, notes.unmount([oldest]))
  const at = context.now()
  remember(activity, at, [lines.unmount.write({ unmounted: [oldest], at })])
  const held = new Set([...mounted].flatMap((id) => memory.covers(id)))
  for (const tool of door.focused()) if (!held.has(tool)) await door.unfocus(tool)
}
