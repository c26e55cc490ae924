// What agents cost in billed tokens, from committed baselines, for the marked blocks of the docs.
import type { TrialLine } from '../harness/contract/index.js'
import { billAt, spendingOf, tariffsFor } from '../harness/metrics/billing.js'
import { sumOf } from '../harness/stats/summary.js'

/** The smallest and the largest ratio of the means, over all pricings and 0, 200 and 1 000 thinking tokens per call. */
export function costRange(candidate: readonly TrialLine[], base: readonly TrialLine[]): [low: number, high: number] {
  const { model, thinking } = candidate[0]?.identity ?? { model: null, thinking: '' }
  const meanOf = (lines: readonly TrialLine[], tariff: Parameters<typeof billAt>[1]): number =>
    sumOf(lines, ({ metrics }) => {
      const spending = spendingOf((name) => (typeof metrics[name] === 'number' ? metrics[name] : null))
      return spending === null ? NaN : billAt(spending, tariff)
    }) / lines.length
  const ratios = tariffsFor(model ?? '', thinking).map((tariff) => meanOf(candidate, tariff) / meanOf(base, tariff))
  return [Math.min(...ratios), Math.max(...ratios)]
}

const times = (value: number): string => value.toFixed(value < 10 ? 2 : 0)
export const rangeText = ([low, high]: readonly [number, number]): string => `×${times(low)} to ×${times(high)}`

/** Who of the worlds' agents costs what beside another: a line for each rival. Here every scenario is alike but for its seed. */
export function costsByWorld(
  lines: readonly TrialLine[],
  { worlds, own, rivals }: { worlds: readonly string[]; own: string; rivals: readonly string[] },
): string {
  const of = (agent: string, world: string) =>
    lines.filter(({ identity }) => identity.agent === agent && identity.scenario.environment === world)
  return rivals
    .map((rival) => {
      const found = worlds.map((world) => ({ world, range: costRange(of(own, world), of(rival, world)) }))
      const said = (
        [
          ['cheaper in all pricings', ([, high]) => high < 1],
          ['dearer in all pricings', ([low]) => low > 1],
          ['depends on the pricing', ([low, high]) => low <= 1 && high >= 1],
        ] satisfies [string, (range: [number, number]) => boolean][]
      ).flatMap(([words, holds]) => {
        const where = found.filter(({ range }) => holds(range))
        const named = where.map(({ world, range }) => `\`${world}\` (${rangeText(range)})`)
        return where.length === 0 ? [] : [`${words} in ${named.join(', ')}`]
      })
      return `- \`${own}\` beside \`${rival}\`: ${said.join('; ')}.\n`
    })
    .join('')
}

/** Rows of the watch: how long it lasts, who looks or waits, and what it costs beside the one that suspends until the signal. */
export function watchRows(lines: readonly TrialLine[]): string[][] {
  const played = lines.filter(({ identity: { model } }) => model !== null)
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const watches = [...new Set(played.map(({ identity }) => number(identity.scenario.params['watchMs'])))]
  return watches
    .toSorted((a, b) => a - b)
    .flatMap((watchMs) => {
      const rows = new Map<string, TrialLine[]>()
      for (const line of played.filter(({ identity }) => identity.scenario.params['watchMs'] === watchMs)) {
        const { agent, agentParams, model } = line.identity
        // Who waits never asks for the interval: its rows are the same for each.
        const pollMs = Number(new URLSearchParams(model?.split('?')[1]).get('pollMs'))
        const limit = number(agentParams['maxWaitMs'])
        const detail =
          agent === 'react-polling'
            ? `, ${pollMs / 1_000} s`
            : limit > 0 && limit < DAY_MS
              ? `, time-outs of ${limit / 1_000} s`
              : ''
        rows.set(agent + detail, [...(rows.get(agent + detail) ?? []), line])
      }
      const base = rows.get('s-ora') ?? []
      const order = [...rows].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      return order.map(([name, own]) => {
        const mean = (...metrics: string[]): string =>
          grouped(
            Math.round(sumOf(own, (line) => sumOf(metrics, (metric) => number(line.metrics[metric]))) / own.length),
          )
        const missed = own.some(({ outcome }) => outcome !== 'solved')
        return [
          watchMs < HOUR_MS ? `${watchMs / 60_000} min` : `${watchMs / HOUR_MS} h`,
          missed ? `${name} (not solved)` : name,
          mean('model_calls'),
          mean('prompt_tokens', 'completion_tokens'),
          mean('billed_tokens'),
          name === 's-ora' ? '' : rangeText(costRange(own, base)),
        ]
      })
    })
}
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+\b)/g, ' ')
