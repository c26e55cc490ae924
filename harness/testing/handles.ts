/**
 * What keeps this process alive, by kind. The answer names the kinds of which there are more when it is asked: what
 * other tests of the process left, and closes meanwhile, is nobody's fault.
 */
export function watchHandles(): () => string[] {
  const before = handles()
  return () => Object.entries(handles()).flatMap(([kind, count]) => (count > (before[kind] ?? 0) ? [kind] : []))
}

function handles(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
