import { defineEnvironment } from '../../harness/contract/index.js'
import type { DocumentDeclaration, Hand } from '../../harness/contract/index.js'
import { distractors } from './distractors.js'
import { goalOf } from './goal.js'
import { buildHydraulics } from './hydraulics.js'
import { params } from './params.js'
import { buildReactor } from './reactor.js'
import { buildTerminal } from './terminal.js'

export default defineEnvironment({
  name: 'water-hammer',
  version: '1',
  summary: 'A critical core is flushed through a valve that may be opened only after its pump has reached pressure.',
  params,
  roles: (values) => [{ name: 'operator', goal: goalOf(values) }],
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

    const { overpressure } = hydraulics
    const flushTheCore = async (hand: Hand) => {
      await hand.operate(terminal.login, terminal.credentials)
      await hand.operate(hydraulics.powerOn)
      await overpressure?.answer(hand, 'ramp')
      await hand.waitFor(hydraulics.nominal)
      await hand.operate(hydraulics.openValve)
      await hand.operate(reactor.flush)
      await overpressure?.answer(hand, 'flush')
      await hand.waitFor(reactor.stabilized)
    }
    return {
      reached: reactor.reached,
      oracle: flushTheCore,
      saboteurs: {
        ...hydraulics.saboteurs,
        ...reactor.saboteurs,
        ...(overpressure !== null && {
          burst: async (hand: Hand) => {
            await hand.operate(terminal.login, terminal.credentials)
            await hand.operate(hydraulics.powerOn)
            await hand.waitFor(hydraulics.nominal)
            // Refused where the line has burst before.
            await hand.operate(hydraulics.openValve)
            await hand.operate(reactor.flush)
          },
        }),
        radiation_leak: async (hand) => {
          await reactor.saboteurs['radiation_leak']?.(hand)
          // Else a core that melts by itself would do so.
          if (kit.params.meltdownAfterMs !== undefined) await flushTheCore(hand)
        },
      },
    }
  },
})
