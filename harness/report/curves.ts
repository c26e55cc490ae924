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

/** The groups of one agent along the axis, with what else is swept. */
interface Line {
  agent: string
  others: Dimensions
  points: (Dimension & { group: Group })[]
}

interface Picture {
  environment: string
  /** What else is swept, but for parameters of agents: those tell lines apart. */
  others: Dimensions
  lines: Line[]
}

function curvesAlong(
  key: string,
  swept: ReadonlySet<string>,
  all: readonly { group: Group; dimensions: Dimensions }[],
): Curve[] {
  const pictures = new Map<string, Omit<Picture, 'lines'> & { lines: Map<string, Line> }>()
  for (const { group, dimensions } of all) {
    const own = dimensions.get(key)
    if (own === undefined) continue
    const [environment, agent] = [group.environment.name, group.agent.name]
    const others = new Map([...dimensions].filter(([other]) => other !== key && swept.has(other)))
    const shared = new Map([...others].filter(([, { ofAgent }]) => !ofAgent))
    const pictureKey = canonicalize([environment, valuesOf(shared)]) ?? ''
    const picture = pictures.get(pictureKey) ?? { environment, others: shared, lines: new Map<string, Line>() }
    pictures.set(pictureKey, picture)
    const lineKey = canonicalize([agent, valuesOf(others)]) ?? ''
    const line = picture.lines.get(lineKey) ?? { agent, others, points: [] }
    picture.lines.set(lineKey, line)
    line.points.push({ ...own, group })
  }
  // Who stands at one place alone, such as another ablation, tells nothing along the axis.
  const drawn = [...pictures.values()].flatMap(({ lines, ...picture }) => {
    const long = [...lines.values()].filter(({ points }) => points.length > 1)
    return long.length === 0 ? [] : [{ ...picture, lines: long }]
  })
  return (
    drawn
      .map((picture) => curveOf(picture, drawn))
      // The words of an agent's parameter have no order: each case's tables and charts show them beside each other.
      .filter(({ agent, kind }) => agent === null || kind === 'number')
  )
}

function curveOf({ environment, others: shared, lines }: Picture, pictures: readonly Picture[]): Curve {
  const all = lines.flatMap(({ points }) => points)
  const numeric = all.every(({ value }) => typeof value === 'number')
  const [one] = all
  const x = (value: Json) => (numeric && typeof value === 'number' ? value : clean(wordOf(value)))
  const settings = pictures.map(({ others }) => others)
  return {
    axis: clean(one?.name ?? ''),
    kind: numeric ? 'number' : 'word',
    setting: differingLabel(shared, settings),
    environment: clean(environment),
    agent: one?.ofAgent === true ? clean(one.group.agent.name) : null,
    series: lines.map(({ agent, others, points }) => {
      const siblings = lines.filter((line) => line.agent === agent).map((line) => line.others)
      return {
        label: [clean(agent), differingLabel(others, siblings)].filter((part) => part !== '').join(' '),
        points: points.map(({ value, group }) => ({ x: x(value), group })),
      }
    }),
  }
}

/** Names and values of what differs among `all`. */
function differingLabel(own: Dimensions, all: readonly Dimensions[]): string {
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
  const traits = [...new URLSearchParams(query ?? '')].map(([trait, text]) => [trait, scalar(text)])
  add('model', { model: query === undefined ? model : family }, false)
  add(`model ${family}`, Object.fromEntries(traits), false)
  const [base = thinking, added = '0'] = thinking.split('+')
  const [policy = base, amount] = base.split(':')
  const axis = policy === 'fixed' ? 'thinking time (ms)' : 'tokens a second'
  if (amount !== undefined && typeof scalar(amount) === 'number') add('thinking', { [axis]: scalar(amount) }, false)
  else add('thinking', { thinking: base }, false)
  add('thinking tokens', { 'thinking tokens': scalar(added) }, false)
  return dimensions
}

const valuesOf = (dimensions: Dimensions): JsonObject =>
  Object.fromEntries([...dimensions].map(([key, { value }]) => [key, value]))

const scalar = (text: string): Json => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

const wordOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
