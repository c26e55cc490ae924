import { defineSuite } from '../contract/index.js'

/** What differs from `sim:typical`, each said, so that rows and columns of a picture can be told by it. */
const reader = (settings: object): string =>
  `sim:typical?${Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`

/** Both scales are one at the correlation that is the default. */
const scales = [0, 0.5, 1].flatMap((correlation) =>
  (correlation === 0.5 ? ['exposure'] : ['exposure', 'decision']).map((per) => ({ correlation, per })),
)

export default defineSuite({
  name: 'sensitivity',
  summary:
    'Who solves more, whatever is supposed of a reader’s errors: how alike they are, what a visible state mends, what a hand-over loses?',
  seed: 20_261_101,
  scenarios: 10,
  agents: [
    'react-polling',
    'react-await',
    'react-push',
    'sora-polling',
    'sora-await',
    'sora-push',
    's-ora',
    's-ora-lean',
  ],
  environments: ['water-hammer'],
  models: [
    ...scales.map(reader),
    ...[0, 0.3].flatMap((handoff) =>
      [0.5, 1].flatMap((visible) => scales.map((scale) => reader({ ...scale, visible, handoff }))),
    ),
    ...scales.map((scale) => reader({ ...scale, draws: 'own' })),
    // One at a time without it; an outdated state misleads nobody by default, so that it does here.
    ...[{ visible: 1 }, { persistence: 0 }, { attention: 1 }, { misled: 3 }].map((one) =>
      reader({ correlation: 0.5, per: 'exposure', ...one }),
    ),
  ],
})
