import type { Argv } from 'yargs'
import type { TracePolicy } from '../run/header.js'
import { outputOptions } from './outputs.js'
import type { OutputOptions } from './outputs.js'
import type { Overrides } from './overrides.js'

export interface RunArguments extends Overrides, OutputOptions {
  suite: string | undefined
  concurrency: number
  out: string | undefined
  resume: string | undefined
  'retry-errors': boolean
  require?: string[] | undefined
  traces: TracePolicy
  json: boolean
  yes: boolean
}

const tracePolicies: TracePolicy[] = ['all', 'failures', 'none']

/** Options with one value each. yargs makes a list of what is repeated. */
export const SINGLE = [
  'agents',
  'environments',
  'model',
  'scenarios',
  'replicas',
  'seed',
  'thinking',
  'clock',
  'concurrency',
  'out',
  'resume',
  'traces',
] as const

/** The options and examples of `run`. */
export function runOptions(y: Argv): Argv<RunArguments> {
  return outputOptions(
    y.positional('suite', {
      type: 'string',
      describe: 'A suite’s name (default: default), here or of sora-bench, or a .suite.ts / .suite.yaml file',
    }),
  )
    .option('agents', { type: 'string', describe: 'Comma list of names and NAME.agent.ts files, or all' })
    .option('environments', { type: 'string', describe: 'Comma list of names and NAME.env.ts files, or all' })
    .option('model', {
      type: 'string',
      describe: 'Comma list: sim:PROFILE[?trait=value&…], or any model behind OPENAI_BASE_URL',
    })
    .option('scenarios', { type: 'number', describe: 'Scenarios per case' })
    .option('replicas', { type: 'number', describe: 'Trials per scenario, agent and model' })
    .option('seed', { type: 'number', describe: 'The suite’s seed' })
    .option('param', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'name=value or owner.name=value; may be repeated',
    })
    .option('grid', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'name=a,b,c: one case per value; may be repeated',
    })
    .option('limit', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'name=value of a trial’s limits (modelCalls, tokens, operations, virtualMs, costUsd); may be repeated',
    })
    .option('thinking', {
      type: 'string',
      describe: 'tokens[:profile] | fixed:MS | zero | measured; a comma list is swept',
    })
    .option('clock', { type: 'string', describe: 'virtual | wall[:SPEED], real time so many times as fast' })
    .option('concurrency', { type: 'number', default: 4, describe: 'Trials of a real model side by side' })
    .option('out', { type: 'string', describe: 'The run’s folder (default: results/<suite>-<time>)' })
    .option('resume', { type: 'string', describe: 'Go on with this run, where it was killed or interrupted' })
    .option('retry-errors', {
      type: 'boolean',
      default: false,
      describe: 'With --resume: redo the trials that infrastructure ended, and them alone',
    })
    .option('require', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'Exit with 100 unless this holds, e.g. "s-ora.solved>=0.95"; may be repeated',
    })
    .option('traces', { choices: tracePolicies, default: 'all' as const, describe: 'Which traces to keep' })
    .option('json', { type: 'boolean', default: false, describe: 'Print the summary as JSON' })
    .option('yes', { type: 'boolean', default: false, describe: 'Do not ask before calls to a real model' })
    .requiresArg([...SINGLE])
    .example('$0 run', 'the default suite')
    .example('$0 run smoke --agents all', 'every agent on three scenarios')
    .example('$0 run default --agents react-sync,s-ora --scenarios 200', 'a closer look at two')
    .example('$0 run default --grid rampMs=1000,10000,100000', 'the same for three lengths of the ramp')
    .example('$0 run default --model "sim:careful?patience=0.8&impasse=stall"', 'another reader')
    .example('$0 run smoke --model gpt-4o-mini --concurrency 8', 'a real model (OPENAI_API_KEY)')
    .example('$0 run smoke --environments ./greenhouse.env.ts', 'a world of your own (docs/environments.md)')
    .example('$0 run --require "s-ora.solved>=0.95"', 'a gate without a baseline')
    .example('$0 run --resume results/mine --retry-errors', 'what is missing, and what infrastructure ended')
}
