import type { Told } from './telemetry.js'

/** A moment of both stories: told the same on both sides, or on each side what it has; null where it has nothing. */
export type Row = { same: Told } | { left: Told | null; right: Told | null }

/** Both stories in the order of virtual time. What both tell at the same instant in the same words is one row. */
export function align(left: readonly Told[], right: readonly Told[]): Row[] {
  const times = [...new Set([...left, ...right].map(({ at }) => at))].toSorted((a, b) => a - b)
  const [ours, theirs] = [byTime(left), byTime(right)]
  return times.flatMap((at) => instant(ours.get(at) ?? [], theirs.get(at) ?? []))
}

function byTime(told: readonly Told[]): Map<number, Told[]> {
  const groups = new Map<number, Told[]>()
  for (const line of told) {
    const group = groups.get(line.at)
    if (group === undefined) groups.set(line.at, [line])
    else group.push(line)
  }
  return groups
}

function instant(left: readonly Told[], right: readonly Told[]): Row[] {
  const rows: Row[] = []
  let rest = right
  let alone: Told[] = []
  const flush = (others: readonly Told[]): void => {
    for (let i = 0; i < Math.max(alone.length, others.length); i++) {
      rows.push({ left: alone[i] ?? null, right: others[i] ?? null })
    }
    alone = []
  }
  for (const line of left) {
    const index = rest.findIndex(({ who, text }) => who === line.who && text === line.text)
    if (index < 0) {
      alone.push(line)
      continue
    }
    flush(rest.slice(0, index))
    rows.push({ same: line })
    rest = rest.slice(index + 1)
  }
  flush(rest)
  return rows
}
