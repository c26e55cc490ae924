import type { InferredOptionTypes } from 'yargs'
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
import { checkNames, defineCommand, exit, needed, option, repeated, split } from './command.js'
import { outputsOf, writeReport } from './report.js'
import { loadSide } from './sides.js'

export const comparingOptions = (failOn: FailOn) => ({
  'fail-on': {
    choices: FAIL_ON,
    default: failOn,
    describe: 'Exit with 100 when a confirmatory metric is worse beyond its margin; when anything changed; never',
  },
  metrics: option('Comma list: the confirmatory family'),
  agents: option('Comma list: compare these alone'),
  confidence: { type: 'number' as const, default: 0.95, describe: 'Of intervals and verdicts' },
  allow: option(`Comma list of differences to compare in spite of: ${ALLOWABLE.join(', ')}`),
  output: {
    ...repeated('Also write to this file, by its extension: .md, .json, .xml (JUnit); may be repeated'),
    alias: 'o',
    default: [] as string[],
  },
  reporter: repeated('An EXTENSION.reporter.ts file of your own, for -o FILE.EXTENSION; may be repeated'),
})
export type ComparingOptions = InferredOptionTypes<ReturnType<typeof comparingOptions>>

/** Before anything is read or run: what may differ. */
function allowed({ allow }: Partial<ComparingOptions>): ReadonlySet<Allowable> {
  const asked = split(allow) ?? []
  checkNames(asked, ALLOWABLE, (name) => `"${name}" cannot be allowed.`)
  return new Set(ALLOWABLE.filter((name) => asked.includes(name)))
}

/** Compares, prints, writes what is wanted, and says by the exit code whether the gate holds. */
export async function compareSides(
  sides: readonly [Side, Side],
  given: Partial<ComparingOptions>,
): Promise<{ comparison: Comparison; code: number }> {
  const [allow, outputs] = [allowed(given), await outputsOf(given, 'comparison')]
  const confirmatory = split(given.metrics)
  const [base, candidate] = selectAgents(sides, split(given.agents))
  const write = async (found: Comparison, said: GateResult): Promise<void> => {
    for (const [path, reporter] of outputs)
      writeReport(path, (await reporter.comparison?.({ comparison: { ...found, gate: said } })) ?? '')
  }
  const { metrics } = await metricsWith([...(candidate.plugins ?? []), ...(base.plugins ?? [])])
  const { confidence = 0.95, 'fail-on': failOn = 'never' } = given
  const options = { metrics, confidence, allow, ...(confirmatory !== undefined && { confirmatory }) }
  let comparison: Comparison
  try {
    comparison = compare(base, candidate, options)
  } catch (error) {
    // Who asked for a file finds there why nothing was compared.
    if (error instanceof UserError)
      await write(nothingCompared(base, candidate, options), { failures: [], undecided: error.message })
    throw error
  }
  const result = gate(comparison, failOn)
  process.stdout.write(consoleComparison(comparison, { columns: process.stdout.columns ?? 120 }))
  await write(comparison, result)
  for (const { sentence } of result.failures) process.stderr.write(`${onStderr.red(sentence)}\n`)
  if (result.failures.length > 0) return { comparison, code: exit.regression }
  if (result.undecided === null) return { comparison, code: exit.fine }
  process.stderr.write(`${result.undecided}\n`)
  return { comparison, code: exit.mistake }
}

function selectAgents(sides: readonly [Side, Side], names: string[] | undefined): readonly [Side, Side] {
  if (names === undefined) return sides
  const known = new Set(sides.flatMap(({ lines }) => lines.map(({ identity }) => identity.agent)))
  checkNames(names, [...known].toSorted(), (name) => `No agent named "${name}" in either.`)
  const select = (side: Side): Side => ({
    ...side,
    lines: side.lines.filter(({ identity }) => names.includes(identity.agent)),
  })
  return [select(sides[0]), select(sides[1])]
}

/** Two runs or baselines, paired by scenario. */
export const compareCommand = defineCommand({
  command: 'compare <base> <candidate>',
  describe: 'Compare two runs or baselines: a verdict per metric, and every change of behaviour',
  builder: (y) =>
    y
      .positional('base', needed('A run’s folder or name, or a baseline’s'))
      .positional('candidate', needed('The same'))
      .options(comparingOptions('worse'))
      .example('$0 compare results/before results/after', 'is anything worse?')
      .example('$0 compare default results/mine -o pr.md', 'against a baseline, for a pull request')
      .example('$0 compare before after --fail-on change', 'may nothing change at all?')
      .example('$0 compare before after --metrics solved,polls', 'another confirmatory family')
      .example('$0 compare before after --allow params', 'although the worlds differ'),
  async run(given) {
    allowed(given)
    await outputsOf(given, 'comparison')
    const { code } = await compareSides([loadSide(given.base), loadSide(given.candidate)], given)
    return code
  },
})
