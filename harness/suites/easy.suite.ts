import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'easy',
  summary:
    'The control: nothing has to be waited for. What does an architecture cost where what it is good at is of no use?',
  seed: 20_261_101,
  scenarios: 20,
  agents: [
    'react-sync',
    'react-polling',
    'react-await',
    'react-push',
    'sora-polling',
    'sora-await',
    'sora-push',
    's-ora-lean',
    's-ora',
    'oracle',
  ],
  environments: [{ use: 'weather-desk', params: { reportMs: 0, changeMs: 0 }, grid: { cities: [1, 8] } }],
  models: ['sim:careful', 'sim:typical'],
})
