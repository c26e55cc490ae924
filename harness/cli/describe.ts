import { UserError, deliverySchema } from '../contract/index.js'
import type { Agent, Environment, Metric } from '../contract/index.js'
import { surfaces } from '../door/surfaces/index.js'
import { onStdout } from '../report/console.js'
import { KINDS, plugInName } from '../run/plug-in.js'
import type { Kind } from '../run/plug-in.js'
import { createCatalogue, filesHere, isPath, pluginFiles } from '../run/registry.js'
import type { Catalogue } from '../run/registry.js'
import { loadSuite } from '../run/suite-file.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { wholeGoal } from '../trial/goals.js'
import { paramRows } from '../trial/params.js'
import { openWorld } from '../world/open.js'
import { defineCommand, flag, needed, option } from './command.js'
import { columns } from './terminal.js'

/** One thing in full: parameters with units and ranges, documents, surface. */
export const describeCommand = defineCommand({
  command: 'describe <name>',
  describe: 'Describe an agent, environment, suite, metric or reporter in full',
  builder: (y) =>
    y
      .positional('name', needed('Its name (see `list`), or a file of your own such as NAME.env.ts or NAME.suite.yaml'))
      .option('document', option('Print this document of an environment'))
      .option('prompts', flag('Print the fixed texts of an agent’s prompts'))
      .example('$0 describe water-hammer', 'goal, tools, documents, parameters')
      .example('$0 describe water-hammer --document hydraulics', 'one manual as an agent reads it')
      .example('$0 describe s-ora', 'surface and parameters of an agent')
      .example('$0 describe s-ora --prompts', 'what its model is told in each phase'),
  async run({ name, document, prompts }) {
    process.stdout.write(`${prompts ? await describePrompts(name) : await describeThing(name, document)}\n`)
  },
})

/** As its parameters are by default. */
async function describePrompts(name: string): Promise<string> {
  const catalogue = createCatalogue()
  const named = catalogue.nameOf('agent', name)
  if (!catalogue.has('agent', named)) throw new UserError(`No agent named "${name}". See \`sora-bench list\`.`)
  const agent = await catalogue.agent(named)
  const prompts = Object.entries(agent.prompts?.(agent.params.parse({})) ?? {})
  if (prompts.length === 0) throw new UserError(`${agent.name} has no fixed prompts to print.`)
  return prompts.map(([phase, text]) => `${onStdout.bold(phase)}\n${text}`).join('\n\n')
}

async function describeThing(name: string, document: string | undefined): Promise<string> {
  const catalogue = createCatalogue()
  const ofFile = KINDS.filter((kind) => isPath(name) && plugInName(kind, name) !== null)
  for (const kind of ofFile.length > 0 ? ofFile : KINDS) {
    const text = await describeAs(kind, name, catalogue, document)
    if (text !== null) return text
  }
  const known = KINDS.flatMap((kind) => [...pluginFiles(kind).keys()])
  throw new UserError(`Nothing is named "${name}". Known: ${known.join(', ')}.`)
}

/** Null where nothing of that kind bears the name. */
async function describeAs(
  kind: Kind,
  text: string,
  catalogue: Catalogue,
  document: string | undefined,
): Promise<string | null> {
  if (kind === 'suite') {
    const known = isPath(text) || pluginFiles('suite').has(text) || filesHere('suite').has(text)
    return known ? JSON.stringify(await loadSuite(text), null, 2) : null
  }
  if (kind === 'metric' && !isPath(text)) {
    const metric = (await catalogue.metrics()).find(({ name }) => name === text)
    if (metric !== undefined) return describeMetric(metric)
  }
  const name = catalogue.nameOf(kind, text)
  if (!catalogue.has(kind, name)) return null
  if (kind === 'agent') return describeAgent(await catalogue.agent(name))
  if (kind === 'env') return describeEnvironment(await catalogue.environment(name), document)
  if (kind === 'metric') return (await catalogue.metricsIn(name)).map(describeMetric).join('\n\n')
  const reporter = await catalogue.reporter(name)
  const able = (['run', 'comparison'] as const).filter((hook) => reporter[hook] !== undefined)
  const of = able.map((hook) => `a ${hook}`).join(' and ')
  return `${onStdout.bold(name)} (reporter of ${of}, for -o FILE.${name}): ${reporter.summary}`
}

function describeMetric({ name, summary, unit, better, source }: Metric): string {
  const rows = Object.entries({ unit, better, source })
  return `${onStdout.bold(name)}: ${summary}\n${columns(rows, 2)}`
}

function describeAgent(agent: Agent): string {
  const surface = `${agent.surface}: ${surfaces[agent.surface].summary}`
  const model = agent.usesModel ? 'asks a model' : 'asks no model (a control)'
  return [
    `${onStdout.bold(agent.name)} (agent, version ${agent.version}): ${agent.summary}`,
    columns(Object.entries({ surface, model }), 2),
    '',
    parameters(agent),
  ].join('\n')
}

function describeEnvironment(environment: Environment, document: string | undefined): string {
  const params = environment.params.parse({})
  const world = openWorld(environment, {
    params,
    random: createRandom('describe'),
    clock: createVirtualClock(),
    record: () => {},
  })
  if (document !== undefined) {
    const found = world.documents.find(({ id }) => id === document)
    if (found !== undefined) return found.text
    const known = world.documents.map(({ id }) => id).join(', ')
    throw new UserError(`${environment.name} has no document "${document}". Known: ${known}.`)
  }
  const tools = world.tools.map(({ name, summary, operations, properties, signals }) => {
    const parts = Object.entries({ operations, properties, signals }).filter(([, each]) => each.length > 0)
    const rows = parts.map(([part, each]) => [part, each.map((one) => one.name).join(', ')])
    return `  ${name}: ${summary}\n${columns(rows, 4)}`
  })
  const roles = environment.roles(params, createRandom('describe')).map((role) => [role.name, wholeGoal(role)])
  const documents = world.documents.map(({ id, covers, summary }) => [id, `covers ${covers.join(', ')}`, summary])
  return [
    `${onStdout.bold(environment.name)} (environment, version ${environment.version}): ${environment.summary}`,
    `${onStdout.bold('goals')}\n${columns(roles, 2)}`,
    [onStdout.bold('tools'), ...tools].join('\n'),
    `${onStdout.bold('documents (print one with --document ID)')}\n${columns(documents, 2)}`,
    `${onStdout.bold('violations')}\n  ${Object.keys(world.saboteurs).join(', ')}`,
    parameters(environment),
    parameters(
      { params: deliverySchema },
      'delivery of doorbells, state and documents, in every world (--param name=value)',
    ),
  ].join('\n\n')
}

function parameters(owner: Pick<Agent | Environment, 'params'>, title = 'parameters (--param name=value)'): string {
  const rows = paramRows(owner.params).map((row) => Object.values({ ...row, default: `default ${row.default}` }))
  return rows.length === 0 ? `${onStdout.bold('parameters')}\n  none` : `${onStdout.bold(title)}\n${columns(rows, 2)}`
}
