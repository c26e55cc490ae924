import { clean } from '../../../trace/text.js'
import type { Group, Rate } from '../../summary.js'
import { agentLabel } from '../../table.js'

/** Rates on fewer events are shown grey, with their count (DESIGN §10). */
const ENOUGH_EVENTS = 10
export const isFew = ({ events }: Rate): boolean => events < ENOUGH_EVENTS

/** A name for each group of a case that no other has: the agent, and model and thinking policy where there are several. */
export function rowLabel(group: Group, groups: readonly Group[]): string {
  const models = new Set(groups.flatMap(({ model }) => model ?? []))
  const policies = new Set(groups.filter(({ model }) => model !== null).map(({ thinking }) => thinking))
  return [
    agentLabel(group, groups),
    ...(models.size > 1 && group.model !== null ? [clean(group.model)] : []),
    ...(policies.size > 1 && group.model !== null ? [clean(group.thinking)] : []),
  ].join(' · ')
}

/** A row per group. What tells agents of one name apart stands below the name, so that it is not cut off. */
export const rowAxis = {
  field: 'agent',
  type: 'nominal' as const,
  sort: null,
  title: null,
  axis: {
    domain: false,
    ticks: false,
    labelExpr: "split(replace(datum.label, ' ', '\\n'), '\\n')",
    // Vega centres the first of several lines.
    labelOffset: { condition: { test: "indexof(datum.label, ' ') >= 0", value: -6 }, value: 0 },
  },
}

export function isSimulated(groups: readonly Group[]): boolean {
  return groups.some(({ model }) => model?.startsWith('sim:') === true)
}

/** Mean prompt and completion tokens of a scenario. */
export function tokensOf({ metrics }: Group): number | null {
  const prompt = metrics['prompt_tokens']?.mean ?? null
  const completion = metrics['completion_tokens']?.mean ?? null
  return prompt === null || completion === null ? null : prompt + completion
}
