import { defineSuite } from '../contract/index.js'

const loss = { expected: [false, true], doorbellDrop: [0, 0.3] }

export default defineSuite({
  name: 'turns',
  summary:
    'Two, three and five agents at one counter: what do lost doorbells and stale views cost, and who wins blindly?',
  seed: 20_261_101,
  scenarios: 20,
  agents: ['react-sync', 's-ora', 's-ora-lean'],
  environments: [
    { use: 'even-odd', params: { turns: 'modulo' }, grid: { agents: [2, 3, 5], ...loss } },
    // Agents of one parity race, so that another's turn can make a view stale.
    { use: 'even-odd', params: { turns: 'parity' }, grid: { agents: [3, 5], ...loss } },
  ],
  // Longer than any turn, so that no wait runs out where nothing is lost.
  models: ['sim:careful?waitTimeoutMs=30000'],
  // Who cannot look goes on until one of them is reached.
  limits: { modelCalls: 500, operations: 80 },
})
