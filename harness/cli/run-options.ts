import type { Argv, InferredOptionTypes } from 'yargs'
import type { z } from 'zod'
import { UserError, suiteSchema } from '../contract/index.js'
import type { Suite, Use } from '../contract/index.js'
import type { TracePolicy } from '../run/header.js'
import { pluginFiles } from '../run/registry.js'
import { flag, numeric, option, repeated, split } from './command.js'
import { outputOptions } from './report.js'

const tracePolicies: TracePolicy[] = ['all', 'failures', 'none']

const options = {
  agents: option('Comma list of names and NAME.agent.ts files, or all'),
  environments: option('Comma list of names and NAME.env.ts files, or all'),
  metric: repeated('A NAME.metric.ts file to measure beside all others; may be repeated'),
  model: option(
    'Comma list: sim:PROFILE[?trait=value&…], PRESET:NAME[?temperature=0&…], or any NAME behind OPENAI_BASE_URL; ROLE=MODEL+ROLE=MODEL for roles',
  ),
  scenarios: numeric('Scenarios per case'),
  replicas: numeric('Trials per scenario, agent and model'),
  seed: numeric('The suite’s seed'),
  param: repeated('name=value or owner.name=value; may be repeated'),
  grid: repeated('name=a,b,c: one case per value; may be repeated'),
  limit: repeated(
    'name=value of a trial’s limits (modelCalls, tokens, operations, virtualMs, costUsd); may be repeated',
  ),
  'max-cost': numeric('USD that the run may spend; it stops before the call that could exceed it'),
  'budget-tokens': numeric('Tokens of prompts and answers that the run may spend, of all models; the same'),
  plan: flag('Print trials, calls, tokens, cost and time as far as they can be foreseen, and run nothing'),
  thinking: option('tokens[:profile or tokens a second] | fixed:MS | zero | measured; a comma list is swept'),
  'thinking-tokens': option(
    'Completion tokens that reasoning adds to each answer of a simulated model; a comma list is swept',
  ),
  cache: repeated('name=value of a simulated model’s prompt cache (ttlMs, minimum); may be repeated'),
  clock: option('virtual | wall[:SPEED], real time so many times as fast'),
  concurrency: { ...numeric('Trials of a real model side by side'), default: 4 },
  out: option('The run’s folder (default: results/<suite>-<time>)'),
  resume: option('Go on with this run, where it was killed or interrupted'),
  'retry-errors': flag('With --resume: redo the trials that infrastructure ended, and them alone'),
  record: option('Keep every call to a model in this folder, for --replay and `replay`'),
  replay: option('Take the answers of the models from this folder instead of asking them'),
  'live-on-miss': flag('With --replay: ask the models what the folder does not hold, and add it'),
  require: repeated('Exit with 100 unless this holds, e.g. "s-ora.solved>=0.95"; may be repeated'),
  traces: { choices: tracePolicies, default: 'all' as const, describe: 'Which traces to keep' },
  json: flag('Print the summary as JSON'),
  yes: flag('Do not ask before calls to a real model'),
}

/** Options with one value each. yargs makes a list of what is repeated. */
export const SINGLE = Object.entries(options).flatMap(([name, parts]) =>
  'array' in parts || ('type' in parts && parts.type === 'boolean') ? [] : [name],
)

/** The options and examples of `run`. */
export const runBuilder = (y: Argv) =>
  y
    .positional(
      'suite',
      option('A suite’s name (default: default), here or of sora-bench, or a .suite.ts / .suite.yaml file'),
    )
    .options(outputOptions())
    .options(options)
    .requiresArg(SINGLE)
    .example('$0 run', 'the default suite')
    .example('$0 run smoke --agents all', 'every agent on three scenarios')
    .example('$0 run default --agents react-sync,s-ora --scenarios 200', 'a closer look at two')
    .example('$0 run default --grid rampMs=1000,10000,100000', 'the same for three lengths of the ramp')
    .example('$0 run default --model "sim:careful?patience=0.8&impasse=stall"', 'another reader')
    .example('$0 run smoke --model gpt-4o-mini --concurrency 8', 'a real model (OPENAI_API_KEY)')
    .example('$0 run smoke --environments ./greenhouse.env.ts', 'a world of your own (docs/environments.md)')
    .example('$0 run smoke --metric ./waits.metric.ts', 'a metric of your own in tables, charts and CSV')
    .example('$0 run --require "s-ora.solved>=0.95"', 'a gate without a baseline')
    .example('$0 run smoke --model gpt-4o-mini --record results/recorded', 'every call kept, to play it again offline')
    .example('$0 run smoke --replay results/recorded --agents s-ora', 'the recorded answers, as far as they carry')
    .example('$0 run --resume results/mine --retry-errors', 'what is missing, and what infrastructure ended')

type Options = InferredOptionTypes<typeof options>
export type RunArguments = Options &
  InferredOptionTypes<ReturnType<typeof outputOptions>> & { suite: string | undefined }

/** What the command line may change about a suite. */
export type Overrides = Partial<Omit<Options, 'concurrency' | 'traces'>>

/** The owner of a parameter: an agent's or an environment's schema. */
type Schemas = ReadonlyMap<string, z.ZodObject>

/** The suite with the agents, environments, models and numbers of the command line. */
export function overrideSuite(suite: Suite, given: Overrides): Suite {
  const changed = {
    ...suite,
    agents: pick(given.agents, suite.agents, 'agent').map((use) =>
      given.model === undefined ? use : withoutModels(use),
    ),
    environments: pick(given.environments, suite.environments, 'env'),
    metrics: [...new Set([...suite.metrics, ...(given.metric ?? [])])],
    models: split(given.model) ?? suite.models,
    thinking: split(given.thinking) ?? suite.thinking,
    thinkingTokens: split(given['thinking-tokens'])?.map(scalar) ?? suite.thinkingTokens,
    clock: given.clock ?? suite.clock,
    scenarios: given.scenarios ?? suite.scenarios,
    replicas: given.replicas ?? suite.replicas,
    seed: given.seed ?? suite.seed,
    limits: { ...suite.limits, ...settings('limit', given.limit) },
    cache: { ...suite.cache, ...settings('cache', given.cache) },
  }
  const parsed = suiteSchema.safeParse(changed)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${optionOf(path)}: ${message}`)
  throw new UserError(`The options do not make a suite: ${issues.join('; ')}.`)
}

/** The command line names the models of all agents. */
const withoutModels = (use: Use): Use => {
  if (typeof use === 'string') return use
  const { models: _models, ...rest } = use
  return rest
}

/** The option that a place in the suite comes from. */
const optionOf = ([first, ...rest]: readonly PropertyKey[]): string => {
  if (first === 'limits') return ['--limit', ...rest].join(' ')
  if (first === 'cache') return ['--cache', ...rest].join(' ')
  return `--${[first === 'thinkingTokens' ? 'thinking-tokens' : first, ...rest].join('.')}`
}

/** `--param k=v`, `--param owner.k=v`, `--grid k=a,b`: to every agent and environment that has the parameter. */
export function applyParams<S extends Pick<Suite, 'agents' | 'environments'>>(
  suite: S,
  given: Pick<Overrides, 'param' | 'grid'>,
  schemas: Schemas,
): S {
  let { agents, environments } = suite
  for (const [text, axis] of [
    ...(given.param ?? []).map((t) => [t, false] as const),
    ...(given.grid ?? []).map((t) => [t, true] as const),
  ]) {
    const { owner, key, value } = parseAssignment(text, axis)
    const known = [...schemas].filter(([name]) => owner === null || owner === name)
    if (known.length === 0)
      throw new UserError(
        `"${owner}" in "${text}" is none of this run's agents and environments: ${[...schemas.keys()].join(', ')}.`,
      )
    const owners = known.filter(([, schema]) => Object.hasOwn(schema.shape, key)).map(([name]) => name)
    if (owners.length === 0) {
      const all = known.flatMap(([name, schema]) => Object.keys(schema.shape).map((param) => `${name}.${param}`))
      throw new UserError(`No parameter "${key}" in "${text}". Known: ${all.join(', ')}.`)
    }
    const change = (use: Use): Use => {
      const full = typeof use === 'string' ? { use, params: {}, grid: {} } : use
      if (!owners.includes(full.use)) return use
      const { [key]: _param, ...params } = full.params
      const { [key]: _axis, ...grid } = full.grid
      return axis
        ? { ...full, params, grid: { ...grid, [key]: value.split(',').map(scalar) } }
        : { ...full, grid, params: { ...params, [key]: scalar(value) } }
    }
    agents = agents.map(change)
    environments = environments.map(change)
  }
  return { ...suite, agents, environments }
}

const EXAMPLES = {
  limit: 'no limit. Write --limit name=value, e.g. --limit modelCalls=500',
  cache: 'no setting of the prompt cache. Write --cache name=value, e.g. --cache ttlMs=3600000',
}

/** `--limit k=v`, `--cache k=v`; the schema of suites knows the names. */
function settings(named: keyof typeof EXAMPLES, given: string[] = []): Record<string, ReturnType<typeof scalar>> {
  return Object.fromEntries(
    given.map((text) => {
      const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(text) ?? []
      if (key !== undefined && value !== undefined) return [key, scalar(value)]
      throw new UserError(`"${text}" is ${EXAMPLES[named]}.`)
    }),
  )
}

function parseAssignment(text: string, axis: boolean): { owner: string | null; key: string; value: string } {
  // Of a team, the role stands before the key: `ODD.guard`.
  const match = /^(?:([a-z0-9-]+)\.)?((?:(?:[A-Z][A-Za-z0-9_-]*|\*)\.)?[A-Za-z][A-Za-z0-9]*)=(.*)$/.exec(text)
  const [, owner, key, value] = match ?? []
  if (key === undefined || value === undefined) {
    throw new UserError(
      `"${text}" is no assignment. Write ${axis ? '--grid name=a,b,c' : '--param name=value'}, or owner.name=….`,
    )
  }
  return { owner: owner ?? null, key, value }
}

function scalar(text: string): string | number | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Names keep the parameters that the suite gives them; `all` is every plug-in. */
function pick(text: string | undefined, uses: Use[], kind: 'agent' | 'env'): Use[] {
  if (text === undefined) return uses
  const names = text === 'all' ? [...pluginFiles(kind).keys()] : (split(text) ?? [])
  return names.flatMap((name): Use[] => {
    const own = uses.filter((use) => (typeof use === 'string' ? use : use.use) === name)
    return own.length > 0 ? own : [name]
  })
}
