import type { CommandModule } from 'yargs'
import { UserError } from '../define/index.js'
import { interactionsOf } from '../interaction/interaction.js'
import { interactionJson, printInteraction } from '../interaction/print.js'
import { openTrace, trialOptions } from './find-trace.js'
import type { TrialOptions } from './find-trace.js'

interface InteractionOptions extends TrialOptions {
  full: boolean
  json: boolean
}

/** A trial in the terms of the interaction algebra. */
export const interactionCommand: CommandModule<object, InteractionOptions> = {
  command: 'interaction <trial>',
  describe: 'Print a trial as the interaction algebra writes it: h, S, Σ, J, σ, θ, ρ, q̂, r̂ per activity',
  builder: (y) =>
    trialOptions(y)
      .option('full', { type: 'boolean', default: false, describe: 'Unfold long texts' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the activities as JSON' })
      .example('$0 interaction water-hammer/s-ora/sim:typical/0', 'of the latest run')
      .example('$0 interaction s-ora/sim:typical/0 --json', 'as data'),
  async handler({ full, json, ...named }) {
    const interactions = interactionsOf(await openTrace(named))
    if (interactions.length === 0)
      throw new UserError(`The trial "${named.trial}" has no activity: no agent did anything.`)
    const lines = json
      ? [JSON.stringify(interactions.map(interactionJson), null, 2)]
      : interactions.flatMap((interaction, index) => [
          ...(index > 0 ? [''] : []),
          ...printInteraction(interaction, { full }),
        ])
    process.stdout.write(`${lines.join('\n')}\n`)
  },
}
