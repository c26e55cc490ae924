import type { Reading, Scalar, SignalEntry } from '../../harness/contract/index.js'
import type { Activity } from './activity.js'
import { mayHaveChanged } from './ranges.js'

type Deciding = Pick<Activity, 'mounted' | 'memory' | 'intention' | 'door'>

/**
 * Does a signal concern what is about to happen? Where it is named by the wait that was decided, comes from the tool of
 * its condition, or stands in a document that is mounted for the instruction's tool; without an instruction in any that
 * is mounted. Where no document could tell, every signal does.
 */
export function concerns(activity: Deciding, { signal, tool }: SignalEntry): boolean {
  const wait = activity.intention?.wait ?? null
  if (wait !== null && (wait.signals.includes(signal) || wait.when?.tool === tool)) return true
  const texts = documentsFor(activity)
  return texts.length === 0 || texts.some((text) => text.includes(`\`${signal}\``))
}

/** The texts of documents that are mounted for the tools that the instruction names; of all where it names none. */
function documentsFor({ mounted, memory, door, intention }: Deciding): string[] {
  const tools = door.tools().filter(({ kind, name }) => kind === 'operation' && intention?.instruction.includes(name))
  const names = tools.map(({ name }) => name)
  const covering = [...mounted].filter(
    (id) => names.length === 0 || memory.covers(id).some((each) => names.includes(each)),
  )
  return covering.map((id) => memory.text(id) ?? '')
}

/**
 * What the preconditions of the operation that was decided say something about, and is not as it was then: another
 * word, or a number beyond the bound that they state.
 */
export function overtaken(activity: Deciding, now: readonly Reading[]): string[] {
  const { intention } = activity
  if (intention === null) return []
  const stated = documentsFor(activity).flatMap((text) => preconditionsIn(text, intention.instruction))
  if (stated.length === 0) return []
  const valueIn = (readings: readonly Reading[], tool: string, property: string): Scalar | undefined =>
    readings.find((reading) => reading.tool === tool)?.properties[property]?.value
  return now.flatMap(({ tool, properties }) =>
    Object.keys(properties).filter((property) => {
      const [before, after] = [valueIn(intention.beliefs, tool, property), valueIn(now, tool, property)]
      if (before === undefined || after === undefined || before === after) return false
      const [, instance] = /\[(.+)\]/.exec(property) ?? []
      if (instance !== undefined && !intention.instruction.includes(instance)) return false
      const name = property.replace(/\[.+\]/, '')
      return stated.some((line) => mentions(line, name, tool) && mayHaveChanged(line, before, after))
    }),
  )
}

const mentions = (requirement: string, name: string, tool: string): boolean =>
  requirement.replaceAll(/\[[^\]`]*\]/g, '').includes(`\`${name}\` of \`${tool}\``)

/** The preconditions of the operations that an instruction names, one by one. */
const preconditionsIn = (document: string, instruction: string): string[] =>
  statedIn(document).flatMap(({ operation, preconditions }) => (instruction.includes(operation) ? preconditions : []))

interface Stated {
  operation: string
  preconditions: string[]
}

const read = new Map<string, Stated[]>()

/** All preconditions of a document. Documents come again and again: what they say is kept by their text. */
function statedIn(document: string): Stated[] {
  const known = read.get(document)
  if (known !== undefined) return known
  const stated: Stated[] = []
  for (const line of document.split('\n')) {
    const operation = /^\* \*\*Operation:\*\* `([^`]+)`/.exec(line)?.[1]
    if (operation !== undefined) stated.push({ operation, preconditions: [] })
    if (line.startsWith('* **Preconditions:**')) stated.at(-1)?.preconditions.push(...line.split('; '))
  }
  if (read.size >= 64) read.clear()
  read.set(document, stated)
  return stated
}
