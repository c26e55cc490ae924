import type { Reading, Scalar } from '../../harness/contract/index.js'
import { TOOL_ID } from './semantic-memory.js'
import type { SemanticMemory } from './semantic-memory.js'

/** A value that a mounted document does not allow (thesis 4.2.2). `range` is as the document prints it. */
export interface Mismatch {
  tool: string
  property: string
  value: Scalar
  range: string
}

interface Range {
  tool: string
  property: string
  range: string
  allows: (value: Scalar) => boolean
}

/** The readings that lie outside of what the mounted documents state. */
export function mismatchesIn(
  { mounted, memory }: { mounted: ReadonlySet<string>; memory: Pick<SemanticMemory, 'text'> },
  readings: readonly Reading[],
): Mismatch[] {
  const ranges = [...mounted].flatMap((id) => rangesOf(memory.text(id) ?? ''))
  return readings.flatMap(({ tool, properties }) =>
    ranges.flatMap((stated): readonly Mismatch[] => {
      const { property, range, allows } = stated
      const value = stated.tool === tool ? properties[property]?.value : undefined
      return value === undefined || allows(value) ? NONE : [{ tool, property, value, range }]
    }),
  )
}

const NONE: readonly Mismatch[] = []
const read = new Map<string, Range[]>()

/** The property tables of a document, one per `Tool ID`. Documents come again and again: what they say is kept. */
function rangesOf(text: string): Range[] {
  const known = read.get(text)
  if (known !== undefined) return known
  const ranges: Range[] = []
  let tool = ''
  let inTable = false
  for (const line of text.split('\n')) {
    tool = TOOL_ID.exec(line)?.[1] ?? tool
    if (/^\|\s*Property\s*\|\s*Type\s*\|\s*Range/.test(line)) inTable = true
    else if (!line.startsWith('|')) inTable = false
    const [, property, range] = /^\|\s*`([^`]+)`\s*\|[^|]*\|([^|]*)\|/.exec(line) ?? []
    if (!inTable || property === undefined || range === undefined) continue
    ranges.push({ tool, property, range: range.trim(), allows: allowing(range.trim()) })
  }
  if (read.size >= 64) read.clear()
  read.set(text, ranges)
  return ranges
}

const NUMBER = String.raw`\`(-?\d+(?:\.\d+)?)\``
const BETWEEN = new RegExp(`^${NUMBER} - ${NUMBER}`)
const BOUNDS: readonly [RegExp, (value: number, bound: number) => boolean][] = [
  [new RegExp(`at least ${NUMBER}`), (value, bound) => value >= bound],
  [new RegExp(`above ${NUMBER}`), (value, bound) => value > bound],
  [new RegExp(`at most ${NUMBER}`), (value, bound) => value <= bound],
  [new RegExp(`below ${NUMBER}`), (value, bound) => value < bound],
]

/** What a range allows; one that cannot be read allows everything. */
function allowing(range: string): (value: Scalar) => boolean {
  const between = BETWEEN.exec(range)
  if (between !== null) {
    const [least, most] = [Number(between[1]), Number(between[2])]
    return (value) => typeof value === 'number' && value >= least && value <= most
  }
  const bounds = BOUNDS.flatMap(([pattern, holds]) => {
    const bound = pattern.exec(range)?.[1]
    return bound === undefined ? [] : [(value: number) => holds(value, Number(bound))]
  })
  if (bounds.length > 0) return (value) => typeof value === 'number' && bounds.every((holds) => holds(value))
  if (!/^`[^`]*`(?:, `[^`]*`)*$/.test(range)) return () => true
  return (value) => range.includes(`\`${String(value)}\``)
}

/** Can two values differ in what a requirement says of them? Numbers do on both sides of its bound, other values always. */
export function mayHaveChanged(requirement: string, before: Scalar, after: Scalar): boolean {
  if (typeof before !== 'number' || typeof after !== 'number') return true
  const [, stated] = /(?:above|below|at least|at most) `(-?\d+(?:\.\d+)?)/.exec(requirement) ?? []
  if (stated === undefined) return true
  const bound = Number(stated)
  return Math.sign(before - bound) !== Math.sign(after - bound)
}
