import { defineSuite } from '../contract/index.js'

type Kind = { use: string; params?: Record<string, string | number>; grid?: Record<string, string[]> }

const kinds = (use: string): Kind[] => [
  { use, grid: { memory: ['trial', 'run'] } },
  { use, params: { memory: 'run', experiences: 0 } },
  { use, params: { listed: 5 }, grid: { memory: ['trial', 'run'] } },
]

export default defineSuite({
  name: 'memory',
  summary:
    'What is it worth to remember: documents, what became of earlier goals, and a search in a catalogue of many documents of no use?',
  seed: 20_261_101,
  scenarios: 6,
  agents: [...kinds('s-ora'), ...kinds('s-ora-lean')],
  environments: [
    { use: 'water-hammer', params: { covers: 'hidden', nearMiss: 6 }, grid: { distractors: [2, 10, 25, 50] } },
  ],
  models: ['sim:careful'],
})
