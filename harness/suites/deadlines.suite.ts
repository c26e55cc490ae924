import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'deadlines',
  summary: 'How much time does each loop need between an alarm and what is done about it?',
  seed: 20_261_101,
  scenarios: 20,
  agents: ['react-await', 's-ora-lean', 's-ora', { use: 's-ora', params: { guard: 'off' } }],
  environments: [
    {
      use: 'water-hammer',
      params: { overpressure: 'both', meltdownAfterMs: 180_000 },
      grid: { relieveWithinMs: [2_000, 3_000, 5_000, 6_000, 7_000, 10_000, 11_000, 12_000, 13_000, 15_000] },
    },
  ],
  models: ['sim:careful'],
})
