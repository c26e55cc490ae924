import type { InferredOptionTypes } from 'yargs'
import { UserError, modelLabel, withDelivery } from '../contract/index.js'
import type { JsonObject, ModelEntry, Suite, Trace, TrialIdentity, Use } from '../contract/index.js'
import { onStdout } from '../report/console.js'
import { embeddingsIn, isSimulated, openAllEmbeddings, openModel } from '../run/models.js'
import type { Catalogue } from '../run/registry.js'
import { firstDivergence, identityOf } from '../run/replay.js'
import type { Definition } from '../run/replay.js'
import { parseStep, playWhatIf } from '../run/what-if.js'
import { narrativeOf, sideBySide, verdictChange } from '../trace/side-by-side.js'
import { parseParams, parseWorldParams, worldSchema } from '../trial/params.js'
import { askerAmong, programIn } from '../trial/team.js'
import { exit, flag, option, repeated } from './command.js'
import { confirmCost } from './confirm.js'
import { applyParams } from './run-options.js'

export const whatIfOptions = {
  from: option(
    'What if: what was asked before this record (120) or virtual time (12.5s) is answered by the record, the rest by the live model. Without it all is live',
  ),
  param: repeated(
    'What if: name=value or owner.name=value; may be repeated. It acts from the start of the world; a past that it changes before --from is refused',
  ),
  agent: option('What if: another agent, from the start (it cannot go on with the memory of the recorded one)'),
  model: option('What if: another model'),
  full: flag('What if: unfold long texts'),
  json: flag('Print the result as JSON'),
  yes: flag('Do not ask before calls to a real model'),
}
type WhatIfOptions = InferredOptionTypes<typeof whatIfOptions>

/** The agent and the environment of a trial, as they are today. */
export async function definitionOf({ agent, scenario }: TrialIdentity, catalogue: Catalogue): Promise<Definition> {
  return {
    agent: await catalogue.agent(catalogue.nameOf('agent', agent)),
    environment: await catalogue.environment(catalogue.nameOf('env', scenario.environment)),
  }
}

/** Plays another future of a trial, and prints both stories side by side. `models`: those of its run, by what trials call them. */
export async function tellWhatIf(
  recorded: Trace,
  given: WhatIfOptions,
  catalogue: Catalogue,
  models: ReadonlyMap<string, ModelEntry>,
): Promise<number> {
  const told = identityOf(recorded)
  const agent = catalogue.nameOf('agent', given.agent ?? told.agent)
  const definition = await definitionOf({ ...told, agent }, catalogue)
  checkFrom(told, agent, given)
  const { identity, changes } = changed(told, definition, given)
  const from = given.from === undefined ? { text: 'the start', calls: 0 } : parseStep(given.from, recorded)
  const { model } = identity
  const entry = given.model ?? models.get(model ?? '') ?? model
  const live = entry === null || model === null ? null : openModel(entry, { env: process.env })
  const names = embeddingsIn([identity], named(definition))
  const embeddings = openAllEmbeddings(names, { env: process.env })
  if ([...names, ...(model === null ? [] : [model])].some((name) => !isSimulated(name)))
    await confirmCost({ plan: { trials: [identity] }, definitions: named(definition) }, given)
  const played = await playWhatIf(recorded, { ...definition, identity, live, embeddings, from })

  const what = `what if ${changes.join(', ') || 'nothing is changed'}, live from ${from.text}`
  const left = narrativeOf(recorded, `recorded: ${told.id}`, given)
  const right = narrativeOf(played, what, given)
  const result = {
    trial: told.id,
    changes,
    from: from.text,
    recordedCalls: from.calls,
    verdict: verdictChange(left, right),
    firstDifference: firstDivergence([...played.slice(0, 1), ...recorded.slice(1)], played),
    recorded: { identity: told, ...left },
    whatIf: { identity, ...right },
  }
  const stories = { width: process.stdout.columns ?? 160, colour: onStdout }
  process.stdout.write(
    `${given.json ? JSON.stringify(result, null, 2) : sideBySide(left, right, stories).join('\n')}\n`,
  )
  return right.verdict === 'infrastructure_error' ? exit.infrastructure : exit.fine
}

function checkFrom({ agent, model }: TrialIdentity, other: string, given: WhatIfOptions): void {
  if (given.from === undefined) return
  if (other !== agent) {
    throw new UserError(
      `${other} cannot go on with the memory of ${agent}: --agent replaces it from the start. Leave out --from.`,
    )
  }
  if (model === null) {
    throw new UserError(`${agent} asked no model, so there are no answers to keep. Leave out --from.`)
  }
}

const named = ({ agent, environment }: Definition) => ({
  agents: new Map([[agent.name, agent]]),
  environments: new Map([[environment.name, environment]]),
})

/** The identity of the other future, and in words what it changes. */
function changed(
  told: TrialIdentity,
  { agent, environment }: Definition,
  given: WhatIfOptions,
): { identity: TrialIdentity; changes: string[] } {
  const program = programIn(agent)
  if (program !== null)
    throw new UserError(`${program.name} is a program: it lives in real time, and the recorded trial in virtual time.`)
  const same = agent.name === told.agent
  const before = { world: told.scenario.params, agent: same ? told.agentParams : {} }
  const asked = assigned(given.param, { agent, environment })
  const world = parseWorldParams(environment, { ...before.world, ...asked.world })
  const agentParams = parseParams(agent.name, agent.params, { ...before.agent, ...asked.agent })
  const asker = askerAmong(agent, agentParams)
  if (asker !== null)
    throw new UserError(`${asker.name} asks a person, who lives in real time, and the recorded trial in virtual time.`)
  const model = modelFor(told, agent, given.model)
  const changes = [
    ...(same ? [] : [`${agent.name} (was ${told.agent})`]),
    ...(model === told.model ? [] : [`model ${model ?? 'none'} (was ${told.model ?? 'none'})`]),
    ...Object.keys(asked.world).map((key) => assignment(key, withDelivery(world), withDelivery(before.world))),
    ...Object.keys(asked.agent).map((key) => assignment(key, agentParams, before.agent)),
  ]
  const identity: TrialIdentity = {
    ...told,
    id: `${told.id} (what if)`,
    scenario: { ...told.scenario, environmentVersion: environment.version, params: world },
    agent: agent.name,
    agentVersion: agent.version,
    agentParams,
    model,
  }
  return { identity, changes }
}

function assignment(key: string, now: JsonObject, before: JsonObject): string {
  const was = Object.hasOwn(before, key) ? ` (was ${JSON.stringify(before[key])})` : ''
  return `${key} = ${JSON.stringify(now[key])}${was}`
}

/** `--param` by owner: the same names and the same mistakes as of a run. */
function assigned(param: string[] | undefined, { agent, environment }: Definition) {
  const uses: Pick<Suite, 'agents' | 'environments'> = { agents: [agent.name], environments: [environment.name] }
  const schemas = new Map([
    [environment.name, worldSchema(environment)],
    [agent.name, agent.params],
  ])
  const { agents, environments } = applyParams(uses, { param }, schemas)
  return { agent: paramsOf(agents[0]), world: paramsOf(environments[0]) }
}

const paramsOf = (use: Use | undefined): JsonObject => (use === undefined || typeof use === 'string' ? {} : use.params)

function modelFor(told: TrialIdentity, agent: Definition['agent'], model: string | undefined): string | null {
  if (!agent.usesModel) {
    if (model === undefined) return null
    throw new UserError(`${agent.name} asks no model. Leave out --model.`)
  }
  const name = model === undefined ? told.model : modelLabel(model)
  if (name !== null) return name
  throw new UserError(
    `${told.agent} asked no model, and ${agent.name} does. Name one with --model, such as sim:typical.`,
  )
}
