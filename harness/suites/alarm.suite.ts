import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'alarm',
  summary: 'Who notices an alarm while something else is waited for, and until which deadline?',
  seed: 20_261_101,
  scenarios: 40,
  // With and without the guard, which drops what was decided for the sake of any news.
  agents: [
    'react-sync',
    'react-polling',
    'react-await',
    's-ora-lean',
    { use: 's-ora', grid: { guard: ['any', 'relevant', 'off'] } },
    'oracle',
    'do-nothing',
  ],
  environments: [
    {
      use: 'water-hammer',
      params: { overpressure: 'both', meltdownAfterMs: 180_000 },
      grid: { relieveWithinMs: [5_000, 10_000, 15_000] },
    },
  ],
  models: ['sim:careful'],
})
