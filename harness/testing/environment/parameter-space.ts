import { z } from 'zod'
import type { Environment, Json, JsonObject, Stream } from '../../contract/index.js'

/** What one parameter may be: its extreme values, and a draw between them. */
export interface Domain {
  extremes: Json[]
  draw(stream: Stream): Json
}
export type Space = Record<string, Domain>

const numeric = z.looseObject({ type: z.enum(['integer', 'number']), minimum: z.number(), maximum: z.number() })
const choice = z.looseObject({ enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])) })
const constant = z.looseObject({ const: z.union([z.string(), z.number(), z.boolean(), z.null()]) })
const union = z.looseObject({ anyOf: z.array(z.json()) })
const named = z.looseObject({ type: z.enum(['boolean', 'null']) })

function fixed(values: Json[]): Domain {
  return { extremes: values, draw: (stream) => stream.pick(values) }
}

function domainOf(name: string, schema: unknown): Domain {
  const number = numeric.safeParse(schema)
  if (number.success) {
    const { type, minimum, maximum } = number.data
    return {
      extremes: [minimum, maximum],
      draw: (stream) => (type === 'integer' ? stream.integer(minimum, maximum) : stream.uniform(minimum, maximum)),
    }
  }
  const listed = choice.safeParse(schema)
  if (listed.success) return fixed(listed.data.enum)
  const single = constant.safeParse(schema)
  if (single.success) return fixed([single.data.const])
  const simple = named.safeParse(schema)
  if (simple.success) return fixed(simple.data.type === 'null' ? [null] : [false, true])
  const either = union.safeParse(schema)
  if (either.success) {
    const domains = either.data.anyOf.map((option) => domainOf(name, option))
    return {
      extremes: domains.flatMap((domain) => domain.extremes),
      draw: (stream) => stream.pick(domains).draw(stream),
    }
  }
  throw new Error(
    `Parameter "${name}" is ${JSON.stringify(schema)}: it must be a bounded number, an enum, a boolean or null.`,
  )
}

/** The space that an environment's schema spans, in the order of its keys. */
export function parameterSpace(params: Environment['params']): Space {
  const { properties } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, domainOf(name, schema)]))
}

/** The defaults, each extreme alone, each pair of extremes, and all least and all greatest: every corner two at a time. */
export function corners(space: Space): JsonObject[] {
  const names = Object.keys(space)
  const single = names.flatMap((name) => (space[name]?.extremes ?? []).map((value) => ({ name, value })))
  const pairs = single.flatMap((one, index) =>
    single
      .slice(index + 1)
      .filter((other) => other.name !== one.name)
      .map((other) => ({ [one.name]: one.value, [other.name]: other.value })),
  )
  const all = (pick: (values: Json[]) => Json | undefined) =>
    Object.fromEntries(names.map((name) => [name, pick(space[name]?.extremes ?? []) ?? null]))
  return [
    {},
    ...single.map(({ name, value }) => ({ [name]: value })),
    ...pairs,
    all((values) => values[0]),
    all((values) => values.at(-1)),
  ]
}

/** Values anywhere in the space; one in five stands at an extreme, so that combinations of those come up too. */
export function drawParams(space: Space, stream: Stream): JsonObject {
  const draw = (domain: Domain) => (stream.chance(0.2) ? stream.pick(domain.extremes) : domain.draw(stream))
  return Object.fromEntries(Object.entries(space).map(([name, domain]) => [name, draw(domain)]))
}
