import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'frontier',
  summary:
    'What does each architecture cost at its best interval or wait, and who is beaten by nobody in tokens and success?',
  seed: 20_261_101,
  scenarios: 12,
  agents: ['react-polling', 'react-await', 's-ora', 's-ora-lean'],
  environments: [
    { use: 'water-hammer', params: { rampMs: 60_000, overpressure: 'both' } },
    { use: 'night-watch', params: { watchMs: 240_000, deadlineMs: 60_000, quietMs: 60_000 } },
  ],
  // Each reader states an interval and a wait: who has no sleep, or no wait, makes no use of the one or the other.
  models: [
    'pollMs=2000&waitTimeoutMs=5000',
    'pollMs=5000&waitTimeoutMs=15000',
    'pollMs=10000&waitTimeoutMs=30000',
    'pollMs=20000&waitTimeoutMs=60000',
    'pollMs=60000&waitTimeoutMs=300000',
    'pollMs=2000&pollGrowth=2&waitTimeoutMs=300000',
    'pollMs=2000&pollGrowth=3&waitTimeoutMs=300000',
  ].map((settings) => `sim:typical?${settings}`),
  fronts: true,
  limits: { modelCalls: 500, tokens: 15_000_000 },
})
