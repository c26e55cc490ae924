import { OUTCOMES } from '../../contract/index.js'
import type { Group, Outcome, ReportInput, TrialLine } from '../../contract/index.js'
import { counted } from '../../trace/text.js'
import { why } from '../../trace/why.js'
import { groupKey, lineKey } from '../summary.js'
import { SIMULATED, isSimulated, rowLabel } from './charts/draw.js'
import { head, html, tableMarkup, withCode } from './markup.js'
import type { Markup } from './markup.js'

/** Trials of one group that failed alike: told once, by the first of them. */
interface Failure {
  outcome: Outcome
  ids: string[]
  reasons: string[]
}
export interface Failures {
  failures: Failure[]
  /** Failed trials beyond those whose traces were read. */
  hidden: number
}

/** Reading a trace takes a few ms, and a page is for people. */
const SHOWN_PER_GROUP = 50
const MOST_SHOWN = 500

/** Why trials failed, by group key, from their traces; numbers aside, equal reasons are one. */
export async function failuresOf(input: ReportInput): Promise<Map<string, Failures>> {
  const groups = new Map<string, { shown: number; hidden: number; alike: Map<string, Failure> }>()
  let shown = 0
  for (const line of input.lines()) {
    if (line.outcome === 'solved') continue
    const key = lineKey(line)
    const group = groups.get(key) ?? { shown: 0, hidden: 0, alike: new Map<string, Failure>() }
    groups.set(key, group)
    if (group.shown === SHOWN_PER_GROUP || shown === MOST_SHOWN) {
      group.hidden++
      continue
    }
    group.shown++
    shown++
    const reasons = await reasonsOf(line, input)
    const kind = [line.outcome, ...reasons].map(withoutNumbers).join('\n')
    const failure = group.alike.get(kind) ?? { outcome: line.outcome, ids: [], reasons }
    group.alike.set(kind, failure)
    failure.ids.push(line.identity.id)
  }
  return new Map(
    [...groups].map(([key, { alike, hidden }]) => [
      key,
      { failures: [...alike.values()].toSorted((a, b) => b.ids.length - a.ids.length), hidden },
    ]),
  )
}

async function reasonsOf({ identity, error }: TrialLine, input: ReportInput): Promise<string[]> {
  const { trace, note } = await input.trace(identity.id)
  const reasons = trace === null ? (error === null ? [] : [error]) : why(trace)
  return note === null ? reasons : [...reasons, note]
}

/** Times, counts and what a model happened to say do not make another failure; a trial's own name does not either. */
const withoutNumbers = (text: string): string => text.replaceAll(/“[^”]*”|"[^"]*"/g, '…').replaceAll(/\d[\d .]*/g, '#')

/** How the trials of a case ended; only the outcomes that happened. */
export function outcomesMarkup(groups: readonly Group[]): Markup {
  const seen = OUTCOMES.filter((outcome) => groups.some((group) => group.outcomes[outcome] > 0))
  const rows = groups.map(
    (group) =>
      html`<tr>
        <th scope="row">${rowLabel(group, groups)}</th>
        <td class="n">${group.trials}</td>
        ${seen.map((outcome) => {
          const broken = outcome === 'infrastructure_error' && group.outcomes[outcome] > 0
          return html`<td class="${broken ? 'n bad' : 'n'}">${group.outcomes[outcome]}</td>`
        })}
      </tr>`,
  )
  const heads = html`<th scope="col">agent</th>
    <th class="n" scope="col">trials</th>
    ${seen.map((outcome) => head(outcome.replaceAll('_', ' ')))}`
  const caption = html` Outcomes (trials) ${isSimulated(groups) ? SIMULATED : null} `
  return tableMarkup({ style: 'narrow', caption, heads, rows })
}

/** The failed trials of a case with their reasons, those that failed alike told once. */
export function failuresMarkup(groups: readonly Group[], failures: ReadonlyMap<string, Failures>): Markup | null {
  const lists = groups.flatMap((group) => {
    const own = failures.get(groupKey(group))
    return own === undefined ? [] : [failureList(rowLabel(group, groups), own)]
  })
  return lists.length === 0
    ? null
    : html`<h3>Failed trials ${isSimulated(groups) ? SIMULATED : null}</h3>
        ${lists}`
}

const NAMED = 12

function alikeMarkup(ids: readonly string[]): Markup {
  const left = ids.length - NAMED
  return html`<p class="remark">
    Alike, numbers aside:
    ${ids.slice(0, NAMED).map((id) => html`<code>${id}</code> `)}${left > 0 ? `and ${left} more` : null}
  </p>`
}

function failureList(label: string, { failures, hidden }: Failures): Markup {
  const total = failures.reduce((sum, { ids }) => sum + ids.length, 0) + hidden
  const kinds = failures.map(
    ({ outcome, ids, reasons }) =>
      html`<p><b>${ids.length} × ${outcome.replaceAll('_', ' ')}</b>, told of <code>${ids[0] ?? ''}</code></p>
        <ul>
          ${reasons.map((reason) => html`<li>${withCode(reason)}</li>`)}
        </ul>
        ${ids.length > 1 ? alikeMarkup(ids.slice(1)) : null}`,
  )
  const rest =
    hidden === 0
      ? null
      : html`<p class="remark">
          ${hidden} more failed trials are not told here; <code>npx sora-bench trace</code> tells each.
        </p>`
  return html`<details>
    <summary>${label}: ${total} of its trials failed, in ${counted(failures.length, 'way')}</summary>
    ${kinds}${rest}
  </details>`
}
