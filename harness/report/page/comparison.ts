import type { Cost, Estimate, Group, Summary, TrialLine } from '../../contract/index.js'
import { columnOf, groupLines, pairScenarios } from '../compare/pairs.js'
import { estimateOf } from '../compare/verdict.js'
import { costBetween, shortCost } from '../costs.js'
import { groupKey, lineKey } from '../summary.js'
import { ABSENT, agentLabel, comparisonTable, count } from '../table.js'
import type { Table } from '../table.js'
import { SIMULATED, isFew, isSimulated, rowLabel } from './charts/draw.js'
import { head, html, tableMarkup, trusted } from './markup.js'
import type { Content, Markup } from './markup.js'

/** An agent that others may be compared with, chosen on the page. */
export interface Baseline {
  /** A class of the page's style, e.g. `b0`. */
  style: string
  label: string
}

/** The agents with a model in the order of the suite (the first is the default); if there is none, all. */
export function baselinesOf(groups: readonly Group[]): Baseline[] {
  const labels = (of: readonly Group[]) => [...new Set(of.map((group) => agentLabel(group, groups)))]
  const withModel = labels(groups.filter(({ model }) => model !== null))
  return (withModel.length > 0 ? withModel : labels(groups)).map((label, index) => ({ style: `b${index}`, label }))
}

/** Without a script: the style shows the differences to the chosen baseline and hides the others. */
export function baselineStyle(baselines: readonly Baseline[]): string {
  const chosen = baselines.map(
    ({ style }) => `body:has(#baseline option[value="${style}"]:checked) .vs:not(.${style}){display:none}`,
  )
  return `${chosen.join('\n')}\n@supports not selector(:has(*)){.vs:not(.b0){display:none}}`
}

export function baselineChoice(baselines: readonly Baseline[]): Markup | null {
  if (baselines.length < 2) return null
  return html`<p class="choice">
    <label for="baseline">Differences are to the baseline</label>
    <select id="baseline" autocomplete="off">
      ${baselines.map(({ style, label }) => html`<option value="${style}">${label}</option>`)}
    </select>
  </p>`
}

/** One agent against another, paired by scenario. */
interface Differences {
  /** Scenarios that both played. */
  pairs: number
  solved: Estimate | null
  billed: Estimate | null
  /** Over the scenarios that both solved: easier ones, perhaps. */
  makespan: Estimate | null
}

/** The agents of a run against each other, paired and estimated as `compare` does with runs. */
export function createDifferences(lines: Iterable<TrialLine>): ComparisonOptions['compare'] {
  const byKey = new Map(
    groupLines(lines).flatMap((group) => {
      const [first] = group.scenarios.values().next().value ?? []
      return first === undefined ? [] : [[lineKey(first), group] as const]
    }),
  )
  return (base, candidate) => {
    const [one, other] = [byKey.get(groupKey(base)), byKey.get(groupKey(candidate))]
    const pairs = one === undefined || other === undefined ? [] : pairScenarios(one, other).pairs
    const estimate = (name: string, valueOf?: (line: TrialLine) => unknown): Estimate | null => {
      const column = columnOf(pairs, name, valueOf)
      return column && estimateOf(column, { confidence: 0.95, seed: name })
    }
    return {
      pairs: pairs.length,
      solved: estimate('solved', ({ metrics, outcome }) => metrics['solved'] ?? outcome === 'solved'),
      // Of these each asks for a bootstrap: only whoever wants them pays.
      get billed() {
        return estimate('billed', ({ metrics }) => metrics['billed_tokens'])
      },
      get makespan() {
        return estimate('makespan', ({ metrics }) => metrics['makespan_ms'])
      },
    }
  }
}

export interface ComparisonOptions {
  /** Of the whole run: its groups give agents their labels. */
  summary: Summary
  baselines: readonly Baseline[]
  compare: (base: Group, candidate: Group) => Differences
}

/** The table of one case: what every agent did. */
export function comparisonMarkup(groups: readonly Group[], summary: Summary): Markup {
  const [table] = comparisonTable({ ...summary, groups: [...groups] })
  if (table === undefined) throw new Error('A case without a table.')
  const heads = table.columns.map(({ title, align }) => {
    const words = headingOf(title)
    return align === 'right' ? html`<th class="n" scope="col">${words}</th>` : html`<th scope="col">${words}</th>`
  })
  const rows = groups.map(
    (group, index) =>
      html`<tr>
        ${(table.rows[index] ?? []).map((cell, column) => cellOf(cell, column, table, group))}
      </tr>`,
  )
  return tableMarkup({ caption: html` ${table.caption} ${table.simulated ? SIMULATED : null} `, heads, rows })
}

/** A heading on one line, which may break where it says if the page is too narrow. */
const headingOf = (title: string): Content =>
  title.split(/(-\n|(?<=\/)\n)/).map((part) => BREAKS[part] ?? part.replaceAll('\n', ' '))
const BREAKS: Readonly<Record<string, Markup>> = { '-\n': trusted('&shy;'), '\n': trusted('<wbr>') }

/** How every agent of a case differs from the baseline; a row for each agent and choosable baseline. */
export function differencesMarkup(
  groups: readonly Group[],
  { summary, baselines, compare }: ComparisonOptions,
): Markup | null {
  if (groups.length < 2) return null
  const rows = baselines.flatMap(({ style, label }) =>
    groups.map((group) => {
      const base = partnerOf(group, groups, label, summary.groups)
      const cost = base === undefined || base === group ? null : costBetween(summary, base, group)
      const cells = base === group ? SAME : base === undefined ? NONE : differences(compare(base, group), cost)
      return html`<tr class="vs ${style}">
        <th scope="row">${rowLabel(group, groups)}</th>
        ${cells.map((cell) => html`<td class="n">${cell}</td>`)}
      </tr>`
    }),
  )
  const heads = html`<th scope="col">agent</th>
    ${['pairs', 'Δ solved [95 %]', 'billed tokens × [95 %]', 'in all pricings ×', 'makespan × [95 %]'].map(head)}`
  const caption = html`
    Differences to ${baselines.map(({ style, label }) => html`<span class="vs ${style}">${label}</span>`)}
    ${isSimulated(groups) ? SIMULATED : null}
  `
  return tableMarkup({ style: 'narrow', caption, heads, rows })
}

/** The baseline's group under the same model and thinking policy, else its only one. */
function partnerOf(group: Group, groups: readonly Group[], label: string, all: readonly Group[]): Group | undefined {
  const candidates = groups.filter((other) => agentLabel(other, all) === label)
  return (
    candidates.find(({ model, thinking }) => model === group.model && thinking === group.thinking) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  )
}

function cellOf(cell: string, column: number, { columns }: Table, group: Group): Markup {
  const { title = '', align = 'left', rate } = columns[column] ?? {}
  const share = rate?.of(group) ?? null
  if (column === 0) return html`<th scope="row">${cell}</th>`
  if (share !== null && isFew(share)) {
    const events = rate?.counted === true ? null : html`<small>${count(share.events)} of ${share.n}</small>`
    return html`<td class="n few">${cell}${events}</td>`
  }
  if (title === 'n' && group.infrastructureErrors > 0) return html`<td class="n bad">${cell}</td>`
  return align === 'right' ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`
}

const SAME = [ABSENT, 'baseline', ABSENT, ABSENT, ABSENT]
const NONE = [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT]

const differences = ({ pairs, solved, billed, makespan }: Differences, cost: Cost | null): Content[] => [
  pairs,
  shown(solved, points),
  shown(billed, times, cost?.verdict === 'cheaper' || cost?.verdict === 'dearer'),
  cost === null ? ABSENT : shortCost(cost),
  shown(makespan, times),
]

/** Printed strong where the interval leaves out what no difference would be, and `holds`. A ratio of value + 1 is of no use here. */
function shown(estimate: Estimate | null, print: (value: number) => string, holds = true): Content {
  if (estimate === null || estimate.kind === 'shifted') return ABSENT
  const { kind, value, low, high } = estimate
  const none = kind === 'difference' ? 0 : 1
  const clear = holds && (low > none || high < none)
  return html`<span class="${clear ? 'clear' : ''}">${print(value)}</span> [${print(low)}, ${print(high)}]`
}

const points = (share: number): string => {
  const value = Math.round(share * 100)
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0'
}

const times = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(2))
