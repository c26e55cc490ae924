import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'side-by-side',
  summary: 'What does it cost to have K documents converted at once, by whoever blocks, looks, or suspends?',
  seed: 20_261_101,
  scenarios: 10,
  agents: [
    { use: 'react-blocking', grid: { goalPolicy: ['sequential', 'merged'] } },
    { use: 'react-polling', grid: { goalPolicy: ['sequential', 'merged'] } },
    { use: 'react-await', grid: { goalPolicy: ['sequential', 'merged'] } },
    's-ora',
    's-ora-lean',
    'oracle',
    'do-nothing',
  ],
  environments: [{ use: 'converter', params: { jobMs: 600_000 }, grid: { documents: [1, 2, 4, 8, 16] } }],
  // The reader looks every half minute; of its waits it asks that they last an hour.
  models: ['sim:careful?pollMs=30000&waitTimeoutMs=3600000'],
  limits: { modelCalls: 1_000, tokens: 30_000_000, operations: 400, virtualMs: 28_800_000 },
})
