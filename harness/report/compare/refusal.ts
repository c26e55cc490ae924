import { UserError } from '../../contract/index.js'
import type { Json, JsonObject } from '../../contract/index.js'
import { ASPECTS, measured } from './pairs.js'
import type { Aspect, Match, Matching, Side } from './pairs.js'

/** What `--allow` takes: a difference that is compared all the same. */
export const ALLOWABLE = [...ASPECTS, 'metric-version'] as const
export type Allowable = (typeof ALLOWABLE)[number]

const words: Record<Aspect, string> = {
  clock: 'the clock policy differs',
  'environment-version': 'the version of the environment differs',
  params: 'the parameters of the environment differ',
  'agent-params': 'the parameters of the agent differ',
  model: 'the model differs',
  thinking: 'the thinking policy differs',
  limits: 'the limits differ',
  cache: 'the settings of the prompt cache differ',
}

/** Thrown where a comparison would mean nothing. */
export class Refused extends UserError {
  override name = 'Refused'
}

/** Refuses, with every reason, two sides that differ in more than is allowed; else returns the differences as notes. */
export function refuseOrNote(
  [base, candidate]: readonly [Side, Side],
  { matches }: Matching,
  allow: ReadonlySet<Allowable>,
): string[] {
  const reasons: string[] = []
  const notes: string[] = []
  const needed = new Set<Allowable>()
  const tell = (aspect: Allowable, sentence: string): void => {
    if (allow.has(aspect)) return void notes.push(`Compared although ${sentence}.`)
    needed.add(aspect)
    reasons.push(sentence)
  }
  for (const aspect of ASPECTS) {
    const apart = matches.filter(({ differing }) => differing.includes(aspect))
    for (const [values, labels] of byValues(apart, aspect)) {
      const [first = '', ...others] = labels
      const where = others.length === 0 ? first : `${first} and ${others.length} more`
      tell(aspect, `${words[aspect]} (${values}) in ${where}`)
    }
  }
  const metrics = regraded(base, candidate)
  if (metrics.length > 0) tell('metric-version', `the version of a metric differs: ${metrics.join(', ')}`)
  if (reasons.length === 0) return notes
  throw new Refused(
    `${base.name} and ${candidate.name} cannot be compared: ${reasons.join('; ')}. ` +
      `To compare all the same: --allow ${[...needed].join(',')}.`,
  )
}

function byValues(matches: readonly Match[], aspect: Aspect): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { base, candidate } of matches) {
    const values = difference(base.aspects[aspect], candidate.aspects[aspect])
    const where = base.label === candidate.label ? base.label : `${base.label} → ${candidate.label}`
    found.set(values, [...(found.get(values) ?? []), where])
  }
  return found
}

/** Of objects only the keys that differ. */
function difference(base: string, candidate: string): string {
  const [one, other]: [Json, Json] = [JSON.parse(base), JSON.parse(candidate)]
  if (!isObject(one) || !isObject(other)) return `${show(one)} → ${show(other)}`
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .map((key) => `${key}: ${show(one[key])} → ${show(other[key])}`)
    .join(', ')
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: Json | undefined): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value)

function regraded(base: Side, candidate: Side): string[] {
  return Object.entries(base.graders).flatMap(([metric, version]) => {
    const other = candidate.graders[metric]
    return other === undefined || other === version ? [] : [`${metric} ${version} → ${other}`]
  })
}

/** Metrics that one side alone has measured: nothing can be said of them. */
export function oneSided(base: Side, candidate: Side): { onlyBase: string[]; onlyCandidate: string[] } {
  const [one, other] = [measured(base), measured(candidate)]
  return {
    onlyBase: [...one].filter((metric) => !other.has(metric)).toSorted(),
    onlyCandidate: [...other].filter((metric) => !one.has(metric)).toSorted(),
  }
}
