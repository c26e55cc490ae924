import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'thesis',
  summary:
    'The two demonstrators as the thesis describes them (8.1, 8.2): a water hammer with hints in its acknowledgements, and a counter that ODD and EVEN share.',
  seed: 20_261_101,
  scenarios: 20,
  agents: ['react-sync', 'react-polling', 'react-await', 's-ora', 's-ora-lean', 'oracle', 'do-nothing'],
  environments: [
    { use: 'water-hammer', params: { ackHints: true } },
    { use: 'even-odd', params: { limit: 5, start: 1, agents: 2 } },
  ],
  models: ['sim:careful'],
  limits: { modelCalls: 100 },
})
