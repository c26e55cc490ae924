import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../contract/index.js'
import type { JsonObject, Suite, TrialIdentity } from '../contract/index.js'
import { packBaseline } from '../report/compare/baseline.js'
import type { Baseline, BaselineHeader } from '../report/compare/baseline.js'
import type { Side } from '../report/compare/pairs.js'
import { ALLOWABLE, Refused } from '../report/compare/refusal.js'
import { summarise } from '../report/summary.js'
import { isSimulated } from '../run/models.js'
import { createCatalogue, loadMetrics, pluginFiles } from '../run/registry.js'
import { findRun, readRun } from '../run/store.js'
import { loadSuite } from '../run/suite-file.js'
import { createRun } from '../run/writer.js'
import { parseParams, parseWorldParams } from '../trial/params.js'
import { defineCommand, exit, needed, option, runOption } from './command.js'
import type { Command } from './command.js'
import { compareSides, comparingOptions } from './compare.js'
import type { ComparingOptions } from './compare.js'
import { execute, modelsOf, openModels } from './execute.js'
import { headerOf, planned } from './prepare.js'
import { printReport } from './report.js'
import { baselineNames, findBaseline, readBaseline, sideOfBaseline, sideOfRun, writeBaseline } from './sides.js'
import { askerOf, columns } from './terminal.js'

/** A parameter that came into a schema since the baseline was kept takes its default there, as it does in a replay. */
export async function completed(baseline: Baseline): Promise<Baseline> {
  const catalogue = createCatalogue()
  const known = new Map<string, Promise<JsonObject>>()
  const once = (key: unknown, complete: () => Promise<JsonObject>): Promise<JsonObject> => {
    const text = JSON.stringify(key)
    const made = known.get(text) ?? complete()
    known.set(text, made)
    return made
  }
  const lines = baseline.lines.map(async (line) => {
    const { agent, agentParams, scenario } = line.identity
    const [own, world] = await Promise.all([
      once([agent, agentParams], () =>
        orAsItWas(agentParams, async () => parseParams(agent, (await catalogue.agent(agent)).params, agentParams)),
      ),
      once([scenario.environment, scenario.params], () =>
        orAsItWas(scenario.params, async () =>
          parseWorldParams(await catalogue.environment(scenario.environment), scenario.params),
        ),
      ),
    ])
    const identity: TrialIdentity = { ...line.identity, agentParams: own, scenario: { ...scenario, params: world } }
    return { ...line, identity }
  })
  return { ...baseline, lines: await Promise.all(lines) }
}

/** What is not known any more, or does not fit any more, is for the comparison to tell. */
async function orAsItWas(params: JsonObject, complete: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await complete()
  } catch (error) {
    if (error instanceof UserError) return params
    throw error
  }
}

async function setBaseline(name: string, run: string | undefined): Promise<undefined> {
  const folder = await keep(name, findRun(run))
  process.stderr.write(`Baseline: ${folder} (run.json, trials.jsonl). Commit both.\n`)
}

/** Only whole runs: a baseline with holes would hide what changes in them. */
async function keep(name: string, run: string): Promise<string> {
  const { header, lines, notes } = readRun(run)
  const [damage] = notes
  if (damage !== undefined) throw new UserError(`${damage} It can be no baseline.`)
  if (lines.length < header.trials)
    throw new UserError(
      `${run} has ${lines.length} of ${header.trials} trials. Finish it with \`sora-bench run --resume ${run}\`.`,
    )
  const broken = lines.filter(({ outcome }) => outcome === 'infrastructure_error').length
  if (broken > 0)
    throw new UserError(
      `${broken} trials of ${run} ended in an infrastructure error. Redo them with \`sora-bench run --resume ${run} --retry-errors\`.`,
    )
  const { suite, graders } = header
  return writeBaseline(name, packBaseline({ suite, follows: await followed(suite), graders, lines }))
}

/** The name of the suite file that says exactly this. */
async function followed(suite: Suite): Promise<string | null> {
  if (!pluginFiles('suite').has(suite.name)) return null
  return JSON.stringify(await loadSuite(suite.name)) === JSON.stringify(suite) ? suite.name : null
}

async function showBaseline(name: string | undefined): Promise<undefined> {
  if (name === undefined) {
    const rows = baselineNames().map((known) => [known, factsOf(readBaseline(findBaseline(known)))])
    process.stdout.write(rows.length === 0 ? 'No baseline yet.\n' : `${columns(rows)}\n`)
    return
  }
  const baseline = readBaseline(findBaseline(name))
  process.stdout.write(`${name}: ${factsOf(baseline)}\n\n`)
  process.stdout.write(printReport(summarise(baseline.lines, { metrics: await loadMetrics() })))
}

function factsOf({ header, lines }: Baseline): string {
  const { suite, follows, groups } = header
  const versions = new Set(groups.map(({ agent, agentVersion }) => `${agent} ${agentVersion}`))
  const environments = new Set(groups.map((group) => `${group.environment} ${group.environmentVersion}`))
  return (
    `suite ${suite.name}${follows === null ? ' (with changes of its own)' : ''}, ${lines.length} trials, seed ${suite.seed}; ` +
    `${[...environments].join(', ')}; ${[...versions].join(', ')}`
  )
}

/** Runs the suite anew into a folder of its own, without reports. Null: it was interrupted. */
async function fresh({ suite: kept, follows }: BaselineHeader): Promise<string | null> {
  const suite = follows === null ? kept : await loadSuite(follows)
  const prepared = await planned(suite)
  const real = modelsOf(prepared).find((name) => !isSimulated(name))
  const asker = askerOf(prepared)
  const way = 'run it with `sora-bench run`, then name that run.'
  if (real !== undefined) throw new UserError(`The suite ${suite.name} asks ${real}, which costs: ${way}`)
  if (asker !== null) throw new UserError(`In the suite ${suite.name} ${asker} asks a person: ${way}`)
  const folder = join(mkdtempSync(join(tmpdir(), 'sora-bench-')), 'run')
  const models = openModels(prepared)
  const writer = createRun(folder, headerOf(prepared, folder, new Date(), { traces: 'all' }))
  return execute(prepared, { ...models, writer, concurrency: 1 }, ({ interrupted }) => (interrupted ? null : folder))
}

const today = (run: string): Side => ({ ...sideOfRun(run), name: 'this checkout' })

async function updateBaseline(name: string): Promise<number> {
  const before = readBaseline(findBaseline(name))
  const run = await fresh(before.header)
  if (run === null) return exit.interrupted
  try {
    await compareSides([sideOfBaseline(name, await completed(before)), today(run)], {
      allow: ALLOWABLE.join(','),
    })
  } catch (error) {
    // Nothing to compare with is no reason to keep the old one.
    if (!(error instanceof UserError)) throw error
    process.stderr.write(`${error.message}\n`)
  }
  const folder = await keep(name, run)
  rmSync(dirname(run), { recursive: true })
  process.stderr.write(
    `Replaced ${folder}. Read the comparison above, and commit it with the change that it records.\n`,
  )
  return exit.fine
}

/** One after the other, however each turns out: the exit code is that of the gravest. No names: all baselines. */
async function eachBaseline(
  names: readonly string[],
  work: (name: string) => Promise<number>,
  output: readonly string[] = [],
): Promise<number> {
  const chosen = names.length === 0 ? baselineNames() : names
  if (chosen.length > 1 && output.length > 0)
    throw new UserError(`-o writes one comparison, and there are several: name one of ${chosen.join(', ')}.`)
  // A name that is unknown is told before any suite has run.
  for (const name of chosen) findBaseline(name)
  let gravest: number = exit.fine
  for (const [index, name] of chosen.entries()) {
    if (index > 0) process.stdout.write('\n')
    const code = await work(name)
    if (code === exit.interrupted) return code
    gravest = Math.max(gravest, code)
  }
  return gravest
}

/** The gate: what the suite gives today against what was kept. */
async function checkBaseline(name: string, given: ComparingOptions): Promise<number> {
  const baseline = readBaseline(findBaseline(name))
  const run = await fresh(baseline.header)
  if (run === null) return exit.interrupted
  try {
    const { code, comparison } = await compareSides(
      [sideOfBaseline(name, await completed(baseline)), today(run)],
      given,
    )
    if (code === exit.fine) rmSync(dirname(run), { recursive: true })
    else {
      const trial = comparison.groups.flatMap(({ changes }) => changes?.kinds ?? [])[0]?.trials[0]
      process.stderr.write(howToAccept(name))
      process.stderr.write(`The fresh run: ${run}\n`)
      if (trial !== undefined) process.stderr.write(`A changed trial: npx sora-bench trace "${trial}" --run ${run}\n`)
    }
    return code
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stderr.write(`${error.message}\n${howToAccept(name)}`)
    return exit.regression
  }
}

const howToAccept = (name: string): string =>
  'If this is intended: raise the `version` of the agent or environment that changed, run ' +
  `\`npx sora-bench baseline update ${name}\`, and commit the new baseline with the change.\n`

const actions: Command[] = [
  defineCommand({
    command: 'set <name> [run]',
    describe: 'Keep a run as a baseline',
    builder: (y) =>
      y
        .positional('name', needed('Lower-case letters, digits, dashes'))
        .positional('run', runOption)
        .example('$0 baseline set default results/mine', 'of a run of the default suite'),
    run: ({ name, run }) => setBaseline(name, run),
  }),
  defineCommand({
    command: 'show [name]',
    describe: 'Show a baseline’s table, or list all',
    builder: (y) =>
      y
        .positional('name', option('A baseline; none: list all'))
        .example('$0 baseline show default', 'its comparison table'),
    run: ({ name }) => showBaseline(name),
  }),
  defineCommand({
    command: 'update <names..>',
    describe: 'Run the baselines’ suites anew and replace them',
    builder: (y) =>
      y
        .positional('names', { ...needed('Baselines'), array: true })
        .example('$0 baseline update default', 'accept what has changed'),
    run: ({ names }) => eachBaseline(names, updateBaseline),
  }),
  defineCommand({
    command: 'check [names..]',
    describe: 'Run the baselines’ suites anew and compare: the gate',
    builder: (y) =>
      y
        .positional('names', { ...option('Baselines; none: all'), array: true })
        .options(comparingOptions('change'))
        .example('$0 baseline check', 'all of them, as `npm run gate` does')
        .example('$0 baseline check default', 'one'),
    run: (given) => eachBaseline(given.names ?? [], (name) => checkBaseline(name, given), given.output),
  }),
]

/** Committed records of what a suite gave, to hold later runs against. */
export const baselineCommand: Command = (parser, done) =>
  parser.command('baseline <action>', 'Keep, show, update and check the committed baselines', (y) =>
    actions
      .reduce((all, add) => add(all, done), y)
      .demandCommand(1, 'Name an action: set, show, update or check.')
      .example('$0 baseline check default', 'has any behaviour changed?')
      .example('$0 baseline update default', 'accept what has changed'),
  )
