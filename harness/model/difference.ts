/** Where two texts part: the number of the line, and the two lines cut around it; null where a text has ended. */
export interface Difference {
  line: number
  recorded: string | null
  now: string | null
}

const BEFORE = 40
const SHOWN = 120

export function firstDifference(recorded: string, now: string): Difference | null {
  if (recorded === now) return null
  const [left, right] = [recorded.split('\n'), now.split('\n')]
  const index = left.findIndex((line, i) => line !== right[i])
  const at = index < 0 ? left.length : index
  const [was, is] = [left[at] ?? null, right[at] ?? null]
  const from = was === null || is === null ? 0 : Math.max(0, commonLength(was, is) - BEFORE)
  return { line: at + 1, recorded: excerpt(was, from), now: excerpt(is, from) }
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function excerpt(line: string | null, from: number): string | null {
  if (line === null) return null
  const end = from + SHOWN
  return `${from > 0 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`
}
