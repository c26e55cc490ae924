import { createInterface } from 'node:readline/promises'
import { UserError } from '../contract/index.js'
import { PRICES_AS_OF } from '../model/prices.js'
import { PILOTS, STAND_IN, forecastRun } from '../run/forecast.js'
import type { Forecast, Foreseen } from '../run/forecast.js'
import { embeddingsIn, isSimulated } from '../run/models.js'
import { clean, thousands } from '../trace/text.js'
import { exit } from './command.js'
import type { Prepared } from './prepare.js'
import { columns } from './terminal.js'

interface Planned extends Pick<Prepared, 'definitions'> {
  plan: Foreseen
}
interface Asked {
  yes: boolean
  concurrency?: number
  json?: boolean
}

/** Prints what real models may come to, and asks. */
export async function confirmCost({ plan, definitions }: Planned, { yes, concurrency = 1 }: Asked): Promise<void> {
  const trials = plan.trials.filter(({ model }) => model !== null && !isSimulated(model))
  const forecasts = await forecastRun({ ...plan, trials }, definitions)
  const table = forecasts.length === 0 ? '' : `${tableOf(forecasts, concurrency)}\n`
  process.stderr.write(`${table}${notesOf({ plan, definitions }, forecasts)}`)
  if (yes) return
  if (!process.stdin.isTTY) throw new UserError('Calls to a real model need a confirmation: run again with --yes.')
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question('Go on? [y/N] ').catch(() => '')
  prompt.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was called and nothing was written.')
}

/** `--plan`: the same for all models, and no more. */
export async function tellPlan({ plan, definitions }: Planned, { concurrency = 1, json = false }: Omit<Asked, 'yes'>) {
  const forecasts = await forecastRun(plan, definitions)
  const trials = plan.trials.length
  const text = json
    ? JSON.stringify({ trials, models: forecasts }, null, 2)
    : `${thousands(trials)} trials\n${tableOf(forecasts, concurrency)}`
  process.stdout.write(`${text}\n`)
  process.stderr.write(notesOf({ plan, definitions }, forecasts))
  return exit.fine
}

function tableOf(forecasts: readonly Forecast[], concurrency: number): string {
  const rows = forecasts.map(({ model, trials, calls, promptTokens, completionTokens, costUsd, callsMs }) => [
    clean(model),
    ...[trials, calls, promptTokens, completionTokens].map(thousands),
    isSimulated(model) ? 'nothing' : costUsd === null ? 'not known' : `${costUsd.toFixed(2)} USD`,
    durationText(callsMs / (isSimulated(model) ? 1 : concurrency)),
  ])
  return columns([['model', 'trials', 'calls', 'prompt tokens', 'completion tokens', 'cost', 'time'], ...rows])
}

function notesOf({ plan, definitions }: Planned, forecasts: readonly Forecast[]): string {
  const real = forecasts.filter(({ model }) => !isSimulated(model))
  const embedded = embeddingsIn(plan.trials, definitions).filter((name) => !isSimulated(name))
  const estimated = `Estimated from ${PILOTS} trials per agent and case`
  const standIn = ` with ${STAND_IN} in place of the model, which may take more calls; cost at the prices of ${PRICES_AS_OF} or as stated (check before relying), time at the speeds of the thinking policy`
  const notes = [
    // Embeddings alone are no calls that could be estimated.
    ...(forecasts.length === 0 ? [] : [`${estimated}${real.length === 0 ? '' : standIn}.`]),
    ...real.flatMap(({ model, most }) =>
      most === null
        ? []
        : [
            `The limits of its trials allow ${clean(model)} ${thousands(most.calls)} calls and ${thousands(most.tokens)} tokens${most.costUsd === null ? '' : `, ${most.costUsd.toFixed(2)} USD`}; --max-cost and --budget-tokens allow less.`,
          ],
    ),
    ...embedded.map((model) => `${clean(model)}: embeddings, in at most ${plan.trials.length} trials; not estimated.`),
  ]
  return `${notes.join('\n')}\n`
}

function durationText(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${Math.ceil(ms / 1_000)} s`
  return minutes < 60 ? `${Math.ceil(minutes)} min` : `${(minutes / 60).toFixed(1)} h`
}
