import { OUTCOMES } from '../../define/index.js'
import type { Failures } from '../failures.js'
import { groupKey } from '../summary.js'
import type { Group } from '../summary.js'
import { SIMULATED } from './charts/figure.js'
import { isSimulated, rowLabel } from './charts/rows.js'
import { html } from './markup.js'
import type { Markup } from './markup.js'

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
  return html`<div class="wide">
    <table class="narrow">
      <caption>
        <span> Outcomes (trials) ${isSimulated(groups) ? SIMULATED : null} </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">agent</th>
          <th class="n" scope="col">trials</th>
          ${seen.map((outcome) => html`<th class="n" scope="col">${outcome.replaceAll('_', ' ')}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
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

function alike(ids: readonly string[]): Markup {
  const left = ids.length - NAMED
  return html`<p class="remark">
    Alike, numbers aside:
    ${ids.slice(0, NAMED).map((id) => html`<code>${id}</code> `)}${left > 0 ? `and ${left} more` : null}
  </p>`
}

function failureList(label: string, { failures, untold }: Failures): Markup {
  const total = failures.reduce((sum, { ids }) => sum + ids.length, 0) + untold
  const kinds = failures.map(
    ({ outcome, ids, reasons }) =>
      html`<p><b>${ids.length} × ${outcome.replaceAll('_', ' ')}</b>, told of <code>${ids[0] ?? ''}</code></p>
        <ul>
          ${reasons.map((reason) => html`<li>${reason}</li>`)}
        </ul>
        ${ids.length > 1 ? alike(ids.slice(1)) : null}`,
  )
  const rest =
    untold === 0
      ? null
      : html`<p class="remark">
          ${untold} more failed trials are not told here; <code>npx sora-bench trace</code> tells each.
        </p>`
  return html`<details>
    <summary>
      ${label}: ${total} of its trials failed, in ${failures.length} ${failures.length === 1 ? 'way' : 'ways'}
    </summary>
    ${kinds}${rest}
  </details>`
}
