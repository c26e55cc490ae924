import { hash } from 'node:crypto'
import type { z } from 'zod'
import { DEFAULT_CACHE, UserError, modelLabel, modelSeats, modelsIn, modelsOfUse } from '../contract/index.js'
import type { Agent, Environment, Json, JsonObject, Scenario, Suite, TrialIdentity, Use } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { checkLifetimes } from '../trial/memory.js'
import { parseParams, parseWorldParams } from '../trial/params.js'
import { askerAmong, checkTeam, programIn } from '../trial/team.js'

/** What a suite's names stand for. */
export interface Definitions {
  agents: ReadonlyMap<string, Agent>
  environments: ReadonlyMap<string, Environment>
}

/** A suite resolved: every trial with all that decides it, scenario by scenario, so that an early end still leaves pairs. */
export interface Plan {
  suite: Suite
  trials: TrialIdentity[]
}

/** Suite → plan, pure (docs/design.md#house). Throws a UserError for parameters that do not fit. */
export function planSuite(suite: Suite, definitions: Definitions): Plan {
  const environments = suite.environments.flatMap((use) =>
    cases(use, suite.environments, definitions.environments, parseWorldParams),
  )
  modelsIn(suite)
  const agents = suite.agents.flatMap((use) => {
    const models = modelsOfUse(suite, use).map(modelLabel)
    const played = cases(use, suite.agents, definitions.agents, ({ name, params }, given) =>
      parseParams(name, params, given),
    )
    return played.map((each) => ({ ...each, models }))
  })
  for (const { definition, params } of agents) checkLifetimes(definition, params)
  const [program] = agents.flatMap(({ definition }) => programIn(definition) ?? [])
  if (program !== undefined && suite.clock === 'virtual') {
    throw new UserError(
      `${program.name} is a program of its own: it lives in real time. Add --clock wall, or clock: wall to the suite.`,
    )
  }
  const [asker] = agents.flatMap(({ definition, params }) => askerAmong(definition, params) ?? [])
  if (asker !== undefined && suite.clock === 'virtual') {
    throw new UserError(
      `${asker.name} asks a person, who lives in real time. Add --clock wall, or clock: wall to the suite, or parameters that ask nobody (\`sora-bench describe ${asker.name}\`).`,
    )
  }
  for (const { definition, params } of environments) {
    const roles = rolesOf(definition, params)
    if (roles === null) continue
    for (const agent of agents) {
      checkTeam(agent.definition, definition.name, roles)
      if (agent.definition.usesModel) for (const model of agent.models) checkSeats(model, definition.name, roles)
    }
  }
  const thinkings = thinkingPolicies(suite)
  const { ttlMs, minimum } = suite.cache
  const cached = ttlMs !== DEFAULT_CACHE.ttlMs || minimum !== DEFAULT_CACHE.minimum
  const trials: TrialIdentity[] = []
  for (const environment of environments) {
    for (let index = 0; index < suite.scenarios; index++) {
      const scenario: Scenario = {
        environment: environment.definition.name,
        environmentVersion: environment.definition.version,
        params: environment.params,
        index,
        seed: scenarioSeed(suite.seed, environment.definition.name, index),
      }
      for (const agent of agents) {
        const { usesModel, thinks = false } = agent.definition
        // To what does not think one policy is as good as another.
        const policies = usesModel || thinks ? thinkings : thinkings.slice(0, 1)
        for (const [model, thinking] of pairs(usesModel ? agent.models : [null], policies)) {
          for (let replica = 0; replica < suite.replicas; replica++) {
            const parts = [environment.label, agent.label]
            if (model !== null) parts.push(model)
            if (policies.length > 1) parts.push(thinking)
            parts.push(String(index))
            if (replica > 0) parts.push(`r${replica}`)
            trials.push({
              id: parts.join('/'),
              scenario,
              agent: agent.definition.name,
              agentVersion: agent.definition.version,
              agentParams: agent.params,
              model,
              replica,
              clock: suite.clock,
              thinking,
              limits: suite.limits,
              ...(cached && { cache: suite.cache }),
            })
          }
        }
      }
    }
  }
  const ids = new Set<string>()
  for (const { id } of trials) {
    if (ids.has(id))
      throw new UserError(`The suite plans the trial "${id}" twice: name every agent, case, model and policy once.`)
    ids.add(id)
  }
  return { suite, trials }
}

/** Throws where the models of roles and a world's roles do not fit together. */
function checkSeats(model: string, environment: string, roles: readonly string[]): void {
  const seats = modelSeats(model)?.map(([role]) => role)
  if (seats === undefined || seats.includes('*')) return
  const wrong = seats.find((seat) => !roles.includes(seat)) ?? roles.find((role) => !seats.includes(role))
  if (wrong === undefined) return
  throw new UserError(
    `The models "${model}" do not fit ${environment}, for the sake of ${wrong}. Its roles: ${roles.join(', ')}; * stands for all others.`,
  )
}

/** Each thinking policy with each count of tokens that reasoning adds, by the names that identities have. */
export function thinkingPolicies({ thinking, thinkingTokens }: Pick<Suite, 'thinking' | 'thinkingTokens'>): string[] {
  return pairs([thinking].flat(), [thinkingTokens].flat()).map(([policy, added]) =>
    added === 0 ? policy : `${policy}+${added}`,
  )
}

/** Null where the environment throws: its trials will tell, and the others go on. */
function rolesOf(environment: Environment, params: JsonObject): string[] | null {
  try {
    return environment.roles(params, createRandom('roles')).map(({ name }) => name)
  } catch {
    return null
  }
}

/** H(suite seed, environment, i): equal over cases, agents and models (docs/design.md#time). */
export function scenarioSeed(suiteSeed: number, environment: string, index: number): string {
  return hash('sha256', JSON.stringify([suiteSeed, environment, index]), 'hex').slice(0, 16)
}

const pairs = <A, B>(left: readonly A[], right: readonly B[]): [A, B][] =>
  left.flatMap((a) => right.map((b): [A, B] => [a, b]))

interface Case<D> {
  definition: D
  params: JsonObject
  /** The name, with what the grid swept: `water-hammer[rampMs=1000]`. */
  label: string
}

function cases<D extends { name: string; params: z.ZodObject }>(
  use: Use,
  uses: readonly Use[],
  definitions: ReadonlyMap<string, D>,
  parse: (definition: D, given: JsonObject) => JsonObject,
): Case<D>[] {
  const { use: name, params, grid } = typeof use === 'string' ? { use, params: {}, grid: {} } : use
  const definition = definitions.get(name)
  if (definition === undefined) throw new Error(`The plan lacks the definition of "${name}".`)
  const both = Object.keys(grid).find((key) => key in params)
  if (both !== undefined) throw new UserError(`${name} has "${both}" both in params and in grid. Keep one of them.`)
  let points: JsonObject[] = [{}]
  for (const [key, values] of Object.entries(grid)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [key]: value })))
  }
  // Who stands beside a namesake is told from it by what is fixed as well.
  const namesakes = uses.filter((other) => (typeof other === 'string' ? other : other.use) === name).length > 1
  return points.map((point) => {
    const whole = { ...params, ...point }
    const told = Object.entries(namesakes ? whole : point).map(([key, value]) => `${key}=${scalarText(value)}`)
    const label = told.length === 0 ? name : `${name}[${told.join(',')}]`
    return { definition, params: parse(definition, whole), label }
  })
}

const scalarText = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value))
