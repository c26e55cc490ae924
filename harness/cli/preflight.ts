import { UserError, isSimulated } from '../contract/index.js'
import type { EndpointModel } from '../model/openai.js'
import { createGates, openReal } from '../run/models.js'
import { preflight } from '../run/preflight.js'
import type { Preflight } from '../run/preflight.js'
import { clean, thousands } from '../trace/text.js'
import { defineCommand, flag, needed } from './command.js'

/** Asks every model once or twice before the first trial, and says on standard error what came back. */
export async function preflightAll(models: readonly EndpointModel[]): Promise<Preflight[]> {
  const told = await Promise.all(models.map(preflight))
  for (const each of told) process.stderr.write(`${sentenceOf(each)}\n`)
  return told
}

function sentenceOf(of: Preflight): string {
  const facts = [
    `tool calls: ${of.toolCalls}`,
    `structured answers: ${of.structured}`,
    `output limit: ${of.limit ?? 'none is taken'}${of.limitKept ? '' : ' (not kept)'}`,
    `usage: ${of.usage}`,
    `context: ${of.context === null ? 'not declared' : `${thousands(of.context)} tokens`}`,
    ...(of.servedBy === null ? [] : [`answers as ${clean(of.servedBy)}`]),
  ]
  return [
    `${clean(of.model)} at ${clean(of.endpoint)}: ${facts.join('; ')}.`,
    ...of.rungs.map(({ rung, said }) => `  ${clean(rung)}, because ${clean(said)}.`),
    ...(of.toolCalls === 'not called'
      ? ['  It called no tool where one was asked for: try emulateTools=true, and see docs/models.md.']
      : []),
  ].join('\n')
}

/** The cheapest question to a model: does it work at all? */
export const preflightCommand = defineCommand({
  command: 'preflight <model>',
  describe: 'Ask a real model twice: key, name, tool calls, structured answers, limits',
  builder: (y) =>
    y
      .positional('model', needed('The model, as for --model of `run`'))
      .option('json', flag('Print what was found as JSON'))
      .example('$0 preflight openai:gpt-5-mini', 'two calls to OpenAI')
      .example('$0 preflight "ollama:llama3.2?maxTokens=400"', 'the same to a server of your own'),
  async run({ model, json }) {
    if (isSimulated(model)) throw new UserError(`"${model}" is simulated: there is nothing to find out.`)
    const found = await preflight(openReal(model, { env: process.env, gates: createGates({ concurrency: 1 }) }))
    process.stdout.write(`${json ? JSON.stringify(found, null, 2) : sentenceOf(found)}\n`)
  },
})
