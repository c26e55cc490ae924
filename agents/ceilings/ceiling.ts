import { z } from 'zod'
import { defineAgent } from '../../harness/contract/index.js'
import type { Agent, Surface, SurfaceWait } from '../../harness/contract/index.js'
import { surfaces } from '../../harness/door/surfaces/index.js'

/** The length of a thought, where the trial's policy goes by tokens: about what a call of a ReAct agent costs. */
const thoughtParams = z.strictObject({
  promptTokens: z.number().int().min(0).max(1_000_000).default(3_000).describe('Prompt tokens of a thought'),
  completionTokens: z.number().int().min(0).max(100_000).default(50).describe('Completion tokens of a thought'),
})

/** The environment's own script, played through the verbs of a surface by somebody who thinks before each call. */
export function ceilingOf<S extends Surface>(surface: S): Agent<S> {
  const { summary, params } = surfaces[surface].ceiling
  return defineAgent({
    name: `ceiling-${surface}`,
    version: '2',
    summary: `Ceiling: ${summary}`,
    surface,
    usesModel: false,
    thinks: true,
    params: thoughtParams.extend(params.shape),
    async run(context) {
      const { promptTokens, completionTokens } = thoughtParams.strip().parse(context.params)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schema of this surface's waits
      const waitFor = { surface, ...params.parse(context.params) } as SurfaceWait
      const door = await context.open('goal')
      await context.script({ waitFor, think: { promptTokens, completionTokens } })
      context.claim(door.uuid, 'achieved', 'The script has come to its end.')
    },
  })
}
