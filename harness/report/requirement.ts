import { UserError } from '../contract/index.js'
import type { Group, Json, MetricSummary, Rate } from '../contract/index.js'
import { VIOLATED, metricOf } from './compare/pairs.js'
import { delivered, paramsApart } from './table.js'
import type { Owner } from './table.js'

/** A name, with the parameters that tell its cases apart: `water-hammer[rampMs=1000]`. */
interface Selector {
  name: string
  params: Record<string, string>
}

function parseSelector(text: string): Selector {
  const [, name = text, inner = ''] = /^([^[]*)(?:\[(.*)\])?$/.exec(text) ?? []
  const pairs = inner
    .split(',')
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const at = part.indexOf('=')
      if (at < 1) throw new UserError(`"${part}" in "${text}" is no parameter. Write name[parameter=value].`)
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    })
  return { name, params: Object.fromEntries(pairs) }
}

const selects = (selected: Selector, { name, params }: Owner): boolean =>
  selected.name === name &&
  Object.entries(selected.params).every(([key, value]) => key in params && scalarText(params[key] ?? null) === value)

const scalarText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `s-ora@water-hammer[rampMs=1000].solved >= 0.95`, or of the bound of an interval: `lower(s-ora.solved) >= 0.9`. */
export interface Requirement {
  text: string
  bound: 'lower' | 'upper' | null
  agent: Selector
  /** Null: every case. */
  environment: Selector | null
  column: string
  operator: Operator
  value: number
}

const holds = {
  '>=': (value: number, bound: number) => value >= bound,
  '<=': (value: number, bound: number) => value <= bound,
  '==': (value: number, bound: number) => value === bound,
  '>': (value: number, bound: number) => value > bound,
  '<': (value: number, bound: number) => value < bound,
}
type Operator = keyof typeof holds
const isOperator = (text: string | undefined): text is Operator => text !== undefined && text in holds

const NAME = String.raw`[a-z0-9][a-z0-9-]*(?:\[[^\]]*\])?`
const SHAPE = new RegExp(
  String.raw`^(?:(lower|upper)\(\s*)?(${NAME})(?:@(${NAME}))?\.([a-z0-9_]+(?:\.[A-Za-z0-9_]+)?)(\s*\))?\s*(>=|<=|==|>|<)\s*(-?\d+(?:\.\d+)?)(\s*%)?$`,
)

export function parseRequirement(text: string): Requirement {
  const match = SHAPE.exec(text.trim())
  const [, bound, agent, environment, column, closed, operator, value, percent] = match ?? []
  if (
    agent === undefined ||
    column === undefined ||
    !isOperator(operator) ||
    (bound === undefined) !== (closed === undefined)
  )
    throw new UserError(
      `"${text}" is no requirement. Write AGENT.METRIC>=VALUE, AGENT@ENVIRONMENT.METRIC<VALUE or lower(AGENT.solved)>=VALUE; ` +
        `operators: ${Object.keys(holds).join(' ')}.`,
    )
  const rate = column === 'solved' || column === VIOLATED
  if (bound !== undefined && !rate)
    throw new UserError(
      `"${text}" asks for a bound of ${column}, but only solved and ${VIOLATED} have an interval here.`,
    )
  return {
    text: text.trim(),
    bound: bound === 'lower' || bound === 'upper' ? bound : null,
    agent: parseSelector(agent),
    environment: environment === undefined ? null : parseSelector(environment),
    column,
    operator,
    value: Number(value) / (percent === undefined ? 1 : 100),
  }
}

type Bounds = Pick<Rate, 'rate' | 'low' | 'high'>

/** One group of a run's summary, as far as a requirement looks at it. */
export interface Measured extends Pick<Group, 'model' | 'thinking'> {
  environment: Owner
  agent: Owner
  solved: Bounds
  violated: Bounds
  metrics: Readonly<Record<string, Pick<MetricSummary, 'mean'>>>
}

/** A sentence for every group that the requirement names and that does not meet it, or has no value. */
export function misses(requirement: Requirement, groups: readonly Measured[]): string[] {
  const asked = groups.filter((group) => isMeant(requirement, group))
  if (asked.length === 0) return [`${requirement.text} is missed: no trial of it was finished.`]
  return asked.flatMap((group) => {
    const value = valueOf(requirement, group)
    if (value !== null && holds[requirement.operator](value, requirement.value)) return []
    const { bound, column } = requirement
    const what = bound === null ? column : `the ${bound} bound of ${column}`
    const where = caseOf(group, groups)
    const found = value === null ? 'has no value' : `is ${Number(value.toPrecision(6))}`
    return [`${requirement.text} is missed: ${what} ${found} in ${where}.`]
  })
}

/** As a selector names it, by what tells it from the other groups: `water-hammer[rampMs=1000]/s-ora/sim:typical`. */
function caseOf({ environment, agent, model, thinking }: Measured, groups: readonly Measured[]): string {
  const named = (own: Owner, all: readonly Owner[]): string => {
    const params = paramsApart(own, all).map(([key, value]) => `${key}=${scalarText(value)}`)
    return params.length === 0 ? own.name : `${own.name}[${params.join(',')}]`
  }
  const worlds = groups.map((group) => delivered(group.environment))
  const agents = groups.map((group) => group.agent)
  const policies = new Set(groups.map((group) => group.thinking))
  return [
    named(delivered(environment), worlds),
    named(agent, agents),
    ...(model === null ? [] : [model]),
    ...(policies.size > 1 ? [thinking] : []),
  ].join('/')
}

const isMeant = ({ agent, environment }: Requirement, group: Measured): boolean =>
  selects(agent, group.agent) && (environment === null || selects(environment, delivered(group.environment)))

function valueOf({ column, bound }: Requirement, group: Measured): number | null {
  if (column !== 'solved' && column !== VIOLATED) return group.metrics[column]?.mean ?? null
  const rate = column === 'solved' ? group.solved : group.violated
  return bound === null ? rate.rate : bound === 'lower' ? rate.low : rate.high
}

/** Refuses, before anything runs, a requirement that names what the run will not have. */
export function checkRequirement(
  { text, agent, environment, column }: Requirement,
  plan: { agents: readonly Owner[]; environments: readonly Owner[]; metrics: readonly string[] },
): void {
  if (!plan.agents.some((own) => selects(agent, own)))
    throw new UserError(`"${text}" names no agent of this run. Known: ${owners(plan.agents)}.`)
  if (environment !== null && !plan.environments.some((own) => selects(environment, delivered(own))))
    throw new UserError(`"${text}" names no environment of this run. Known: ${owners(plan.environments)}.`)
  const metrics = [...plan.metrics, VIOLATED].toSorted()
  if (!metrics.includes(metricOf(column)))
    throw new UserError(`"${text}" names no metric. Known: ${metrics.join(', ')}.`)
}

const owners = (all: readonly { name: string }[]): string => [...new Set(all.map(({ name }) => name))].join(', ')
