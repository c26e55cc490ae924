import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'read-faults',
  summary:
    'What does it cost when the state cannot be read, or is read late or stale, by polls, syncs and focus alike?',
  seed: 20_261_101,
  scenarios: 20,
  agents: ['react-polling', 'react-await', 's-ora', 's-ora-lean'],
  environments: [
    { use: 'water-hammer', grid: { readFail: [0, 0.1, 0.3] } },
    { use: 'water-hammer', grid: { readTimeout: [0.1, 0.3] } },
    { use: 'water-hammer', grid: { readSlowMs: [2_000, 10_000] } },
    { use: 'water-hammer', grid: { readStaleMs: [2_000, 10_000] } },
  ],
  models: ['sim:careful?waitTimeoutMs=30000'],
})
