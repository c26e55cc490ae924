import type { ContrastFigure, ContrastOutcome, Contrasts } from '../../../contract/index.js'
import { clean } from '../../../trace/text.js'
import { writing } from '../../contrast-table.js'
import { capital, isSimulatedModel } from '../../table.js'
import { amount } from './draw.js'
import type { Figure } from './draw.js'

/** A forest per outcome: each contrast over all worlds with its interval, and the worlds' own values below it. */
export function contrastFigures({ model, worlds, outcomes }: Contrasts): Figure[] {
  return outcomes.flatMap((outcome) => {
    const main = outcome.contrasts.filter(({ kind }) => kind !== 'simple')
    const figures = main.flatMap(({ name, mean }) =>
      mean === null ? [] : [{ contrast: clean(name), ...drawn(outcome, mean) }],
    )
    if (figures.length === 0) return []
    const each = main.flatMap(({ name, worlds: all }) =>
      all.flatMap((figure, index) =>
        figure === null
          ? []
          : [{ contrast: clean(name), world: clean(worlds[index] ?? ''), value: drawn(outcome, figure).value }],
      ),
    )
    const { heading } = writing(outcome)
    const exploratory = outcome.confirmatory ? '' : ', exploratory'
    return [
      {
        title: `${capital(heading)}${exploratory}`,
        remark: 'Mean of the worlds with its interval at 95 %; small: each world alone. The line is no effect.',
        simulated: isSimulatedModel(model),
        chart: chartOf(outcome, figures, each),
      },
    ]
  })
}

/** In the units of the axis. */
function drawn({ unit }: ContrastOutcome, { value, low, high }: ContrastFigure) {
  const factor = unit === 'share' ? 100 : unit === 'ms' ? 0.001 : 1
  const scaled = (one: number | null) => (one === null ? null : one * factor)
  return { value: value * factor, low: scaled(low), high: scaled(high) }
}

function chartOf(outcome: ContrastOutcome, values: readonly object[], each: readonly object[]): Figure['chart'] {
  const ratio = outcome.kind === 'ratio'
  const scale = ratio ? { type: 'log' as const, nice: false, padding: 10 } : { zero: true, nice: true }
  const x = amount('value', {
    title: writing(outcome).heading,
    scale,
    axis: { tickCount: 5, format: ratio ? '.2~f' : '.3~f' },
  })
  const y = { field: 'contrast', type: 'nominal' as const, sort: null, title: null, axis: { labelLimit: 500 } }
  return {
    width: 230,
    height: { step: 34 },
    layer: [
      {
        data: { values: [{ value: ratio ? 1 : 0 }] },
        mark: { type: 'rule', color: 'var(--faint)', strokeDash: [3, 3] },
        encoding: { x },
      },
      {
        data: { values: [...each] },
        mark: { type: 'tick', color: 'var(--faint)', size: 9, thickness: 1.5, yOffset: 10 },
        encoding: { x, y },
      },
      {
        data: { values: [...values] },
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, y },
      },
      { data: { values: [...values] }, mark: { type: 'point', size: 80 }, encoding: { x, y } },
    ],
  }
}
