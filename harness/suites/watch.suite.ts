import { defineSuite } from '../contract/index.js'

const DAY_MS = 86_400_000

export default defineSuite({
  name: 'watch',
  summary: 'Does suspension pay off against every polling interval, as the watch for one alarm gets longer?',
  seed: 20_261_101,
  scenarios: 5,
  // With and without a time-out of five minutes, the price of which is two calls each time.
  agents: [
    'react-polling',
    'react-await',
    { use: 's-ora', grid: { maxWaitMs: [300_000, DAY_MS] } },
    { use: 's-ora-lean', grid: { maxWaitMs: [300_000, DAY_MS] } },
    'oracle',
    'do-nothing',
  ],
  environments: [
    {
      use: 'night-watch',
      params: { deadlineMs: 120_000, quietMs: 60_000, lookAlikes: 0 },
      grid: { watchMs: [480_000, 2_400_000, 28_800_000] },
    },
  ],
  // The reader states the interval at which it looks; of its waits it asks that they last the night.
  models: [5_000, 30_000, 60_000, 100_000, 300_000].map(
    (pollMs) => `sim:careful?pollMs=${pollMs}&waitTimeoutMs=${DAY_MS}`,
  ),
  thinking: 'tokens',
  // Whoever looks every minute for hours runs out of them: that is a result, and is reported as one.
  limits: { modelCalls: 1_000, tokens: 15_000_000, operations: 1_000, virtualMs: DAY_MS },
})
