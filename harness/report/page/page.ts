import type { Group, ReportInput, Summary } from '../../contract/index.js'
import { contrastTables } from '../contrast-table.js'
import { curvesOf } from '../curves.js'
import type { Curve } from '../curves.js'
import { frontTables } from '../front.js'
import { notes } from '../notes.js'
import { agentLabel, capital, cases, measuresOf } from '../table.js'
import type { Measure, Table } from '../table.js'
import { advantageFigure } from './charts/advantage.js'
import { contrastFigures } from './charts/contrast.js'
import { curveFigures } from './charts/curve.js'
import { SIMULATED, drawFigure, isSimulated } from './charts/draw.js'
import type { Figure } from './charts/draw.js'
import { frontFigure } from './charts/front.js'
import { outcomesFigure, rateFigure, reactionFigure, spreadFigure, tokensFigure, valuesOf } from './charts/figures.js'
import {
  baselineChoice,
  baselineStyle,
  baselinesOf,
  comparisonMarkup,
  createDifferences,
  differencesMarkup,
} from './comparison.js'
import type { ComparisonOptions } from './comparison.js'
import { head, html, tableMarkup, trusted, withCode } from './markup.js'
import type { Markup } from './markup.js'
import { failuresMarkup, failuresOf, outcomesMarkup } from './outcomes.js'
import type { Failures } from './outcomes.js'
import { style, timelineStyle } from './style.js'
import { chooseScenes, sceneMarkup } from './timeline/svg.js'

/** Nothing is loaded and nothing runs: there is no script, and the policy would allow none. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
/** Beyond it the pictures are too many to be looked at. */
const MOST_CURVES = 24

/** A page that stands alone: run facts, tables, charts, failures and timelines. */
export async function htmlPage(input: ReportInput): Promise<string> {
  const { title, facts, summary } = input
  const { groups } = summary
  const baselines = baselinesOf(groups)
  const measures = measuresOf(summary)
  const shared: Shared = {
    summary,
    measures,
    values: valuesOf(
      input.lines(),
      measures.map(({ metric }) => metric.name),
    ),
    failures: await failuresOf(input),
    comparison: { summary, baselines, compare: createDifferences(input.lines()) },
  }
  const all = cases(summary)
  const sections = await inTurn(all, ({ caption, groups: own }, index) => caseMarkup(caption, own, index, shared))
  const { contrasts: found = [], fronts: settled = [] } = summary
  const contrasts = await askedMarkup('contrasts', found.flatMap(contrastFigures), contrastTables(found))
  const fronts = await askedMarkup(
    'fronts',
    settled.map((front) => frontFigure(front, isSimulated(groups))),
    frontTables(summary),
  )
  const curves = await curvesMarkup(curvesOf(summary), measures.filter(isDrawn('curve')))
  const scenes = await inTurn(chooseScenes(input.lines, input.timelines), (scene) => sceneMarkup(scene, input))
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${style}${timelineStyle}${trusted(baselineStyle(baselines))}
        </style>
      </head>
      <body>
        <header>
          <h1>${title} ${isSimulated(groups) ? SIMULATED : null}</h1>
          <dl class="facts">
            ${facts.map(
              ([label, value]) =>
                html`<dt>${label}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>
          ${baselineChoice(baselines)}
        </header>
        ${contents(all, { contrasts, fronts, curves, timelines: scenes.length > 0 ? html`` : null })}
        <main>
          ${sections}${contrasts}${fronts}${curves}${
            scenes.length === 0
              ? null
              : html`<section id="timelines">
                  <h2>Timelines</h2>
                  ${scenes}
                </section>`
          }
        </main>
        <footer>
          <h2 id="notes">Notes</h2>
          <ul>
            ${[...notes(summary), ...OWN_NOTES].map((note) => html`<li>${withCode(note)}</li>`)}
          </ul>
        </footer>
      </body>
    </html> `
  return page.source
}

const OWN_NOTES = [
  'Differences are paired by scenario. Δ solved is in percentage points, with Newcombe’s interval; × is the ratio of geometric means, with a seeded cluster bootstrap (10 000 resamples). Strong: the interval leaves out no difference; of billed tokens, in all pricings. A dash: too few pairs, or nothing to compare.',
  'The makespan ratio looks only at scenarios that both solved, which may be the easier ones.',
  'Of the simulated reader, how many scenarios differ between two agents is a product of the draws that they share (docs/simulated-model.md#errors): it is never tested, and the interval tells how far chance alone would move the difference.',
  'A rate on fewer than 10 events is grey and shown with its count.',
]

interface Shared {
  summary: Summary
  measures: readonly Measure[]
  values: ReturnType<typeof valuesOf>
  failures: ReadonlyMap<string, Failures>
  comparison: ComparisonOptions
}

async function caseMarkup(caption: string, groups: readonly Group[], index: number, shared: Shared): Promise<Markup> {
  const [first] = groups
  const measures = shared.measures.filter(isDrawn('agents'))
  const figures = [
    ...measures.filter(({ rate }) => rate !== null).map((measure) => rateFigure(groups, measure)),
    outcomesFigure(groups),
    tokensFigure(groups),
    reactionFigure(groups),
    ...measures
      .filter(({ rate }) => rate === null)
      .map((measure) => spreadFigure(groups, shared.values(measure.metric.name), measure)),
  ].flatMap((figure) => figure ?? [])
  const drawn = await inTurn(figures, drawFigure)
  const players = groups.flatMap((group) =>
    group.model === null ? [] : [{ agent: agentLabel(group, groups), model: group.model, group }],
  )
  const { compare } = shared.comparison
  const advantage = advantageFigure(players, (one, other) => compare(one.group, other.group).solved)
  const params = Object.entries(first?.environment.params ?? {}).map(
    ([key, value]) => `${key}=${JSON.stringify(value)}`,
  )
  return html`<section id="case-${index + 1}">
    <h2>${caption}</h2>
    <p class="params">Version ${first?.environment.version ?? ''}, parameters <code>${params.join(', ')}</code></p>
    ${comparisonMarkup(groups, shared.summary)}${differencesMarkup(groups, shared.comparison)}
    <h3>Charts</h3>
    <div class="charts">${drawn}</div>
    ${advantage === null ? null : html`<div class="wide advantage">${await drawFigure(advantage)}</div>`}
    ${outcomesMarkup(groups)}${failuresMarkup(groups, shared.failures)}
  </section>`
}

async function curvesMarkup(curves: readonly Curve[], measures: readonly Measure[]): Promise<Markup | null> {
  if (curves.length === 0) return null
  const sections = await inTurn(curves.slice(0, MOST_CURVES), async (curve) => {
    const figures = await inTurn(curveFigures(curve, measures), drawFigure)
    const where = curve.setting === '' ? curve.environment : `${curve.environment}, ${curve.setting}`
    const axis = curve.agent === null ? curve.axis : `${curve.axis} of ${curve.agent}`
    return html`<h3>${axis} (${where})</h3>
      <div class="charts pairs">${figures}</div>`
  })
  const left = curves.length - MOST_CURVES
  return html`<section id="curves">
    <h2>Curves</h2>
    ${sections}${
      left > 0 ? html`<p class="remark">${left} more are not drawn; summary.csv holds their figures.</p>` : null
    }
  </section>`
}

/** A section that a suite asked for: its pictures, and then its tables. */
async function askedMarkup(id: string, figures: readonly Figure[], tables: readonly Table[]): Promise<Markup | null> {
  if (tables.length === 0) return null
  const drawn = await inTurn(figures, drawFigure)
  const printed = tables.map(({ caption, simulated, columns, rows }) =>
    tableMarkup({
      caption: html` ${caption} ${simulated ? SIMULATED : null} `,
      heads: columns.map(({ title, align }) => (align === 'right' ? head(title) : html`<th scope="col">${title}</th>`)),
      rows: rows.map(
        ([name = '', ...cells]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${cells.map((cell, index) => (columns[index + 1]?.align === 'right' ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`))}
          </tr>`,
      ),
    }),
  )
  return html`<section id="${id}">
    <h2>${capital(id)}</h2>
    <div class="charts pairs">${drawn}</div>
    ${printed}
  </section>`
}

/** Cases, and whichever of the other sections there are. */
function contents(all: readonly { caption: string }[], others: Readonly<Record<string, Markup | null>>): Markup {
  const there = Object.entries(others).flatMap(([id, markup]) => (markup === null ? [] : [id]))
  return html`<nav aria-label="Contents">
    <ul>
      ${all.map(({ caption }, index) => html`<li><a href="#case-${index + 1}">${caption}</a></li>`)}
      ${there.map((id) => html`<li><a href="#${id}">${capital(id)}</a></li>`)}
      <li><a href="#notes">Notes</a></li>
    </ul>
  </nav>`
}

const isDrawn =
  (chart: 'agents' | 'curve') =>
  ({ shown }: Measure): boolean =>
    shown.charts?.includes(chart) === true

/** One after the other, so that a page of many pictures needs the memory of one. */
async function inTurn<T, R>(items: readonly T[], make: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (const [index, item] of items.entries()) made.push(await make(item, index))
  return made
}
