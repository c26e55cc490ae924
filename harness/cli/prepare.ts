import { UserError } from '../contract/index.js'
import type { Suite } from '../contract/index.js'
import { gradersOf } from '../metrics/measure.js'
import { parseThinking } from '../model/thinking.js'
import { versionsOf } from '../run/header.js'
import type { RunHeader } from '../run/header.js'
import { planSuite } from '../run/plan.js'
import type { Definitions, Plan } from '../run/plan.js'
import type { PlugInKind } from '../run/plug-in.js'
import { createCatalogue, loadMetrics, nameIn } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { loadSuite, suiteFolders } from '../run/suite-file.js'
import { worldSchema } from '../trial/params.js'
import { applyParams, overrideSuite, split } from './run-options.js'
import type { Overrides, RunArguments } from './run-options.js'

export interface Prepared {
  plan: Plan
  definitions: Definitions
  /** The files from outside that it needs. */
  plugins: string[]
}

/** The plan of a new run. */
export async function prepare(given: RunArguments): Promise<Prepared> {
  const catalogue = createCatalogue()
  const suite = await suiteOf(given, await readSuite(given.suite ?? 'default', catalogue, given), catalogue)
  return planned(suite, catalogue)
}

/** The plan of a run that goes on: refused, with the difference, where the suite or a version is another one by now. */
export async function prepareResumed(given: RunArguments, header: RunHeader): Promise<Prepared> {
  const catalogue = createCatalogue(header.plugins)
  const base = given.suite === undefined ? header.suite : await readSuite(given.suite, catalogue, given)
  const asked = await suiteOf(given, base, catalogue)
  const changes = differences({ ...header.suite }, { ...asked })
  if (changes.length > 0) {
    throw new UserError(
      `The run has another suite: ${changes.join('; ')}. Resume it without these options, or start another run.`,
    )
  }
  const prepared = await planned(asked, catalogue)
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

async function readSuite(nameOrPath: string, catalogue: Catalogue, given: Overrides): Promise<Suite> {
  const suite = catalogue.named(await loadSuite(nameOrPath), suiteFolders(nameOrPath))
  const { agents, environments } = suite
  if (given.agents === undefined)
    await checkUses(agents, `${nameOrPath}: agents`, (name) => catalogue.has('agent', name) || catalogue.agent(name))
  if (given.environments === undefined)
    await checkUses(
      environments,
      `${nameOrPath}: environments`,
      (name) => catalogue.has('env', name) || catalogue.environment(name),
    )
  return suite
}

/** What a suite names and nobody knows is told with its place there. */
async function checkUses(uses: Suite['agents'], place: string, load: (name: string) => unknown): Promise<void> {
  for (const [index, use] of uses.entries()) {
    try {
      await load(nameIn(use))
    } catch (error) {
      throw error instanceof UserError ? new UserError(`${place}.${index}: ${error.message}`) : error
    }
  }
}

async function suiteOf(given: RunArguments, base: Suite, catalogue: Catalogue): Promise<Suite> {
  const suite = overrideSuite(base, namedOverrides(given, catalogue))
  for (const thinking of [suite.thinking].flat()) parseThinking(thinking)
  await checkMargins(suite)
  const { environments, agents } = await loadDefinitions(suite, catalogue)
  const schemas = new Map([
    ...[...environments].map(([name, environment]) => [name, worldSchema(environment)] as const),
    ...[...agents].map(([name, { params }]) => [name, params] as const),
  ])
  return applyParams(suite, given, schemas)
}

/** The command line names files, too; from here on all have names. */
function namedOverrides(given: RunArguments, catalogue: Catalogue): Overrides {
  const names = (kind: PlugInKind, text: string | undefined) =>
    split(text)
      ?.map((name) => catalogue.nameOf(kind, name))
      .join(',')
  return { ...given, agents: names('agent', given.agents), environments: names('env', given.environments) }
}

/** The plan of a suite that is complete. */
export async function planned(given: Suite, catalogue: Catalogue = createCatalogue()): Promise<Prepared> {
  const suite = catalogue.named(given)
  const definitions = await loadDefinitions(suite, catalogue)
  return { plan: planSuite(suite, definitions), definitions, plugins: catalogue.filesOf(suite) }
}

/** `key: before → after` for every key that differs. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => [key, JSON.stringify(before[key]), JSON.stringify(after[key])])
    .filter(([, a, b]) => a !== b)
    .map(([key, a, b]) => `${key}: ${a} → ${b}`)
}

async function loadDefinitions(suite: Suite, catalogue: Catalogue): Promise<Definitions> {
  const [agents, environments] = await Promise.all([
    Promise.all(names(suite.agents).map((name) => catalogue.agent(name))),
    Promise.all(names(suite.environments).map((name) => catalogue.environment(name))),
  ])
  return {
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    environments: new Map(environments.map((environment) => [environment.name, environment])),
  }
}

const names = (uses: Suite['agents']): string[] => [...new Set(uses.map(nameIn))]

async function checkMargins({ margins }: Suite): Promise<void> {
  const known = ['violated', ...(await loadMetrics()).map(({ name }) => name)]
  for (const name of Object.keys(margins)) {
    if (!known.includes(name.split('.')[0] ?? name)) {
      throw new UserError(`The suite has a margin for "${name}", which is no metric. Known: ${known.join(', ')}.`)
    }
  }
}
