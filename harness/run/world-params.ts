import { z } from 'zod'
import { deliverySchema, PERFECT_DELIVERY, UserError } from '../define/index.js'
import type { Delivery, Environment, JsonObject } from '../define/index.js'
import { checkNames, parseParams } from './params.js'

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
