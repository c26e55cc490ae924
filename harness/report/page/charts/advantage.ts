import type { Estimate } from '../../../contract/index.js'
import { clean } from '../../../trace/text.js'
import { signsOf } from './draw.js'
import type { Figure } from './draw.js'

/** An agent under a model, with whatever its trials are asked by. */
interface Player {
  agent: string
  model: string
}

const NEITHER = 'neither'
/** A setting of a reader: what is held equal when another is swept. What is so on one scale alone is no finding. */
const SCALE = 'per'
const DEPENDS = 'depends on the scale'
const BARE = { domain: false, ticks: false, labelLimit: 500 }

/**
 * Who solves more by more than the interval, of each two agents, under each simulated reader of a run that sweeps more
 * than one of its settings. Null for other runs.
 */
export function advantageFigure<P extends Player>(
  players: readonly P[],
  solvedOf: (base: P, candidate: P) => Estimate | null,
): Figure | null {
  const agents = [...new Set(players.map(({ agent }) => agent))]
  const models = [...new Set(players.map(({ model }) => model))]
  const swept = sweptIn(models)
  const [axis] = swept
  if (axis === undefined || swept.length < 2 || agents.length < 2) return null
  const values = models.flatMap((model) => {
    const settings = settingsOf(model)
    const others = swept.filter((name) => name !== axis && settings.has(name))
    return players.flatMap((base) =>
      players.flatMap((candidate) => {
        const isPair = agents.indexOf(base.agent) < agents.indexOf(candidate.agent)
        if (!isPair || base.model !== model || candidate.model !== model) return []
        const solved = solvedOf(base, candidate)
        if (solved === null) return []
        return [
          {
            pair: `${candidate.agent} less ${base.agent}`,
            row: others.map((name) => `${name}=${settings.get(name) ?? ''}`).join(' '),
            column: settings.get(axis) ?? '–',
            apart: [...settings].filter(([name]) => name !== SCALE).join(' '),
            who: solved.low > 0 ? candidate.agent : solved.high < 0 ? base.agent : NEITHER,
            points: `${solved.value > 0 ? '+' : ''}${Math.round(solved.value * 100)}`,
          },
        ]
      }),
    )
  })
  const isScaled = swept.includes(SCALE)
  const told = values.map(({ apart, ...value }) => {
    const twins = values.filter((other) => other.pair === value.pair && other.apart === apart)
    return { ...value, who: twins.every(({ who }) => who === value.who) ? value.who : DEPENDS }
  })
  const whose = [...agents, NEITHER, ...(isScaled ? [DEPENDS] : [])]
  const colours = [...signsOf(agents).color.scale.range, 'var(--line)', ...(isScaled ? ['var(--tint2)'] : [])]
  const field = (name: string, title: string | null) => ({
    field: name,
    type: 'nominal' as const,
    sort: null,
    title,
  })
  return {
    title: 'Who solves more',
    remark: `Difference of the solved rates in points, paired by scenario; coloured where Newcombe’s interval at 95 % leaves out none${isScaled ? ', on both scales (per) alike' : ''}. A row for each setting of the reader, a column for each ${axis}; no tile, not played.`,
    simulated: true,
    chart: {
      data: { values: told },
      facet: {
        ...field('pair', null),
        sort: [...new Set(values.map(({ pair }) => pair))],
        header: { labelColor: 'var(--ink)', labelFontSize: 11 },
      },
      columns: 3,
      spec: {
        width: { step: 46 },
        height: { step: 21 },
        encoding: {
          x: { ...field('column', axis), axis: { ...BARE, labelAngle: 0 } },
          y: { ...field('row', null), axis: BARE },
        },
        layer: [
          {
            mark: { type: 'rect', stroke: 'var(--paper)' },
            encoding: {
              color: {
                ...field('who', null),
                scale: { domain: whose, range: colours },
                legend: { columns: whose.length },
              },
              opacity: {
                condition: { test: `datum.who == '${NEITHER}' || datum.who == '${DEPENDS}'`, value: 1 },
                value: 0.45,
              },
            },
          },
          { mark: { type: 'text', fontSize: 11 }, encoding: { text: { field: 'points', type: 'nominal' } } },
        ],
      },
    },
  }
}

const settingsOf = (model: string): ReadonlyMap<string, string> =>
  new Map([...new URLSearchParams(model.split('?')[1] ?? '')].map(([name, value]) => [clean(name), clean(value)]))

/** The settings that take more than one value, what takes most of them first. */
function sweptIn(models: readonly string[]): string[] {
  const all = models.filter((model) => model.startsWith('sim:')).map(settingsOf)
  const names = [...new Set(all.flatMap((settings) => [...settings.keys()]))]
  const taken = (name: string): number => new Set(all.map((settings) => settings.get(name))).size
  return names.filter((name) => taken(name) > 1).toSorted((a, b) => taken(b) - taken(a))
}
