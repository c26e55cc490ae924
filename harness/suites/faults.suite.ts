import { defineSuite } from '../contract/index.js'

const grid = { doorbellDrop: [0, 0.1, 0.2, 0.3, 0.4, 0.5] }

export default defineSuite({
  name: 'faults',
  summary: 'What does it cost when doorbells get lost, to who waits for them and to who never hears them?',
  seed: 20_261_101,
  scenarios: 40,
  agents: ['react-polling', 'react-await', 's-ora', 's-ora-lean', { use: 's-ora', params: { resyncMs: 5_000 } }],
  environments: [
    { use: 'water-hammer', grid },
    { use: 'even-odd', grid },
  ],
  models: ['sim:careful?waitTimeoutMs=30000'],
})
