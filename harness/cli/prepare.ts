import { UserError, modelsIn } from '../contract/index.js'
import type { Metric, Suite } from '../contract/index.js'
import { gradersOf } from '../metrics/measure.js'
import { parseThinking } from '../model/thinking.js'
import { metricOf } from '../report/compare/pairs.js'
import { runHeader, versionsOf } from '../run/header.js'
import type { RunHeader } from '../run/header.js'
import { isSimulated } from '../run/models.js'
import { planSuite, thinkingPolicies } from '../run/plan.js'
import type { Definitions, Plan } from '../run/plan.js'
import type { Kind } from '../run/plug-in.js'
import { createCatalogue, nameIn } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { loadSuite, suiteFolders } from '../run/suite-file.js'
import { worldSchema } from '../trial/params.js'
import { checkNames, split } from './command.js'
import { applyParams, overrideSuite } from './run-options.js'
import type { Overrides, RunArguments } from './run-options.js'

export interface Prepared {
  plan: Plan
  definitions: Definitions
  metrics: Metric[]
  /** The files from outside that it needs. */
  plugins: string[]
}

/** The plan of a new run. */
export async function prepare(given: RunArguments): Promise<Prepared> {
  const catalogue = createCatalogue()
  return suiteAsAsked(given, await readSuite(given.suite ?? 'default', catalogue), catalogue)
}

/** What identifies the run of a plan that starts now. */
export const headerOf = (
  { plan, metrics, plugins }: Prepared,
  run: string,
  now: Date,
  given: Pick<RunHeader, 'traces' | 'replays'>,
) => runHeader(run, plan.suite, plan.trials, { now, ...given, graders: gradersOf(metrics), plugins })

/** The plan of a run that goes on: refused, with the difference, where the suite or a version is another one by now. */
export async function prepareResumed(given: RunArguments, header: RunHeader): Promise<Prepared> {
  const catalogue = createCatalogue(header.plugins)
  const base = given.suite === undefined ? header.suite : await readSuite(given.suite, catalogue)
  const prepared = await suiteAsAsked(given, base, catalogue)
  const changes = differences({ ...header.suite }, { ...prepared.plan.suite })
  if (changes.length > 0) {
    throw new UserError(
      `The run has another suite: ${changes.join('; ')}. Resume it without these options, or start another run.`,
    )
  }
  const newer = [
    ...differences(header.versions, versionsOf(prepared.plan.trials)),
    ...differences(header.graders, gradersOf(prepared.metrics)),
  ]
  if (newer.length > 0) {
    throw new UserError(
      `The run was made with other versions: ${newer.join('; ')}. Its trials would not be comparable; start another run.`,
    )
  }
  return prepared
}

const readSuite = async (nameOrPath: string, catalogue: Catalogue): Promise<Suite> =>
  catalogue.named(await loadSuite(nameOrPath), suiteFolders(nameOrPath))

/** The plan of a suite with what the command line changes about it; every definition is loaded here, and once. */
async function suiteAsAsked(given: RunArguments, base: Suite, catalogue: Catalogue): Promise<Prepared> {
  const suite = overrideSuite(base, namedOverrides(given, catalogue))
  for (const thinking of thinkingPolicies(suite)) checkThinking(thinking, [...modelsIn(suite).keys()])
  const place = given.suite ?? (given.resume === undefined ? 'default' : undefined)
  const definitions = await loadDefinitions(suite, catalogue, {
    agents: given.agents === undefined ? place : undefined,
    environments: given.environments === undefined ? place : undefined,
  })
  const metrics = await catalogue.metrics()
  checkMargins(suite, metrics)
  const schemas = new Map([
    ...[...definitions.environments].map(([name, environment]) => [name, worldSchema(environment)] as const),
    ...[...definitions.agents].map(([name, { params }]) => [name, params] as const),
  ])
  const whole = applyParams(suite, given, schemas)
  return { plan: planSuite(whole, definitions), definitions, metrics, plugins: catalogue.filesOf(whole) }
}

function checkThinking(policy: string, models: readonly string[]): void {
  const { addedTokens } = parseThinking(policy)
  const real = models.find((model) => !isSimulated(model))
  if (addedTokens === 0 || real === undefined) return
  throw new UserError(
    `${addedTokens} thinking tokens cannot be added to ${real}, which reports its own: leave them out, or run simulated models alone.`,
  )
}

/** The command line names files, too; from here on all have names. */
function namedOverrides(given: RunArguments, catalogue: Catalogue): Overrides {
  const names = (kind: Kind, text: string | undefined) =>
    split(text)
      ?.map((name) => catalogue.nameOf(kind, name))
      .join(',')
  return {
    ...given,
    agents: names('agent', given.agents),
    environments: names('env', given.environments),
    metric: given.metric?.map((file) => catalogue.nameOf('metric', file)),
  }
}

/** The plan of a suite that is complete. */
export async function planned(given: Suite, catalogue: Catalogue = createCatalogue()): Promise<Prepared> {
  const suite = catalogue.named(given)
  const definitions = await loadDefinitions(suite, catalogue)
  const [plan, metrics] = [planSuite(suite, definitions), await catalogue.metrics()]
  return { plan, definitions, metrics, plugins: catalogue.filesOf(suite) }
}

/** `key: before → after` for every key that differs. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => [key, JSON.stringify(before[key]), JSON.stringify(after[key])])
    .filter(([, a, b]) => a !== b)
    .map(([key, a, b]) => `${key}: ${a} → ${b}`)
}

/** What a suite names and nobody knows is told with its place there: `places` are the beginnings of those places. */
async function loadDefinitions(
  suite: Suite,
  catalogue: Catalogue,
  places: { agents?: string | undefined; environments?: string | undefined } = {},
): Promise<Definitions> {
  const load = async <T>(kind: 'agents' | 'environments', of: (name: string) => Promise<T>) => {
    const loaded = new Map<string, T>()
    for (const [index, name] of suite[kind].map(nameIn).entries())
      try {
        loaded.set(name, loaded.get(name) ?? (await of(name)))
      } catch (error) {
        if (!(error instanceof UserError) || places[kind] === undefined) throw error
        throw new UserError(`${places[kind]}: ${kind}.${index}: ${error.message}`)
      }
    return loaded
  }
  const agents = await load('agents', catalogue.agent)
  const environments = await load('environments', catalogue.environment)
  for (const name of suite.metrics)
    if (!catalogue.has('metric', name))
      throw new UserError(
        `There is no metric file "${name}.metric.ts" here. Those of sora-bench are always measured; name a file of your own.`,
      )
  return { agents, environments }
}

function checkMargins({ margins }: Suite, metrics: readonly Metric[]): void {
  const known = ['violated', ...metrics.map(({ name }) => name)]
  const others = Object.keys(margins).filter((name) => !known.includes(metricOf(name)))
  checkNames(others, known, (name) => `The suite has a margin for "${name}", which is no metric.`)
}
