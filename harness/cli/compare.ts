import type { Argv, CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import type { Comparison, GateResult } from '../contract/index.js'
import { compare, nothingCompared } from '../report/compare/comparison.js'
import { consoleComparison } from '../report/compare/formats.js'
import { FAIL_ON, gate } from '../report/compare/gate.js'
import type { FailOn } from '../report/compare/gate.js'
import type { Side } from '../report/compare/pairs.js'
import { ALLOWABLE } from '../report/compare/refusal.js'
import type { Allowable } from '../report/compare/refusal.js'
import { onStderr } from '../report/console.js'
import { metricsWith } from '../run/registry.js'
import { outputsOf, writeReport } from './report.js'
import { loadSide } from './sides.js'
import { exit } from './terminal.js'

export interface ComparingOptions {
  'fail-on': FailOn
  metrics: string | undefined
  agents: string | undefined
  confidence: number
  allow: string | undefined
  output: string[]
  reporter?: string[] | undefined
}

export function comparingOptions<T>(y: Argv<T>, failOn: FailOn): Argv<T & ComparingOptions> {
  return y
    .option('fail-on', {
      choices: FAIL_ON,
      default: failOn,
      describe: 'Exit with 100 when a confirmatory metric is worse beyond its margin; when anything changed; never',
    })
    .option('metrics', { type: 'string', describe: 'Comma list: the confirmatory family' })
    .option('agents', { type: 'string', describe: 'Comma list: compare these alone' })
    .option('confidence', { type: 'number', default: 0.95, describe: 'Of intervals and verdicts' })
    .option('allow', {
      type: 'string',
      describe: `Comma list of differences to compare in spite of: ${ALLOWABLE.join(', ')}`,
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      array: true,
      nargs: 1,
      default: [],
      describe: 'Also write to this file, by its extension: .md, .json, .xml (JUnit); may be repeated',
    })
    .option('reporter', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'An EXTENSION.reporter.ts file of your own, for -o FILE.EXTENSION; may be repeated',
    })
}

/** Before anything is read or run: what may differ. */
function allowed({ allow }: ComparingOptions): ReadonlySet<Allowable> {
  const asked = split(allow) ?? []
  const known = new Set<string>(ALLOWABLE)
  const unknown = asked.find((name) => !known.has(name))
  if (unknown !== undefined) throw new UserError(`"${unknown}" cannot be allowed. Known: ${ALLOWABLE.join(', ')}.`)
  return new Set(ALLOWABLE.filter((name) => asked.includes(name)))
}

/** Compares, prints, writes what is wanted, and says by the exit code whether the gate holds. */
export async function compareSides(
  [base, candidate]: readonly [Side, Side],
  given: ComparingOptions,
): Promise<{ comparison: Comparison; result: GateResult; code: number }> {
  const [allow, outputs] = [allowed(given), await outputsOf(given, 'comparison')]
  const confirmatory = split(given.metrics)
  const [one, other] = selectAgents([base, candidate], split(given.agents))
  const write = async (found: Comparison, said: GateResult): Promise<void> => {
    for (const [path, reporter] of outputs)
      writeReport(path, (await reporter.comparison?.({ comparison: { ...found, gate: said } })) ?? '')
  }
  const { metrics } = await metricsWith([...(candidate.plugins ?? []), ...(base.plugins ?? [])])
  const options = {
    metrics,
    confidence: given.confidence,
    allow,
    ...(confirmatory !== undefined && { confirmatory }),
  }
  let comparison: Comparison
  try {
    comparison = compare(one, other, options)
  } catch (error) {
    // Who asked for a file finds there why nothing was compared.
    if (error instanceof UserError)
      await write(nothingCompared(one, other, options), { failures: [], undecided: error.message })
    throw error
  }
  const result = gate(comparison, given['fail-on'])
  process.stdout.write(consoleComparison(comparison, { columns: process.stdout.columns ?? 120 }))
  await write(comparison, result)
  for (const { sentence } of result.failures) process.stderr.write(`${onStderr.red(sentence)}\n`)
  if (result.failures.length > 0) return { comparison, result, code: exit.regression }
  if (result.undecided === null) return { comparison, result, code: exit.fine }
  process.stderr.write(`${result.undecided}\n`)
  return { comparison, result, code: exit.mistake }
}

function selectAgents([base, candidate]: readonly [Side, Side], names: string[] | undefined): [Side, Side] {
  if (names === undefined) return [base, candidate]
  const known = new Set([...base.lines, ...candidate.lines].map(({ identity }) => identity.agent))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new UserError(`No agent named "${unknown}" in either. Known: ${[...known].toSorted().join(', ')}.`)
  const select = (side: Side): Side => ({
    ...side,
    lines: side.lines.filter(({ identity }) => names.includes(identity.agent)),
  })
  return [select(base), select(candidate)]
}

export const split = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

interface CompareArguments extends ComparingOptions {
  base: string
  candidate: string
}

/** Two runs or baselines, paired by scenario. `done` receives the exit code. */
export function compareCommand(done: (code: number) => void): CommandModule<object, CompareArguments> {
  return {
    command: 'compare <base> <candidate>',
    describe: 'Compare two runs or baselines: a verdict per metric, and every change of behaviour',
    builder: (y) =>
      comparingOptions(
        y
          .positional('base', {
            type: 'string',
            demandOption: true,
            describe: 'A run’s folder or name, or a baseline’s',
          })
          .positional('candidate', { type: 'string', demandOption: true, describe: 'The same' }),
        'worse',
      )
        .example('$0 compare results/before results/after', 'is anything worse?')
        .example('$0 compare default results/mine -o pr.md', 'against a baseline, for a pull request')
        .example('$0 compare before after --fail-on change', 'may nothing change at all?')
        .example('$0 compare before after --metrics solved,polls', 'another confirmatory family')
        .example('$0 compare before after --allow params', 'although the worlds differ'),
    async handler(given) {
      allowed(given)
      await outputsOf(given, 'comparison')
      const { code } = await compareSides([loadSide(given.base), loadSide(given.candidate)], given)
      done(code)
    },
  }
}
