import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'smoke',
  summary: 'Three scenarios of the water hammer: is everything wired?',
  seed: 1,
  scenarios: 3,
  agents: ['react-sync', 'react-polling', 'react-await', 's-ora', 'oracle', 'do-nothing'],
  environments: ['water-hammer'],
  models: ['sim:typical'],
})
