import { UserError } from '../define/index.js'
import type { Suite } from '../define/index.js'
import { gradersOf } from '../metrics/graders.js'
import { parseThinking } from '../model/thinking.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../run/discover.js'
import { versionsOf } from '../run/header.js'
import type { RunHeader } from '../run/header.js'
import { planSuite } from '../run/plan.js'
import type { Definitions, Plan } from '../run/plan.js'
import { loadSuite } from '../run/suite-file.js'
import { applyParams, overrideSuite } from './overrides.js'
import type { RunArguments } from './run-options.js'

export interface Prepared {
  plan: Plan
  definitions: Definitions
}

/** The plan of a new run. */
export async function prepare(given: RunArguments): Promise<Prepared> {
  return planned(await suiteOf(given, await loadSuite(given.suite ?? 'default')))
}

/** The plan of a run that goes on: refused, with the difference, where the suite or a version is another one by now. */
export async function prepareResumed(given: RunArguments, header: RunHeader): Promise<Prepared> {
  const asked = await suiteOf(given, given.suite === undefined ? header.suite : await loadSuite(given.suite))
  const changes = differences({ ...header.suite }, { ...asked })
  if (changes.length > 0) {
    throw new UserError(
      `The run has another suite: ${changes.join('; ')}. Resume it without these options, or start another run.`,
    )
  }
  const prepared = await planned(asked)
  const newer = [
    ...differences(header.versions, versionsOf(prepared.plan.trials)),
    ...differences(header.graders, gradersOf(await loadMetrics())),
  ]
  if (newer.length > 0) {
    throw new UserError(
      `The run was made with other versions: ${newer.join('; ')}. Its trials would not be comparable; start another run.`,
    )
  }
  return prepared
}

async function suiteOf(given: RunArguments, base: Suite): Promise<Suite> {
  const suite = overrideSuite(base, given)
  for (const thinking of [suite.thinking].flat()) parseThinking(thinking)
  await checkMargins(suite)
  const { environments, agents } = await loadDefinitions(suite)
  return applyParams(suite, given, new Map([...environments, ...agents].map(([name, { params }]) => [name, params])))
}

/** The plan of a suite that is complete. */
export async function planned(suite: Suite): Promise<Prepared> {
  const definitions = await loadDefinitions(suite)
  return { plan: planSuite(suite, definitions), definitions }
}

/** `key: before → after` for every key that differs. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => [key, JSON.stringify(before[key]), JSON.stringify(after[key])])
    .filter(([, a, b]) => a !== b)
    .map(([key, a, b]) => `${key}: ${a} → ${b}`)
}

async function loadDefinitions(suite: Suite): Promise<Definitions> {
  const [agents, environments] = await Promise.all([
    Promise.all(names(suite.agents).map(loadAgent)),
    Promise.all(names(suite.environments).map(loadEnvironment)),
  ])
  return {
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    environments: new Map(environments.map((environment) => [environment.name, environment])),
  }
}

const names = (uses: Suite['agents']): string[] => [
  ...new Set(uses.map((use) => (typeof use === 'string' ? use : use.use))),
]

async function checkMargins({ margins }: Suite): Promise<void> {
  const known = ['violated', ...(await loadMetrics()).map(({ name }) => name)]
  for (const name of Object.keys(margins)) {
    if (!known.includes(name.split('.')[0] ?? name)) {
      throw new UserError(`The suite has a margin for "${name}", which is no metric. Known: ${known.join(', ')}.`)
    }
  }
}
