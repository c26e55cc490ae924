import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'slots',
  summary: 'Eight goals of one agent compete for the slots of a converter: what keeps them from taking the same one?',
  seed: 20_261_101,
  scenarios: 10,
  agents: [
    { use: 'react-polling', grid: { goalPolicy: ['sequential', 'merged'] } },
    { use: 'react-await', grid: { goalPolicy: ['sequential', 'merged'] } },
    's-ora',
    's-ora-lean',
    { use: 's-ora', params: { guard: 'off' } },
    'oracle',
  ],
  environments: [
    {
      use: 'converter',
      params: { documents: 8, jobMs: 120_000 },
      grid: { capacity: [2, 4, 8], doorbellDrop: [0, 0.3] },
    },
  ],
  models: ['sim:careful?pollMs=10000&waitTimeoutMs=60000'],
  limits: { modelCalls: 1_000, tokens: 30_000_000, operations: 400, virtualMs: 14_400_000 },
})
