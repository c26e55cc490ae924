import { Graph, layout } from '@dagrejs/dagre'
import { ROOMS, importsOf, isCore, roomOf } from '../harness/testing/architecture.js'

/** Nearly every room imports the one and is imported by the other: numbers in the rooms tell it, and no arrows. */
const GROUND = 'contract'
const ROOF = 'cli'
const PLUG_INS = ['suites', 'environments', 'agents']

const ROOM = { width: 138, height: 46 }
const MARGIN = 24
/** Between the slabs of ground and roof and the floors. */
const GAP = 34

interface Point {
  x: number
  y: number
}

interface Arrow {
  from: string
  to: string
  count: number
}

/** The rooms as floors, from the real imports: a number at an arrow counts the import statements. As SVG. */
export function drawRooms(sources: ReadonlyMap<string, string>): string {
  const arrows = countArrows(sources)
  const between = (from: string, to: string): number =>
    arrows.find((arrow) => arrow.from === from && arrow.to === to)?.count ?? 0
  const rooms = ROOMS.filter((name) => name !== GROUND && name !== ROOF)
  const graph = new Graph<object, Point & typeof ROOM, { points?: Point[] }>()
  graph.setGraph({ nodesep: 30, ranksep: 64, edgesep: 26, ranker: 'longest-path' })
  for (const name of rooms) graph.setNode(name, { ...ROOM, x: 0, y: 0 })
  const drawn = arrows.filter(({ from, to }) => rooms.includes(from) && rooms.includes(to))
  for (const { from, to } of drawn) graph.setEdge(from, to, {})
  layout(graph)

  const places = rooms.map((name) => ({ name, ...graph.node(name) }))
  // Only where it passes between two rooms an arrow must turn.
  const floors = new Set(places.map(({ y }) => Math.round(y)))
  const isPassing = ({ y }: Point): boolean => floors.has(Math.round(y))
  const right = Math.max(...places.map(({ x }) => x)) + ROOM.width / 2
  const bottom = Math.max(...places.map(({ y }) => y)) + ROOM.height / 2
  const wing = right + 40
  const width = wing + ROOM.width
  const besides = PLUG_INS.map((name, index) => ({
    name,
    x: wing + ROOM.width / 2,
    y: bottom - ROOM.height / 2 - index * (ROOM.height + 20),
  }))
  const note = (name: string): string => {
    const [above, below] = [between(ROOF, name), between(name, GROUND)]
    return (
      [above > 0 && `${ROOF} ${above}`, below > 0 && `${GROUND} ${below}`].filter(Boolean).join(' · ') ||
      'nothing of ours'
    )
  }
  const full = { width: width + 2 * MARGIN, height: bottom + 2 * (GAP + ROOM.height + MARGIN) }
  const size = `width="${fixed(full.width)}" height="${fixed(full.height)}"`
  const plugInsTop = Math.min(...besides.map(({ y }) => y)) - ROOM.height / 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fixed(full.width)} ${fixed(full.height)}" ${size} role="img">`,
    `<title>The rooms of the harness, and how often each imports another</title>`,
    STYLE,
    `<rect class="paper" width="100%" height="100%"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN + ROOM.height + GAP})">`,
    box(ROOF, 'calls every room; the number in a room counts its imports of it', {
      x: 0,
      y: -GAP - ROOM.height,
      width,
    }),
    box(GROUND, 'what the rooms and the plug-ins speak of; the number counts their imports of it', {
      x: 0,
      y: bottom + GAP,
      width,
    }),
    ...drawn.map(({ from, to, count }) =>
      drawArrow((graph.edge(from, to).points ?? []).filter(isPassing), graph.node(from), graph.node(to), count),
    ),
    ...[...places, ...besides].map(({ name, x, y }) =>
      box(
        name,
        note(name),
        { x: x - ROOM.width / 2, y: y - ROOM.height / 2, width: ROOM.width },
        PLUG_INS.includes(name) ? 'plug-in' : 'room',
      ),
    ),
    `<text class="note" x="${fixed(wing + ROOM.width / 2)}" y="${fixed(plugInsTop - 10)}">plug-ins</text>`,
    `</g>`,
    `</svg>`,
    '',
  ].join('\n')
}

/** How often each room imports each other one. */
function countArrows(sources: ReadonlyMap<string, string>): Arrow[] {
  const counts = new Map<string, Arrow>()
  for (const [file, source] of sources) {
    if (!isCore(file)) continue
    const from = roomOf(file)
    for (const target of importsOf(file, source)) {
      // What authors import is the contract and the kit under one name.
      const to = roomOf(target) === 'index' ? GROUND : roomOf(target)
      if (!target.endsWith('.ts') || to === from || from === 'index') continue
      const arrow = counts.get(`${from} ${to}`) ?? { from, to, count: 0 }
      arrow.count += 1
      counts.set(`${from} ${to}`, arrow)
    }
  }
  return [...counts.values()].toSorted((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`, 'en'))
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10)

/** Around a name with a note below it. */
function box(name: string, note: string, { x, y, width }: Point & { width: number }, kind = 'slab'): string {
  const middle = fixed(x + width / 2)
  return (
    `<rect class="${kind}" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${ROOM.height}" rx="6"/>` +
    `<text class="name" x="${middle}" y="${fixed(y + 21)}">${name}</text>` +
    `<text class="note" x="${middle}" y="${fixed(y + 37)}">${note}</text>`
  )
}

/** From the floor of one room to the ceiling of another, past the rooms between them; its number stands near its end. */
function drawArrow(bends: readonly Point[], from: Point, to: Point, count: number): string {
  const start = { x: near(from.x, bends[0]?.x ?? to.x), y: from.y + ROOM.height / 2 }
  const end = { x: near(to.x, bends.at(-1)?.x ?? from.x), y: to.y - ROOM.height / 2 }
  let path = `M${fixed(start.x)} ${fixed(start.y)}`
  let before = start
  let last = start
  for (const point of [...bends, end]) {
    const half = fixed((before.y + point.y) / 2)
    path += ` C${fixed(before.x)} ${half} ${fixed(point.x)} ${half} ${fixed(point.x)} ${fixed(point.y)}`
    last = before
    before = point
  }
  const stroke = fixed(0.8 + Math.log2(count) * 0.35)
  return (
    `<path class="arrow" stroke-width="${stroke}" marker-end="url(#head)" d="${path}"/>` +
    `<text class="count" x="${fixed((last.x + end.x) / 2)}" y="${fixed((last.y + end.y) / 2 + 4)}">${count}</text>`
  )
}

/** As near to `wanted` as the side of a room allows. */
function near(middle: number, wanted = middle): number {
  const reach = ROOM.width / 2 - 16
  return Math.min(Math.max(wanted, middle - reach), middle + reach)
}

const STYLE = `<style>
  .paper { fill: #fff }
  .room { fill: #f3f6fb; stroke: #7d93b5 }
  .plug-in { fill: #fdf6ea; stroke: #c6a15b }
  .slab { fill: #e9edf3; stroke: #7d93b5 }
  .arrow { fill: none; stroke: #8a97aa }
  .head { fill: #8a97aa }
  .name { font: 600 14px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; fill: #1d2733 }
  .note { font: 11px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; fill: #5a6878 }
  .count { font: 11px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; fill: #1d2733; paint-order: stroke; stroke: #fff; stroke-width: 4px }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>`
