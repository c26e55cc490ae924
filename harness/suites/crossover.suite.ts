import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'crossover',
  summary: 'From which thinking time on does an agent that cannot look get through a ramp of ten seconds unharmed?',
  seed: 20_261_101,
  scenarios: 10,
  agents: ['react-sync', 'react-polling', 'react-await', 's-ora', 's-ora-lean'],
  environments: [{ use: 'water-hammer', params: { rampMs: 10_000 } }],
  models: ['sim:careful?impasse=act'],
  thinking: [500, 1_000, 2_000, 4_000, 8_000, 9_900, 10_100, 12_000, 16_000].map((ms) => `fixed:${ms}`),
})
