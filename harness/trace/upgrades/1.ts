import type { Json, JsonObject, NoteStyles } from '../../contract/index.js'

/** What agents told had kinds of its own in version 1, with fields that the harness knew; now it is notes. */
const styles = {
  phase: { means: 'phase' },
  plan: { colour: 'dim' },
  mount: { means: 'effect' },
  unmount: { means: 'effect' },
  guard: { means: 'value' },
  mismatch: { means: 'trouble', colour: 'yellow' },
  recall: {},
  unit: {},
  unit_result: { colour: 'yellow' },
  unit_failed: { means: 'trouble', colour: 'red' },
  expansion: {},
  inert: { means: 'trouble', colour: 'yellow' },
  ask: {},
  told: {},
  not_told: { colour: 'yellow' },
  depth_limit: { means: 'trouble', colour: 'yellow' },
} satisfies NoteStyles

/** A record of version 1 as one of version 2. */
export function upgrade({ n = null, at = null, role = null, activity = null, kind = null, ...fields }: JsonObject) {
  const who = { n, at, role, activity }
  if (kind === 'trial') return { ...who, kind, ...fields, version: 2, roles: rolesWithNotes(fields['roles']) }
  if (typeof kind !== 'string' || !Object.hasOwn(styles, kind)) return { ...who, kind, ...fields }
  const { name, data } = noteOf(kind, fields)
  const words = Object.values(data).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const line = name === 'phase' ? null : `${name}: ${words.join(' · ')}`
  return { ...who, kind: 'note', name, data, line }
}

function rolesWithNotes(roles: Json | undefined): Json {
  if (!Array.isArray(roles)) return []
  return roles.map((role: JsonObject) => ({ ...role, notes: styles }))
}

function noteOf(kind: string, fields: JsonObject): { name: string; data: JsonObject } {
  if (kind === 'phase') return { name: kind, data: { label: fields['phase'] ?? null, cycle: fields['cycle'] ?? null } }
  if (kind === 'guard') {
    return { name: kind, data: { value: { diverted: fields['from'] ?? null }, signals: fields['signals'] ?? [] } }
  }
  if (kind === 'unit_result' && fields['ended'] === 'hard') return { name: 'unit_failed', data: fields }
  if (kind === 'told' && fields['answer'] === null) return { name: 'not_told', data: {} }
  return { name: kind, data: fields }
}
