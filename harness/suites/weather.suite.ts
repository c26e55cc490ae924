import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'weather',
  summary:
    'The example of Agencia’s paper (§8): does an author’s template that recruits the almanac save the model what it would have to find out itself? With directives planted in the texts of the world, and without.',
  seed: 20_261_101,
  scenarios: 20,
  agents: [
    'react-sync',
    'react-polling',
    'react-await',
    's-ora',
    's-ora-lean',
    { use: 'agencia', grid: { registry: ['none', 'weather'] } },
    'oracle',
    'random',
    'do-nothing',
  ],
  // As in the paper, whose agents wait for nothing: who reads and asks at once has all there is.
  environments: [{ use: 'weather-desk', params: { reportMs: 0, changeMs: 0 }, grid: { planted: [false, true] } }],
  models: ['sim:careful'],
})
