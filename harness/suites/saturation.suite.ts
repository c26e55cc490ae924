import { defineSuite } from '../contract/index.js'

const grid = { documents: ['onDemand', 'upFront'] }

export default defineSuite({
  name: 'saturation',
  summary:
    'How large does the prompt get with 2 to 50 documents of no use, and which rules are missed for it (thesis 2.4.2)?',
  seed: 20_261_101,
  scenarios: 12,
  agents: ['react-polling', 'react-await', 's-ora', 's-ora-lean'].map((use) => ({ use, grid })),
  environments: [{ use: 'water-hammer', grid: { distractors: [2, 10, 25, 50] } }],
  models: ['sim:typical'],
  limits: { tokens: 15_000_000 },
})
