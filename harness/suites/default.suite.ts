import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'default',
  summary: 'Every architecture and every control on the water hammer.',
  seed: 20_261_101,
  scenarios: 50,
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
  environments: ['water-hammer'],
  models: ['sim:typical'],
  thinking: 'tokens',
})
