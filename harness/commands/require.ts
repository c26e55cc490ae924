import { onStderr } from '../report/colour.js'
import { checkRequirement, misses, parseRequirement } from '../compare/requirement.js'
import type { Requirement } from '../compare/requirement.js'
import type { Metric } from '../define/index.js'
import type { Summary } from '../report/summary.js'
import type { Plan } from '../run/plan.js'
import { exit } from './exit.js'

/** Before anything runs: requirements that cannot be met are the user's mistake. */
export function requirementsOf(
  texts: readonly string[] | undefined,
  plan: Plan,
  metrics: readonly Metric[],
): Requirement[] {
  const requirements = (texts ?? []).map(parseRequirement)
  const known = {
    agents: plan.trials.map(({ agent, agentParams }) => ({ name: agent, params: agentParams })),
    environments: plan.trials.map(({ scenario }) => ({ name: scenario.environment, params: scenario.params })),
    metrics: metrics.map(({ name }) => name),
  }
  for (const requirement of requirements) checkRequirement(requirement, known)
  return requirements
}

/** A sentence per miss, and the exit code. */
export function meet(requirements: readonly Requirement[], summary: Summary): number {
  const missed = requirements.flatMap((requirement) => misses(requirement, summary.groups))
  for (const { sentence } of missed) process.stderr.write(`${onStderr.red(sentence)}\n`)
  return missed.length === 0 ? exit.fine : exit.regression
}
