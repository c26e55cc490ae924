import { defineSuite } from '../contract/index.js'

/** From the phases with the verbs of a single loop to S-ORA: each rung is one more parameter, and the last one is S-ORA itself. */
const RUNGS = [
  { situating: 'setup' },
  { waitDecided: 'ahead' },
  { knowledgeConstraint: true },
  { window: 7 },
  { maxSignals: 50 },
  { validateBeliefs: true },
  { goalPolicy: 'interleaved' },
  // What a guard is worth shows where others, or other goals, change what was decided by.
  { guard: 'relevant' },
  { guardBeliefs: true },
  { recheck: 'guard' },
]

export default defineSuite({
  name: 'ladder',
  summary: 'From the phases alone to S-ORA, one feature at a time: what is each worth on top of those before it?',
  seed: 20_261_101,
  scenarios: 20,
  agents: [
    'sora-push',
    ...RUNGS.map((_, rung) => ({ use: 'sora-push', params: Object.assign({}, ...RUNGS.slice(0, rung + 1)) })),
    's-ora',
  ],
  environments: [
    { use: 'water-hammer', params: { overpressure: 'both', relieveWithinMs: 15_000, meltdownAfterMs: 180_000 } },
    'even-odd',
    { use: 'converter', params: { documents: 4, capacity: 2, doorbellDrop: 0.3 } },
  ],
  models: ['sim:typical'],
  limits: { modelCalls: 400, tokens: 10_000_000 },
})
