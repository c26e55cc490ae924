import { z } from 'zod'
import { clockPolicySchema } from './clock.js'
import { UserError } from './errors.js'
import { modelEntrySchema, modelLabel } from './models.js'
import type { ModelEntry } from './models.js'
import { strict } from './strict.js'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const useShape = {
  use: z.string().describe('The name of an agent or environment'),
  params: z.record(z.string(), scalar).default({}).describe('Fixed parameters'),
  grid: z
    .record(z.string(), z.array(scalar).min(1))
    .default({})
    .describe('Swept parameters: every combination is a case'),
}
const use = z.union([z.string(), strict(useShape)])
const agentUse = z.union([
  z.string(),
  strict({
    ...useShape,
    models: z.array(modelEntrySchema).min(1).optional().describe('The models of this agent, in place of the suite’s'),
  }),
])

/** The limits of a trial as a suite states them; what is absent takes these defaults. */
export const limitsSchema = strict({
  modelCalls: z.number().int().positive().default(200).describe('Model calls per trial'),
  tokens: z.number().int().positive().default(2_000_000).describe('Prompt and completion tokens per trial'),
  operations: z.number().int().positive().default(200).describe('Operations per trial'),
  virtualMs: z.number().positive().default(1_800_000).describe('Virtual time per trial (ms)'),
  costUsd: z.number().positive().nullable().default(null).describe('Cost per trial (USD), where the price is known'),
})

/** Limits of one trial. Reaching one is an outcome, never an error. */
export type Limits = z.output<typeof limitsSchema>

/** How long a simulated model's endpoint keeps prompts (docs/design.md#models). Real ones report what they had at hand. */
export const cacheSchema = strict({
  ttlMs: z
    .number()
    .nonnegative()
    .nullable()
    .default(300_000)
    .describe('How long after its last use a prompt is kept (virtual ms); 0: no cache, null: until the trial ends'),
  minimum: z.number().int().nonnegative().default(1_024).describe('The shortest beginning that is kept (tokens)'),
})
export type CacheSettings = z.output<typeof cacheSchema>
export const DEFAULT_CACHE = cacheSchema.parse({})

/** Of which level each agent is, per factor. The order of the factors and of their levels is that in which they are first named. */
export const factorsSchema = z
  .record(z.string(), z.record(z.string(), z.string()))
  .superRefine((factors, context) => {
    const message = factorsProblem(factors)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .describe(
    'Agents that differ in two factors and nothing else: agent: { factor: level, … }, a cell for every combination',
  )
export type Factors = z.output<typeof factorsSchema>

/** Null where the cells are a full cross of two factors, each combination once; else what is wrong. */
function factorsProblem(factors: Record<string, Record<string, string>>): string | null {
  const cells = Object.entries(factors)
  if (cells.length === 0) return 'names no agent'
  const names = Object.keys(cells[0]?.[1] ?? {})
  const odd = cells.find(([, cell]) => names.length !== 2 || Object.keys(cell).join() !== names.join())
  if (odd !== undefined)
    return `"${odd[0]}" has the factors ${Object.keys(odd[1]).join(', ') || 'none'}; every agent needs the same two, in one order`
  const levels = names.map((name) => new Set(cells.map(([, cell]) => cell[name])).size)
  const distinct = new Set(cells.map(([, cell]) => JSON.stringify(cell))).size
  const full = levels.reduce((product, count) => product * count, 1)
  return distinct === cells.length && full === cells.length && levels.every((count) => count > 1)
    ? null
    : `${names.join(' × ')} has ${levels.join(' × ')} levels, so it needs ${full} agents, one for each combination and at least two levels each`
}

const addedTokens = z.number().int().nonnegative().max(1_000_000)

/** A suite: which agents and models meet which environments, how often (docs/design.md#words). One schema for `.suite.ts` and `.suite.yaml`. */
export const suiteSchema = strict({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'lower-case letters, digits and dashes'),
  summary: z.string().default(''),
  seed: z.number().int().nonnegative().describe('Seeds every scenario together with the environment and its index'),
  scenarios: z.number().int().min(1).max(100_000).describe('Scenarios per case'),
  replicas: z.number().int().min(1).max(1_000).default(1).describe('Trials per scenario, agent and model'),
  agents: z.array(agentUse).min(1),
  environments: z.array(use).min(1),
  models: z
    .array(modelEntrySchema)
    .min(1)
    .default(['sim:typical'])
    .describe('Each a name, such as sim:typical or openai:gpt-5-mini?temperature=0, or an object (docs/models.md)'),
  thinking: z
    .union([z.string(), z.array(z.string()).min(1)])
    .default('tokens')
    .describe('tokens[:profile or tokens a second] | fixed:MS | zero | measured; a list is swept'),
  thinkingTokens: z
    .union([addedTokens, z.array(addedTokens).min(1)])
    .default(0)
    .describe('Completion tokens that reasoning adds to each answer of a simulated model; a list is swept'),
  clock: clockPolicySchema.default('virtual').describe('virtual | wall[:SPEED], real time so many times as fast'),
  limits: limitsSchema.default(limitsSchema.parse({})),
  cache: cacheSchema.default(DEFAULT_CACHE).describe('What a simulated model has at hand of earlier prompts'),
  factors: factorsSchema.optional(),
  fronts: z
    .boolean()
    .optional()
    .describe(
      'Report what each setting of an agent costs and achieves, and choose its best one on half of the scenarios',
    ),
  metrics: z
    .array(z.string())
    .default([])
    .describe('Metrics of your own beside all others: NAME.metric.ts files, as seen from this one'),
  margins: z
    .record(z.string(), z.number().positive())
    .default({})
    .describe(
      'Per metric, what `compare` takes for no difference: absolute for rates, relative for the rest (0.1 = 10 %)',
    ),
})
export type Suite = z.output<typeof suiteSchema>
export type SuiteInput = z.input<typeof suiteSchema>
export type Use = Suite['agents'][number]

/** The models that an agent of a suite is played with. */
export const modelsOfUse = (suite: Pick<Suite, 'models'>, given: Use): ModelEntry[] =>
  (typeof given === 'string' ? undefined : given.models) ?? suite.models

/** Every model that a suite names, by its label. Throws where one label stands for two models. */
export function modelsIn(suite: Pick<Suite, 'models' | 'agents'>): Map<string, ModelEntry> {
  const models = new Map<string, ModelEntry>()
  for (const entry of suite.agents.flatMap((each) => modelsOfUse(suite, each))) {
    const label = modelLabel(entry)
    const other = models.get(label)
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(entry))
      throw new UserError(`Two models of the suite are called "${label}". Tell them apart with \`as\`.`)
    models.set(label, entry)
  }
  return models
}

/** Returns its argument: it is here for inference. The runner validates it. */
export const defineSuite = (suite: SuiteInput): SuiteInput => suite
