import canonicalize from 'canonicalize'
import type { Json, TrialIdentity, TrialLine } from '../../contract/index.js'

/** What two trials must have in common to be compared, beside environment, agent and seed. Agent versions may differ: they are what one compares. */
export const ASPECTS = [
  'clock',
  'environment-version',
  'params',
  'agent-params',
  'model',
  'thinking',
  'limits',
] as const
export type Aspect = (typeof ASPECTS)[number]

const aspectOf: Record<Aspect, (identity: TrialIdentity) => Json> = {
  clock: ({ clock }) => clock,
  'environment-version': ({ scenario }) => scenario.environmentVersion,
  params: ({ scenario }) => scenario.params,
  'agent-params': ({ agentParams }) => agentParams,
  model: ({ model }) => model,
  thinking: ({ thinking }) => thinking,
  limits: ({ limits }) => ({ ...limits }),
}

/** The trials of one case × agent × model × thinking policy, scenario by scenario. */
export interface Group {
  /** Like the ids of its trials: `water-hammer[rampMs=1000]/s-ora/sim:typical`. */
  label: string
  environment: string
  agent: string
  aspects: Record<Aspect, string>
  first: TrialIdentity
  /** By index and seed; replicas in their order. */
  scenarios: Map<string, TrialLine[]>
}

/** Groups in the order of their first lines. A trial that stands twice counts once: the last. */
export function groupLines(lines: Iterable<TrialLine>): Group[] {
  const groups = new Map<string, Group>()
  for (const line of lines) {
    const { identity } = line
    const aspects = aspectsOf(identity)
    const key = canonical([identity.scenario.environment, identity.agent, ...ASPECTS.map((aspect) => aspects[aspect])])
    const group = groups.get(key) ?? newGroup(identity, aspects)
    groups.set(key, group)
    const scenario = `${identity.scenario.index}/${identity.scenario.seed}`
    const others = (group.scenarios.get(scenario) ?? []).filter((other) => other.identity.replica !== identity.replica)
    group.scenarios.set(
      scenario,
      [...others, line].toSorted((a, b) => a.identity.replica - b.identity.replica),
    )
  }
  return [...groups.values()]
}

function newGroup(identity: TrialIdentity, aspects: Record<Aspect, string>): Group {
  const { scenario, agent } = identity
  return {
    label: groupLabel(identity),
    environment: scenario.environment,
    agent,
    aspects,
    first: identity,
    scenarios: new Map(),
  }
}

/** The id without scenario and replica. */
export function groupLabel({ id }: TrialIdentity): string {
  return id.replace(/\/\d+(\/r\d+)?$/, '')
}

function aspectsOf(identity: TrialIdentity): Record<Aspect, string> {
  const text = (aspect: Aspect): string => canonical(aspectOf[aspect](identity))
  return {
    clock: text('clock'),
    'environment-version': text('environment-version'),
    params: text('params'),
    'agent-params': text('agent-params'),
    model: text('model'),
    thinking: text('thinking'),
    limits: text('limits'),
  }
}

export const canonical = (value: Json): string => canonicalize(value) ?? ''

/** Equal identities give equal traces: the model is none, or the simulated one, and time is virtual. */
export function isDeterministic({ first: { model, clock, thinking } }: Group): boolean {
  return clock === 'virtual' && thinking !== 'measured' && (model === null || model.startsWith('sim:'))
}
