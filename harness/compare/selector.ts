import { UserError } from '../define/index.js'
import type { Json, JsonObject } from '../define/index.js'

/** A name, with the parameters that tell its cases apart: `water-hammer[rampMs=1000]`. */
export interface Selector {
  name: string
  params: Record<string, string>
}

export function parseSelector(text: string): Selector {
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

/** Does a definition with these parameters bear the name? */
export function selects(selected: Selector, name: string, params: JsonObject): boolean {
  return (
    selected.name === name &&
    Object.entries(selected.params).every(([key, value]) => key in params && scalarText(params[key] ?? null) === value)
  )
}

const scalarText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
