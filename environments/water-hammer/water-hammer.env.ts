import { defineEnvironment } from '../../harness/define/index.js'
import type { DocumentDeclaration } from '../../harness/define/index.js'
import { distractors } from './distractors.js'
import { buildHydraulics } from './hydraulics.js'
import { params } from './params.js'
import { buildReactor } from './reactor.js'
import { buildTerminal } from './terminal.js'

export default defineEnvironment({
  name: 'water-hammer',
  version: '1',
  summary: 'A critical core is flushed through a valve that may be opened only after its pump has reached pressure.',
  params,
  roles: ({ startTempC, safeTempC }) => [
    {
      name: 'operator',
      goal: `The core is critical (${startTempC}°C). Perform the Hydraulic Flush, reduce core temperature, then verify it is below ${safeTempC}°C and the system is STABLE.`,
    },
  ],
  setup(kit) {
    const terminal = buildTerminal(kit)
    const hydraulics = buildHydraulics(kit, terminal)
    const reactor = buildReactor(kit, terminal, hydraulics)

    const catalogue: [string, DocumentDeclaration][] = [
      ['employee_handbook', terminal.manual],
      ['hydraulics', hydraulics.manual],
      ['reactor_operations', reactor.manual],
      ...distractors(kit.params.distractors),
    ]
    for (const [id, declaration] of kit.random.stream('catalogue').shuffle(catalogue)) kit.document(id, declaration)

    return {
      reached: reactor.reached,
      oracle: async (hand) => {
        await hand.operate(terminal.login, terminal.credentials)
        await hand.operate(hydraulics.powerOn)
        await hand.waitFor(hydraulics.nominal)
        await hand.operate(hydraulics.openValve)
        await hand.operate(reactor.flush)
        await hand.waitFor(reactor.stabilized)
      },
      saboteurs: { ...hydraulics.saboteurs, ...reactor.saboteurs },
    }
  },
})
