import type { Front, FrontPoint, Group, Summary, TrialLine } from '../contract/index.js'
import { clean } from '../trace/text.js'
import { mean } from '../stats/summary.js'
import { isSolved } from './contrasts.js'
import { groupKey, lineKey } from './summary.js'
import { ABSENT, agentLabel, cases, count, isSimulatedModel, left, percent, right } from './table.js'
import type { Table } from './table.js'

/** What one setting came to over some scenarios. */
interface Score {
  solved: number
  /** Billed tokens per scenario. */
  billed: number
  n: number
}

/**
 * Per case what each setting of each agent cost and achieved. Settings are chosen on the scenarios of even index and shown
 * on the others, so that nobody is shown on the seeds that chose it. Agents without a model bill nothing and are left out.
 */
export function frontsOf(summary: Summary, lines: Iterable<TrialLine>): Front[] {
  const trials = new Map<string, TrialLine[]>()
  for (const line of lines) trials.set(lineKey(line), [...(trials.get(lineKey(line)) ?? []), line])
  return cases(summary).flatMap(({ caption, groups }) => {
    const scored = groups.flatMap((group) => {
      const own = trials.get(groupKey(group)) ?? []
      const [chosenBy, shown] = [0, 1].map((half) =>
        scoreOf(own.filter(({ identity }) => identity.scenario.index % 2 === half)),
      )
      if (group.model === null || chosenBy == null || shown == null) return []
      return [{ agent: group.agent.name, setting: settingOf(group, groups), chosenBy, shown }]
    })
    const points = scored.map((one): FrontPoint => {
      const { agent, setting, shown } = one
      const rivals = scored.filter((other) => other.agent === agent)
      const best = rivals.reduce((so, other) => (isCheaper(other.chosenBy, so.chosenBy) ? other : so))
      const isFront = (others: typeof scored) => !others.some((other) => dominates(other.shown, shown))
      return { agent, setting, ...shown, chosen: best === one, ownFront: isFront(rivals), front: isFront(scored) }
    })
    return points.length === 0 ? [] : [{ world: caption, points }]
  })
}

/** The criterion: what is billed for each scenario that is solved; where nobody solves any, what is billed at all. */
const isCheaper = (one: Score, other: Score): boolean =>
  one.solved === 0 && other.solved === 0
    ? one.billed < other.billed
    : one.billed / one.solved < other.billed / other.solved

const dominates = (one: Score, other: Score): boolean =>
  one.solved >= other.solved && one.billed <= other.billed && (one.solved > other.solved || one.billed < other.billed)

/** Null without a scenario, or where what was billed is not known. */
function scoreOf(lines: readonly TrialLine[]): Score | null {
  const billed = mean(
    lines.flatMap(({ metrics: { billed_tokens: tokens } }) => (typeof tokens === 'number' ? [tokens] : [])),
  )
  const solved = mean(lines.map((line) => (line.outcome !== 'infrastructure_error' && isSolved(line) ? 1 : 0)))
  return billed === null || solved === null ? null : { billed, solved, n: lines.length }
}

/** What tells it from the agent's other settings: parameters, and the settings of the reader. */
function settingOf(group: Group, groups: readonly Group[]): string {
  const siblings = groups.filter(({ agent, model }) => agent.name === group.agent.name && model !== null)
  const own = agentLabel(group, siblings).slice(group.agent.name.length)
  const readers = siblings.map(({ model }) => readerSettings(model))
  const apart = readerSettings(group.model).filter((each) => readers.some((other) => !other.includes(each)))
  return clean([own, ...apart].join(' ').trim())
}

const readerSettings = (model: string | null): string[] =>
  [...new URLSearchParams(model?.split('?')[1] ?? '')].map(([name, value]) => `${name}=${value}`)

/** Every setting, or with `all` false those alone that are chosen or on the front of their agent. */
export function frontTables({ fronts = [], groups }: Summary, all = true): Table[] {
  return fronts.map(({ world, points }) => ({
    caption: `Settings · ${world}`,
    simulated: groups.some(({ model }) => isSimulatedModel(model)),
    columns: [
      left('agent'),
      left('setting'),
      right('n'),
      right('solved'),
      right('billed'),
      left('chosen'),
      left('front'),
    ],
    rows: points
      .filter(({ chosen, ownFront }) => all || chosen || ownFront)
      .map(({ agent, setting, solved, billed, chosen, front, ownFront, n }) => [
        clean(agent),
        setting === '' ? ABSENT : setting,
        String(n),
        percent(solved),
        count(billed),
        chosen ? 'yes' : '',
        front ? 'of all' : ownFront ? 'own' : '',
      ]),
  }))
}

/** How settings were chosen. */
export const frontNotes = ({ fronts }: Summary): string[] =>
  fronts === undefined
    ? []
    : [
        'Settings: billed tokens per scenario and the share solved, on the scenarios of odd index. An agent’s setting is chosen on those of even index: the least that was billed for each solved one. On the front of all (of its agent) is what no other setting of anybody (of the agent) beats in the one without losing in the other; these are point values, without an interval.',
      ]
