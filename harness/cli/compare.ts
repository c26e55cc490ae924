import { extname } from 'node:path'
import type { Argv, CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import type { Comparison, GateResult } from '../contract/index.js'
import { compare } from '../report/compare/compare.js'
import type { Side } from '../report/compare/comparison.js'
import { consoleComparison, junitComparison, markdownComparison } from '../report/compare/formats.js'
import { FAIL_ON, gate } from '../report/compare/gate.js'
import type { FailOn } from '../report/compare/gate.js'
import { ALLOWABLE } from '../report/compare/refusal.js'
import type { Allowable } from '../report/compare/refusal.js'
import { onStderr } from '../report/console.js'
import { loadMetrics } from '../run/registry.js'
import { writeReport } from './report.js'
import { loadSide } from './sides.js'
import { exit } from './terminal.js'

export interface ComparingOptions {
  'fail-on': FailOn
  metrics: string | undefined
  agents: string | undefined
  confidence: number
  allow: string | undefined
  output: string[]
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
}

const formats: Record<string, (comparison: Comparison, result: GateResult) => string> = {
  '.md': markdownComparison,
  '.json': (comparison, result) => `${JSON.stringify({ ...comparison, gate: result }, null, 2)}\n`,
  '.xml': junitComparison,
}

/** Before anything is read or run: can every wanted file be written? */
function checkComparing({ output, allow }: ComparingOptions): ReadonlySet<Allowable> {
  for (const path of output) formatOf(path)
  const asked = split(allow) ?? []
  const known = new Set<string>(ALLOWABLE)
  const unknown = asked.find((name) => !known.has(name))
  if (unknown !== undefined) throw new UserError(`"${unknown}" cannot be allowed. Known: ${ALLOWABLE.join(', ')}.`)
  return new Set(ALLOWABLE.filter((name) => asked.includes(name)))
}

function formatOf(path: string): (comparison: Comparison, result: GateResult) => string {
  const format = formats[extname(path)]
  if (format !== undefined) return format
  throw new UserError(
    `No comparison can be written to "${path}": its extension must be one of ${Object.keys(formats).join(', ')}.`,
  )
}

/** Compares, prints, writes what is wanted, and says by the exit code whether the gate holds. */
export async function compareSides(
  [base, candidate]: readonly [Side, Side],
  given: ComparingOptions,
): Promise<{ comparison: Comparison; result: GateResult; code: number }> {
  const allow = checkComparing(given)
  const confirmatory = split(given.metrics)
  const [one, other] = selectAgents([base, candidate], split(given.agents))
  const comparison = compare(one, other, {
    metrics: await loadMetrics(),
    confidence: given.confidence,
    allow,
    ...(confirmatory !== undefined && { confirmatory }),
  })
  const result = gate(comparison, given['fail-on'])
  process.stdout.write(consoleComparison(comparison, { columns: process.stdout.columns ?? 120 }))
  for (const path of given.output) writeReport(path, formatOf(path)(comparison, result))
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
      checkComparing(given)
      const { code } = await compareSides([loadSide(given.base), loadSide(given.candidate)], given)
      done(code)
    },
  }
}
