import { z } from 'zod'

export const params = z
  .object({
    agents: z
      .int()
      .min(2)
      .max(8)
      .default(2)
      .describe('Number of agents; agent i may act when the value modulo it is i.'),
    limit: z.int().min(1).max(40).default(5).describe('The agents go on until the counter exceeds this value.'),
    start: z
      .int()
      .min(0)
      .max(40)
      .nullable()
      .default(1)
      .describe('Value at the start; null: drawn below the number of agents.'),
    turns: z
      .enum(['modulo', 'parity'])
      .default('modulo')
      .describe(
        'Whose turn it is: of one agent (modulo), or of every second one, so that those of one parity race (parity).',
      ),
    order: z
      .enum(['drawn', 'listed', 'reversed'])
      .default('drawn')
      .describe('Who comes first where agents are due at one instant.'),
    jitterMs: z
      .int()
      .min(0)
      .max(600_000)
      .default(5_000)
      .describe('Each agent begins at a time that is drawn below this (ms).'),
    expected: z
      .boolean()
      .default(false)
      .describe('An increment names the value that it expects, and is refused where that has moved on.'),
    commitDelayMs: z
      .int()
      .min(0)
      .max(600_000)
      .default(0)
      .describe('Time between the acknowledgement of an increment and its effect (ms).'),
    ackTellsValue: z
      .boolean()
      .default(false)
      .describe('The acknowledgement of an increment tells the value it leads to.'),
    selfEcho: z.boolean().default(true).describe('Whoever increments hears `counter.change` as well.'),
  })
  .superRefine(({ start, limit, commitDelayMs, selfEcho }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (start !== null && start > limit)
      refuse('start', `start (${start}) must not be above limit (${limit}), or nothing is to be done.`)
    if (commitDelayMs > 0 && !selfEcho)
      refuse(
        'selfEcho',
        `With commitDelayMs (${commitDelayMs}) selfEcho must be true: the echo is how an increment ends.`,
      )
  })
export type Params = z.output<typeof params>
