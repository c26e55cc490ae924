import { once } from 'node:events'
import { UserError } from '../contract/index.js'
import { isSimulated } from '../run/models.js'
import { parseFaults, serveModels } from '../run/model-server.js'
import { defineCommand, needed, numeric, option } from './command.js'

/** The simulated model for whoever speaks to OpenAI-compatible endpoints. */
export const serveModelCommand = defineCommand({
  command: 'serve-model <models..>',
  describe: 'Serve simulated models on this machine, as an OpenAI-compatible endpoint',
  builder: (y) =>
    y
      .positional('models', {
        ...needed('sim:PROFILE, or NAME=sim:PROFILE to offer it under another name'),
        array: true,
      })
      .option('port', { ...numeric('The port of 127.0.0.1; 0: a free one'), default: 0 })
      .option('fault', option('KIND:SHARE,…: a status from 400 to 599, reset, cut, html or slow (2 s), and how often'))
      .option('seed', { ...numeric('Of the faults: which requests they befall'), default: 1 })
      .requiresArg(['port', 'fault', 'seed'])
      .example('$0 serve-model sim:typical --port 8000', 'for OPENAI_BASE_URL=http://127.0.0.1:8000/v1')
      .example('$0 serve-model mini=sim:careful --fault 429:0.1,reset:0.02,slow:0.05', 'a rehearsal of a bad night'),
  async run({ models, port, fault, seed }) {
    const served = new Map(models.map(namedModel))
    for (const [what, figure, most] of [
      ['port', port, 65_535],
      ['seed', seed, Number.MAX_SAFE_INTEGER],
    ] as const)
      if (!Number.isInteger(figure) || figure < 0 || figure > most)
        throw new UserError(`--${what} ${figure} is no whole number from 0 to ${most}.`)
    const faults = fault === undefined ? [] : parseFaults(fault)
    const server = await serveModels({ models: served, port, faults, seed })
    process.stdout.write(`${server.url}\n`)
    process.stderr.write(
      `Serving ${[...served.keys()].join(', ')} to this machine alone; any key will do. End it with Ctrl-C.\n`,
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await server.close()
  },
})

function namedModel(text: string): [name: string, model: string] {
  const [, name, model] = /^([^=:?]+)=(.*)$/.exec(text) ?? []
  const served: [string, string] = name === undefined || model === undefined ? [text, text] : [name, model]
  if (isSimulated(served[1])) return served
  throw new UserError(
    `"${text}" is no simulated model. Write sim:PROFILE or NAME=sim:PROFILE, such as mini=sim:typical.`,
  )
}
