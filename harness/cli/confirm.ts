import { createInterface } from 'node:readline/promises'
import { UserError } from '../contract/index.js'
import type { TrialIdentity } from '../contract/index.js'
import { estimateRun } from '../model/prices.js'
import { parseThinking } from '../model/thinking.js'
import { SIMULATED_EMBEDDING } from '../reader/endpoint.js'
import { embeddingsIn, isSimulated, openEmbeddings, openModel } from '../run/models.js'
import type { Definitions, Plan } from '../run/plan.js'
import { runTrial } from '../trial/trial.js'

/** What the dry run asks instead of the real model. */
const STAND_IN = 'sim:typical'

/**
 * Prints plan and estimate, and asks. The estimate comes from one simulated trial per agent and case: the prompts are
 * the real ones, the number of calls is the simulated reader's.
 */
export async function confirmCost(plan: Pick<Plan, 'trials'>, definitions: Definitions, yes: boolean): Promise<void> {
  const real = plan.trials.filter(({ model }) => model !== null && !isSimulated(model))
  for (const model of new Set(real.map((trial) => trial.model ?? ''))) {
    const trials = real.filter((trial) => trial.model === model)
    const usage = await dryRun(trials, definitions)
    const { sentence } = estimateRun({
      model,
      trials: trials.length,
      callsPerTrial: usage.calls / usage.trials,
      promptTokensPerCall: usage.prompt / Math.max(1, usage.calls),
      completionTokensPerCall: usage.completion / Math.max(1, usage.calls),
    })
    process.stderr.write(`${sentence}\n`)
  }
  for (const model of embeddingsIn(plan.trials, definitions).filter((name) => !isSimulated(name))) {
    process.stderr.write(`${model}: embeddings of goals, in at most ${plan.trials.length} trials; not estimated.\n`)
  }
  process.stderr.write(
    `Estimated from one trial per agent and case with ${STAND_IN}; a real model may take more calls.\n`,
  )
  if (yes) return
  if (!process.stdin.isTTY) throw new UserError('Calls to a real model need a confirmation: run again with --yes.')
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question('Go on? [y/N] ').catch(() => '')
  prompt.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was called and nothing was written.')
}

async function dryRun(trials: readonly TrialIdentity[], definitions: Definitions) {
  const chat = openModel(STAND_IN, { env: {} })
  const embeddings = () => openEmbeddings(SIMULATED_EMBEDDING, { env: {} })
  const samples = new Map(trials.map((trial) => [trial.id.replace(/\/\d+(\/r\d+)?$/, ''), trial]))
  const usage = { trials: samples.size, calls: 0, prompt: 0, completion: 0 }
  for (const identity of samples.values()) {
    const agent = definitions.agents.get(identity.agent)
    const environment = definitions.environments.get(identity.scenario.environment)
    if (agent === undefined || environment === undefined) throw new Error(`Parts of ${identity.id} are missing.`)
    const thinking = parseThinking(identity.thinking)
    // Nobody is asked for an estimate.
    const person = () => Promise.resolve(null)
    const parts = { agent, environment, chat, thinking, embeddings, person }
    for (const record of await runTrial({ ...identity, model: STAND_IN }, parts)) {
      if (record.kind !== 'answer') continue
      usage.calls++
      usage.prompt += record.usage.promptTokens
      usage.completion += record.usage.completionTokens
    }
  }
  return usage
}
