import canonicalize from 'canonicalize'
import { withDelivery } from '../contract/index.js'
import type { Group, Json, JsonObject, Summary } from '../contract/index.js'
import { clean } from '../trace/text.js'

/** How agents fare along one swept parameter, all else equal. */
export interface Curve {
  axis: string
  /** Numbers where all values are, else words in the order of the plan. */
  kind: 'number' | 'word'
  /** The values of the other swept parameters, e.g. `buttons=4`. */
  setting: string
  environment: string
  /** Whose parameter the axis is; null: the world's, the reader's or the thinking policy's. */
  agent: string | null
  series: { label: string; points: { x: number | string; group: Group }[] }[]
}

/** A value on which groups may differ. */
interface Dimension {
  name: string
  /** Of the agent: another value is another line in the same picture; else it is another picture. */
  ofAgent: boolean
  value: Json
}
type Dimensions = ReadonlyMap<string, Dimension>

/** One per axis, environment and setting of the other axes: parameters of a grid, traits of a simulated reader, thinking times. */
export function curvesOf(summary: Summary): Curve[] {
  const all = summary.groups.map((group) => ({ group, dimensions: dimensionsOf(group) }))
  const swept = sweptKeys(all.map(({ dimensions }) => dimensions))
  return [...swept].filter((key) => key !== MODEL).flatMap((key) => curvesAlong(key, swept, all))
}

/** Models have no order: they tell pictures apart, and span none. */
const MODEL = 'model.model'

function curvesAlong(
  key: string,
  swept: ReadonlySet<string>,
  all: readonly { group: Group; dimensions: Dimensions }[],
): Curve[] {
  const pictures = new Map<string, { environment: string; others: Dimensions; lines: Map<string, Point[]> }>()
  for (const { group, dimensions } of all) {
    const own = dimensions.get(key)
    if (own === undefined) continue
    const others = new Map([...dimensions].filter(([other]) => other !== key && swept.has(other)))
    const shared = new Map([...others].filter(([, { ofAgent }]) => !ofAgent))
    const place = canonicalize([group.environment.name, valuesOf(shared)]) ?? ''
    const picture = pictures.get(place) ?? { environment: group.environment.name, others: shared, lines: new Map() }
    pictures.set(place, picture)
    const line = canonicalize([group.agent.name, valuesOf(others)]) ?? ''
    const points = picture.lines.get(line) ?? []
    picture.lines.set(line, [...points, { ...own, group, others }])
  }
  // Who stands at one place alone, such as another ablation, tells nothing along the axis.
  const drawn = [...pictures.values()].flatMap(({ lines, ...picture }) => {
    const long = [...lines.values()].filter((points) => points.length > 1)
    return long.length === 0 ? [] : [{ ...picture, lines: long }]
  })
  return (
    drawn
      .map(({ environment, others, lines }) => pictureOf(environment, others, drawn, lines))
      // The words of an agent's parameter have no order: each case's tables and charts show them beside each other.
      .filter(({ agent, kind }) => agent === null || kind === 'number')
  )
}

interface Point extends Dimension {
  group: Group
  others: Dimensions
}

function pictureOf(
  environment: string,
  shared: Dimensions,
  pictures: readonly { others: Dimensions }[],
  lines: readonly (readonly Point[])[],
): Curve {
  const points = lines.flat()
  const numeric = points.every(({ value }) => typeof value === 'number')
  const [one] = points
  const x = (value: Json) => (numeric && typeof value === 'number' ? value : clean(wordOf(value)))
  return {
    axis: clean(one?.name ?? ''),
    kind: numeric ? 'number' : 'word',
    setting: tellApart(
      shared,
      pictures.map(({ others }) => others),
    ),
    environment: clean(environment),
    agent: one?.ofAgent === true ? clean(one.group.agent.name) : null,
    series: lines.map((line) => {
      const [first] = line
      const siblings = lines.flatMap(([other]) =>
        other !== undefined && other.group.agent.name === first?.group.agent.name ? [other.others] : [],
      )
      const apart = first === undefined ? '' : tellApart(first.others, siblings)
      return {
        label: [clean(first?.group.agent.name ?? ''), apart].filter((part) => part !== '').join(' '),
        points: line.map(({ value, group }) => ({ x: x(value), group })),
      }
    }),
  }
}

/** Names and values of what differs among `all`. */
function tellApart(own: Dimensions, all: readonly Dimensions[]): string {
  return [...own]
    .filter(([key]) => new Set(all.map((other) => canonicalize(other.get(key)?.value ?? null))).size > 1)
    .map(([, { name, value }]) => clean(`${name}=${wordOf(value)}`))
    .join(', ')
}

/** What takes more than one value within one environment, agent or model family. */
function sweptKeys(all: readonly Dimensions[]): Set<string> {
  const seen = new Map<string, Set<string>>()
  for (const dimensions of all)
    for (const [key, { value }] of dimensions)
      seen.set(key, (seen.get(key) ?? new Set()).add(canonicalize(value) ?? ''))
  return new Set([...seen].filter(([, values]) => values.size > 1).map(([key]) => key))
}

function dimensionsOf({ environment, agent, model, thinking }: Group): Dimensions {
  const dimensions = new Map<string, Dimension>()
  const add = (scope: string, params: JsonObject, ofAgent: boolean) => {
    for (const [name, value] of Object.entries(params)) dimensions.set(`${scope}.${name}`, { name, ofAgent, value })
  }
  add(`environment ${environment.name}`, withDelivery(environment.params), false)
  add(`agent ${agent.name}`, agent.params, true)
  // A control asks no model: it stands on no axis of models and thinking.
  if (model === null) return dimensions
  const [family = model, query] = model.split('?')
  const traits = query === undefined ? {} : Object.fromEntries(new URLSearchParams(query))
  add('model', { model: query === undefined ? model : family }, false)
  add(`model ${family}`, mapValues(traits, scalar), false)
  const [base = thinking, added = '0'] = thinking.split('+')
  const [policy = base, amount] = base.split(':')
  if (policy === 'fixed' && amount !== undefined) add('thinking', { 'thinking time (ms)': scalar(amount) }, false)
  else add('thinking', { thinking: base }, false)
  add('thinking tokens', { 'thinking tokens': scalar(added) }, false)
  return dimensions
}

const valuesOf = (dimensions: Dimensions): JsonObject =>
  Object.fromEntries([...dimensions].map(([key, { value }]) => [key, value]))

const mapValues = (record: Record<string, string>, change: (value: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const scalar = (text: string): Json => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

const wordOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
