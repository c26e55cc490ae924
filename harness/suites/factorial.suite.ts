import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'factorial',
  summary:
    'One loop or phases, with polls, waits or a push: what is each of the two worth, where nothing else differs?',
  seed: 20_261_101,
  scenarios: 20,
  agents: ['react-polling', 'react-await', 'react-push', 'sora-polling', 'sora-await', 'sora-push'],
  factors: {
    'react-polling': { loop: 'single', surface: 'polling' },
    'react-await': { loop: 'single', surface: 'await' },
    'react-push': { loop: 'single', surface: 'push' },
    'sora-polling': { loop: 'phased', surface: 'polling' },
    'sora-await': { loop: 'phased', surface: 'await' },
    'sora-push': { loop: 'phased', surface: 'push' },
  },
  environments: [
    'water-hammer',
    'even-odd',
    { use: 'night-watch', params: { watchMs: 240_000, deadlineMs: 60_000, quietMs: 60_000, uneventful: 0.2 } },
    { use: 'converter', params: { documents: 2 } },
    'weather-desk',
  ],
  models: ['sim:typical'],
  // A look every two seconds through a night of four minutes takes hundreds of calls.
  limits: { modelCalls: 400, tokens: 10_000_000 },
})
