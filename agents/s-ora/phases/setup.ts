import type { z } from 'zod'
import { lines, prompt } from '../../../harness/kit/index.js'
import { remember } from '../activity.js'
import type { Activity, Agent, Step } from '../activity.js'
import { converse, readJson } from '../dialogue.js'
import { focusOn, namesIn, narrowTo, strangerAmong } from '../focus.js'
import { notes } from '../notes.js'
import { doubt, perceive } from '../perception.js'
import { advance, giveUp } from '../progress.js'
import { catalogueSection, compose, focusLines, historySection, instructionSection } from '../prompts.js'
import { mismatchesIn } from '../ranges.js'
import * as schemas from '../schemas.js'

type Setup = z.output<ReturnType<typeof schemas.setup>['schema']>

/** Chooses what the activity knows and perceives; the world is not touched (thesis 5.4.3, step 3). */
export const setup: Step = async (activity, agent) => {
  const mounted = [...activity.mounted]
  const form = schemas.setup(agent.context.params)
  const reply = await converse(activity, agent, {
    phase: 'setup',
    offer: { form },
    read: readJson(form, (asked) => wrongWith(asked, activity)),
    compose: () =>
      Promise.resolve(
        compose('setup', activity, agent, [
          catalogueSection(activity, [
            ...(mounted.length === 0 ? [] : [prompt.fact({ mounted, at: agent.context.now() })]),
            ...focusLines(activity),
          ]),
          instructionSection(activity),
          historySection(activity, agent.context.params.window),
        ]),
      ),
  })
  if (reply.kind === 'diverted') return 'observation'
  if (reply.kind === 'failed') return giveUp(activity, agent, reply.reason)
  activity.intention = null
  const told = await apply(reply.value, activity, agent)
  if (told.length > 0) advance(activity)
  const at = agent.context.now()
  remember(activity, at, told.length > 0 ? told : [prompt.fact({ setup: 'nothing changed', at })])
  return 'reasoning'
}

async function apply(asked: Setup, activity: Activity, agent: Agent): Promise<string[]> {
  const { context } = agent
  const { door, mounted, memory } = activity
  const at = context.now()
  const unmount = among(asked.unmount, mounted)
  for (const id of unmount) {
    mounted.delete(id)
    if (context.params.memory === 'none') memory.forget(id)
  }
  const mount = missing(asked.mount, mounted)
  const doubted = mismatchesIn(activity, activity.beliefs)
  for (const id of mount) mounted.add(id)
  const unfocus = among(asked.unfocus, new Set(door.focused()))
  for (const tool of unfocus) await door.unfocus(tool)
  const named = namesIn(asked.focus)
  const focus = missing([...named.keys()], new Set(door.focused()))
  for (const tool of unfocus) activity.narrowed.delete(tool)
  const narrowed = narrowTo(activity, named)
  for (const tool of named.keys()) await focusOn(tool, activity, agent)

  if (unmount.length > 0) context.note(door.uuid, notes.unmount(unmount))
  if (mount.length > 0) {
    context.note(door.uuid, notes.mount(mount))
    // What was believed before may be what the document does not allow.
    doubt(activity, agent, doubted)
  }
  if (focus.length > 0 || unfocus.length > 0 || narrowed !== null) activity.focusedAt = at
  if (unfocus.length > 0) await perceive(activity, agent)
  return [
    ...(unmount.length > 0 ? [lines.unmount.write({ unmounted: unmount, at })] : []),
    ...(mount.length > 0 ? [prompt.fact({ mounted: mount, at })] : []),
    ...(unfocus.length > 0 ? [lines.unfocus.write({ unfocused: unfocus, at })] : []),
    ...(focus.length > 0 ? [lines.focus.write({ focused: focus, at })] : []),
    ...(narrowed !== null ? [prompt.fact({ hears: narrowed, at })] : []),
  ]
}

function among(names: string[], known: ReadonlySet<string>): string[] {
  return [...new Set(names)].filter((name) => known.has(name))
}

function missing(names: string[], known: ReadonlySet<string>): string[] {
  return [...new Set(names)].filter((name) => !known.has(name))
}

function wrongWith(asked: Setup, activity: Activity): { what: string; detail: string } | null {
  const { door, memory } = activity
  const listed = memory.catalogue().map(({ id }) => id)
  const unread = asked.mount.filter((id) => memory.text(id) === null)
  const unknown = unread.filter((id) => !listed.includes(id))
  if (unknown.length > 0) {
    return { what: 'unknown_document', detail: `No document named ${quote(unknown)}. Known: ${quote(listed)}.` }
  }
  if (unread.length > 0) {
    return {
      what: 'unread_document',
      detail: `Not read yet: ${quote(unread)}. An action must read it before it can be mounted.`,
    }
  }
  const tools = new Set([
    ...door.tools().flatMap(({ kind, name }) => (kind === 'operation' ? [name] : [])),
    ...memory.tools(),
  ])
  const strangers = [...namesIn(asked.focus).keys()].filter((tool) => !tools.has(tool))
  if (strangers.length === 0) return strangerAmong(activity, asked.focus)
  return { what: 'unknown_tool', detail: `No tool named ${quote(strangers)} to focus. Known: ${quote([...tools])}.` }
}

function quote(names: string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}
