import type { TrialIdentity, TrialLine } from '../contract/index.js'
import { identityOf } from './trace-builder.js'

/** A line of `trials.jsonl` for tests. */
export function trialLine(
  { scenario = 0, ...identity }: Partial<Omit<TrialIdentity, 'scenario'>> & { scenario?: number },
  line: Partial<Omit<TrialLine, 'identity' | 'version'>> = {},
): TrialLine {
  const base = identityOf(identity)
  return {
    version: 1,
    identity: { ...base, scenario: { ...base.scenario, index: scenario, seed: `seed-${scenario}` } },
    outcome: 'solved',
    metrics: { solved: true, violations: 0, model_calls: 4, makespan_ms: 12_000 },
    behaviour: null,
    error: null,
    ...line,
  }
}
