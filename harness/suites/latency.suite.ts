import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'latency',
  summary:
    'Who still relieves a line in time, as the model writes from 5 to 500 tokens a second and the ramp gets longer?',
  seed: 20_261_101,
  scenarios: 8,
  agents: ['react-polling', 'react-await', 's-ora', 's-ora-lean'],
  environments: [{ use: 'water-hammer', params: { overpressure: 'both' }, grid: { rampMs: [5_000, 20_000, 60_000] } }],
  // Nobody slips: what is missed is missed for being late.
  models: ['sim:careful'],
  thinking: [5, 15, 50, 150, 500].map((speed) => `tokens:${speed}`),
})
