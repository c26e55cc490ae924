import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'worlds',
  summary: 'Every world, with the architectures and the controls.',
  seed: 20_261_101,
  scenarios: 10,
  agents: [
    'react-sync',
    'react-polling',
    'react-await',
    's-ora',
    's-ora-lean',
    'oracle',
    'fixed-sleep',
    'random',
    'do-nothing',
  ],
  environments: [
    { use: 'water-hammer', params: { overpressure: 'either', meltdownAfterMs: 180_000 } },
    'even-odd',
    { use: 'night-watch', params: { uneventful: 0.2 }, grid: { pattern: ['once', 'never'] } },
    { use: 'converter', params: { documents: 4 } },
    'weather-desk',
  ],
  models: ['sim:careful'],
  // A night of eight minutes with a look every two seconds takes hundreds of calls.
  limits: { modelCalls: 500, tokens: 10_000_000 },
})
