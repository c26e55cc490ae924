import { defineSuite } from '../contract/index.js'

export default defineSuite({
  name: 'ablations',
  summary: 'What is each part of S-ORA worth: one taken away at a time, and all of them as in the prototype?',
  seed: 20_261_101,
  scenarios: 20,
  agents: [
    's-ora',
    's-ora-reference',
    { use: 's-ora', params: { suspension: false } },
    { use: 's-ora', params: { guard: false } },
    { use: 's-ora', params: { guardActions: false } },
    { use: 's-ora', params: { guardReflection: false } },
    { use: 's-ora', params: { maxDiversions: 1_000 } },
    { use: 's-ora', params: { interrupt: 'abort' } },
    { use: 's-ora', params: { wakeOnAnySignal: true } },
    { use: 's-ora', params: { timeouts: false } },
    { use: 's-ora', params: { waitAlone: false } },
    { use: 's-ora', params: { waitDecided: 'after' } },
    { use: 's-ora', params: { knowledgeConstraint: false } },
    { use: 's-ora', params: { documents: 'upFront' } },
    { use: 's-ora', params: { retypedDocuments: true } },
    { use: 's-ora', params: { validateBeliefs: false } },
    { use: 's-ora', params: { namespaces: 'shared' } },
    { use: 's-ora', params: { goalInReasoning: false } },
    { use: 's-ora', params: { window: 2 } },
    { use: 's-ora', params: { memory: 'none' } },
    { use: 's-ora', params: { memory: 'run' } },
  ],
  environments: [
    { use: 'water-hammer', params: { overpressure: 'both', relieveWithinMs: 15_000, meltdownAfterMs: 180_000 } },
    { use: 'even-odd', params: { doorbellDrop: 0.3 } },
    { use: 'night-watch', params: { pattern: 'several' } },
  ],
  // Asks for short waits: a lost doorbell costs half a minute, not five.
  models: ['sim:typical?waitTimeoutMs=30000'],
})
