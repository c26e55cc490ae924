import type { ContrastFigure, ContrastFigures, ContrastOutcome, Contrasts } from '../contract/index.js'
import { clean, counted } from '../trace/text.js'
import { ABSENT, isSimulatedModel, left, right } from './table.js'
import type { Table } from './table.js'

const signed = (text: string): string =>
  Number(text) === 0 ? '0' : text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`

/** How figures of an outcome are written, and what its heading adds. */
export function writing({ kind, unit, name }: ContrastOutcome): { heading: string; text: (value: number) => string } {
  const short = clean(name)
  if (kind === 'ratio')
    return { heading: `${short} ×`, text: (value) => (value >= 10 ? value.toFixed(1) : value.toFixed(2)) }
  if (unit === 'share') return { heading: `${short} Δ points`, text: (value) => signed((value * 100).toFixed(0)) }
  if (unit === 'ms') return { heading: `${short} Δ s`, text: (value) => signed((value / 1_000).toFixed(1)) }
  return { heading: `${short} Δ`, text: (value) => signed(value.toFixed(2)) }
}

function cell(figure: ContrastFigure | null, text: (value: number) => string): string {
  if (figure === null) return ABSENT
  const { value, low, high } = figure
  return `${text(value)} [${low === null || high === null ? ABSENT : `${text(low)}, ${text(high)}`}]`
}

const pText = (p: number | null): string => (p === null ? ABSENT : p < 0.001 ? '<0.001' : p.toFixed(3))

/** Which contrasts are shown, and under which headings what of each outcome. */
interface Layout {
  kinds: readonly ContrastFigures['kind'][]
  columns: (outcome: ContrastOutcome) => string[]
  row: (outcome: ContrastOutcome, contrast: ContrastFigures) => string[]
  /** Where the table is too wide the last columns go first; 0: none goes. */
  keep?: number
}

function tableOf(
  { model, thinking }: Contrasts,
  caption: string,
  outcomes: readonly ContrastOutcome[],
  { kinds, columns, row, keep = 0 }: Layout,
): Table {
  const names = (outcomes[0]?.contrasts ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
  const titles = outcomes.flatMap(columns)
  return {
    caption: [caption, ...(model === null ? [] : [`model ${clean(model)}`]), `thinking ${clean(thinking)}`].join(' · '),
    simulated: isSimulatedModel(model),
    columns: [left('contrast'), ...titles.map((title, index) => right(title, Math.max(0, keep - index)))],
    rows: names.map((name) => [
      clean(name),
      ...outcomes.flatMap((outcome) =>
        outcome.contrasts.filter((contrast) => contrast.name === name).flatMap((contrast) => row(outcome, contrast)),
      ),
    ]),
  }
}

const ALL = ['main', 'interaction', 'simple'] as const

/** The confirmatory contrasts and what is exploratory, over all worlds; `each`: also world by world. */
export function contrastTables(all: readonly Contrasts[], each = true): Table[] {
  return all.flatMap((contrasts) => {
    const { worlds, outcomes } = contrasts
    const family = outcomes.filter(({ confirmatory }) => confirmatory)
    const others = outcomes.filter(({ confirmatory }) => !confirmatory)
    const over = `mean of ${counted(worlds.length, 'world')}`
    const columns = (outcome: ContrastOutcome) => [`${writing(outcome).heading} [95 %]`]
    const row: Layout['row'] = (outcome, { mean }) => [cell(mean, writing(outcome).text)]
    const confirmed: Layout = {
      kinds: ['main', 'interaction'],
      columns: (outcome) => [...columns(outcome), 'p (Holm)'],
      row: (outcome, contrast) => [
        ...row(outcome, contrast),
        contrast.agrees === false ? 'of the scale' : pText(contrast.holm),
      ],
    }
    return [
      tableOf(contrasts, `Contrasts, ${over}`, family, confirmed),
      tableOf(contrasts, `Simple effects, exploratory, ${over}`, family, { kinds: ['simple'], columns, row }),
      tableOf(contrasts, `Other outcomes, exploratory, ${over}`, others, { kinds: ALL, columns, row, keep: 10 }),
      ...(each && worlds.length > 1 ? outcomes.map((outcome) => worldTable(contrasts, outcome)) : []),
    ]
  })
}

/** Each world, and what the mean becomes without it. */
function worldTable(contrasts: Contrasts, outcome: ContrastOutcome): Table {
  const { heading, text } = writing(outcome)
  const names = contrasts.worlds.map(clean)
  const columns = () => [
    ...names.map((world, index) => `${world} (n ${outcome.n[index] ?? 0})`),
    ...names.map((world) => `without ${world}`),
  ]
  const row: Layout['row'] = (_, { worlds, without }) => [...worlds, ...without].map((figure) => cell(figure, text))
  const caption = `${heading} by world${outcome.confirmatory ? '' : ', exploratory'}`
  return tableOf(contrasts, caption, [outcome], { kinds: ALL, columns, row })
}

/** What a reader must know of them; nothing that is left out goes unsaid. */
export function contrastNotes(all: readonly Contrasts[]): string[] {
  return all.flatMap(({ model, worlds, left: without, outcomes }) => {
    const of = model === null ? '' : ` (${clean(model)})`
    const sizes = outcomes.map((outcome) => {
      const n = outcome.n.reduce((sum, size) => sum + size, 0)
      const missing = outcome.missing.reduce((sum, size) => sum + size, 0)
      const none = worlds.filter((_, index) => outcome.n[index] === 0)
      const empty = none.length === 0 ? '' : `, none in ${none.map(clean).join(', ')}, which the mean leaves out`
      return `${clean(outcome.name)} ${n}${missing === 0 ? '' : ` (${missing} left out${empty})`}`
    })
    return [
      `Contrasts${of}: worlds are fixed and have equal weight; intervals are expanded percentiles of a bootstrap over the scenarios within each world, all cells together (10 000 resamples); a dash: too few scenarios, or a cell that solved none; an interval without width: every scenario shows the same, which bounds nothing. p is the α at which the interval touches no effect, adjusted by Holm over the contrasts of ${outcomes
        .filter(({ confirmatory }) => confirmatory)
        .map(({ name }) => clean(name))
        .join(
          ', ',
        )}; all else is exploratory. “Of the scale”: an interaction of rates that has another sign on the logit (+½) counts for nothing.`,
      `Billed are billed_tokens, calls model_calls. × are ratios of geometric means over the scenarios that every cell solved, or of sums over all scenarios per solved one; Δ are differences of means. The makespan is restricted to a horizon, the longest of a world’s solved trials; who does not solve it has the horizon. Scenarios${of}: ${sizes.join('; ')}.`,
      ...without.map(
        (world) => `No contrasts of ${clean(world)}${of}: not every cell of the factors was played there, once.`,
      ),
    ]
  })
}
