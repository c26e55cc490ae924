import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'architectures',
  summary: 'Every architecture, and the best that each surface allows, in every world.',
  seed: 20_261_101,
  scenarios: 5,
  agents: [
    'react-sync',
    'react-blocking',
    'react-polling',
    'react-await',
    'react-async',
    's-ora',
    's-ora-reference',
    'agencia',
    'ceiling-act',
    'ceiling-block',
    'ceiling-poll',
    'ceiling-await',
    'ceiling-async',
    'ceiling-push',
    'always-poll',
  ],
  environments: [
    'water-hammer',
    'even-odd',
    { use: 'night-watch', params: { watchMs: 240_000, deadlineMs: 60_000, quietMs: 60_000 } },
    { use: 'converter', params: { documents: 2 } },
    'weather-desk',
  ],
  models: ['sim:careful'],
  limits: { modelCalls: 400, tokens: 10_000_000 },
})
