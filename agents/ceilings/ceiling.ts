import { z } from 'zod'
import type { Context, ScriptWait, Surface } from '../../harness/contract/index.js'

/** The length of a thought, where the trial's policy goes by tokens: about what a call of a ReAct agent costs. */
export const thoughtParams = z.strictObject({
  promptTokens: z.number().int().min(0).max(1_000_000).default(3_000).describe('Prompt tokens of a thought'),
  completionTokens: z.number().int().min(0).max(100_000).default(50).describe('Completion tokens of a thought'),
})

export const stallingParams = thoughtParams.extend({
  stallCalls: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(60)
    .describe('Harmless calls in place of a wait that the surface does not offer; then it goes on'),
})

/** The environment's own script, played through the verbs of a surface by somebody who thinks before each call. */
export async function playCeiling(
  context: Context<Surface, z.output<typeof thoughtParams>>,
  waitFor: ScriptWait,
): Promise<void> {
  const { promptTokens, completionTokens } = context.params
  const door = await context.open('goal')
  await context.script({ waitFor, think: { promptTokens, completionTokens } })
  context.claim(door.uuid, 'achieved', 'The script has come to its end.')
}
