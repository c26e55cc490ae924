import { prompt } from '../../harness/kit/index.js'
import type { DocumentEntry } from '../../harness/contract/index.js'
import type { Activity, Agent } from './activity.js'

/** Searches the catalogue, where a prompt is not to list all of it (thesis 7.4.2). Asked for vectors only when it has changed. */
export async function rank(activity: Activity, { context, memory }: Agent): Promise<void> {
  const { listed } = context.params
  const entries = activity.memory.catalogue()
  const known = activity.ranking?.scores
  if (listed === undefined || entries.every(({ id }) => known?.has(id) === true)) return
  const { door, goal } = activity
  const tools = door
    .tools()
    .flatMap(({ kind, name, description }) => (kind === 'operation' ? [said(name, description)] : []))
  const likeness = memory.likeness(door.uuid)
  const scores = new Map<string, number>()
  // A goal need not name what has to be done first; a manual has words in common with its tool.
  for (const sought of [goal, ...tools]) {
    const alike = await likeness(
      sought,
      entries.map(({ id, summary }) => said(id, summary)),
    )
    for (const [index, { id }] of entries.entries()) scores.set(id, Math.max(scores.get(id) ?? 0, alike[index] ?? 0))
  }
  activity.ranking = { most: listed, scores }
}

const said = (name: string, text: string): string => `${name.replaceAll('_', ' ')}: ${text}`

/** The documents that a prompt lists, those that were read first, and what it says of the others. */
export function listedIn({ memory, ranking }: Activity): { entries: DocumentEntry[]; more: string[] } {
  const all = memory.catalogue()
  if (ranking === null) return { entries: [...all], more: [] }
  const { most, scores } = ranking
  const read = all.filter(({ id }) => memory.text(id) !== null)
  const unread = all.filter(({ id }) => memory.text(id) === null)
  const scoreOf = ({ id }: DocumentEntry): number => scores.get(id) ?? 0
  const alike = unread.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, most)
  const unlisted = unread.length - alike.length
  return { entries: [...read, ...alike], more: unlisted === 0 ? [] : [prompt.fact({ unlisted, follow: FOLLOW })] }
}

const FOLLOW = 'These are less like the goal and the tools. They are listed as those above are read.'
