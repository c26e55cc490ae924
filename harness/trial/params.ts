import { z } from 'zod'
import { PERFECT_DELIVERY, UserError, deliverySchema } from '../contract/index.js'
import type { Delivery, Environment, JsonObject } from '../contract/index.js'

/** Validates parameters against their schema; the error names the owner, the value and the known parameters. */
export function parseParams(owner: string, schema: z.ZodObject, given: JsonObject): JsonObject {
  checkNames(owner, schema, given)
  const parsed = schema.safeParse(given)
  // They go into run.json: what JSON cannot hold must not decide a trial.
  if (parsed.success) return JSON.parse(JSON.stringify(parsed.data))
  const issues = parsed.error.issues.map((issue) => {
    const [name] = issue.path
    if (name === undefined) return issue.message
    const value = given[String(name)]
    return `${String(name)} = ${JSON.stringify(value) ?? 'default'}: ${issue.message.replace(/\.$/, '')}`
  })
  throw new UserError(`Parameters of ${owner} do not fit: ${issues.join('; ')}. See \`sora-bench describe ${owner}\`.`)
}

/** Throws a UserError for a name that the schema does not have. */
function checkNames(owner: string, schema: z.ZodObject, given: JsonObject): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name))
  if (unknown === undefined) return
  const known = Object.keys(schema.shape)
  const way = known.length === 0 ? `${owner} has no parameters` : `Known: ${known.join(', ')}`
  throw new UserError(`${owner} has no parameter "${unknown}". ${way}.`)
}

/** The parameters of a schema as tables and help show them, from its JSON Schema. */
export function paramRows(schema: z.ZodObject) {
  const json = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const options = typeof property === 'object' ? [property, ...(property.anyOf ?? [])] : []
    const pick = <T>(read: (option: z.core.JSONSchema.BaseSchema) => T | undefined): T | undefined =>
      options
        .map((option) => (typeof option === 'object' ? read(option) : undefined))
        .find((value) => value !== undefined)
    const values = pick((option) => option.enum)
    const low = pick((option) => option.minimum ?? option.exclusiveMinimum)
    const high = pick((option) => option.maximum ?? option.exclusiveMaximum)
    const types = options.flatMap((option) =>
      typeof option === 'object' && option.type !== undefined ? [option.type] : [],
    )
    return {
      name,
      type: types.join(' | '),
      range:
        values?.join(', ') ??
        (low === undefined && high === undefined ? '' : `${bound(low, '…')} to ${bound(high, '…')}`),
      default:
        JSON.stringify(pick((option) => option.default)) ??
        (json.required?.includes(name) === true ? 'required' : 'absent'),
      description: pick((option) => option.description) ?? '',
    }
  })
}

function bound(value: number | boolean | undefined, otherwise: string): string {
  return typeof value !== 'number' || Math.abs(value) === Number.MAX_SAFE_INTEGER ? otherwise : String(value)
}

type Owner = Pick<Environment, 'name' | 'params'>

/** The names that a world's parameters may have: the environment's own, and those of delivery. */
export function worldSchema({ name, params }: Owner): z.ZodObject {
  const taken = Object.keys(params.shape).find(isOfDelivery)
  if (taken !== undefined)
    throw new UserError(`${name} declares the parameter "${taken}", which every world has already: rename it.`)
  return z.object({ ...params.shape, ...deliverySchema.shape })
}

/** Validated, with the environment's own defaults. Of delivery only faults stay, so perfect worlds are what they always were. */
export function parseWorldParams(environment: Owner, given: JsonObject): JsonObject {
  const { name, params } = environment
  checkNames(name, worldSchema(environment), given)
  const { own, delivery } = split(given)
  const faults = Object.entries(parseParams(name, deliverySchema, delivery)).filter(isFault)
  return { ...parseParams(name, params, own), ...Object.fromEntries(faults) }
}

/** A scenario's parameters, taken apart for those whom they concern; `delivery` is null where it is perfect. */
export function splitWorldParams(params: JsonObject): { world: JsonObject; delivery: Delivery | null } {
  const { own, delivery } = split(params)
  const faulty = Object.entries(delivery).some(isFault)
  return { world: own, delivery: faulty ? deliverySchema.parse(delivery) : null }
}

const defaults: ReadonlyMap<string, unknown> = new Map(Object.entries(PERFECT_DELIVERY))

const isOfDelivery = (key: string): boolean => defaults.has(key)

const isFault = ([key, value]: [string, unknown]): boolean => defaults.get(key) !== value

function split(params: JsonObject): { own: JsonObject; delivery: JsonObject } {
  const entries = Object.entries(params)
  return {
    own: Object.fromEntries(entries.filter(([key]) => !isOfDelivery(key))),
    delivery: Object.fromEntries(entries.filter(([key]) => isOfDelivery(key))),
  }
}
