import { defineEnvironment } from '../../harness/contract/index.js'
import type { DocumentDeclaration, Hand } from '../../harness/contract/index.js'
import { buildDesk } from './desk.js'
import { params } from './params.js'
import { drawTape } from './tape.js'

const WILDLIFE: DocumentDeclaration = {
  kind: 'plain',
  title: 'Animals on the premises',
  summary: 'Notes on foxes, martens and owls that were photographed around the buildings.',
  covers: ['game_camera'],
  text: `The fox crosses the yard most nights between one and three and takes the same way along the fence. It has learned that the bins of the canteen are emptied on Thursdays.

Martens live under the roof of the old hall. They are heard more often than seen; the scratching comes from them and from nothing else. The owl in the lime tree belongs to the neighbours, as far as an owl belongs to anybody.

Whoever takes a picture hands it in at the gate, with date and place. The best ones hang in the corridor of the first floor.`,
}

export default defineEnvironment({
  name: 'night-watch',
  version: '2',
  summary: 'A watch in which an alarm comes at some time, several times, in a storm, or never, and must not be missed.',
  params,
  roles: ({ deadlineMs }) => [
    {
      name: 'guard',
      goal: `You have the night watch. Keep watch so that the number of open alarms stays below 1: acknowledge each alarm within ${deadlineMs / 1_000} s, and nothing that merely resembles one. Stay at the desk until the watch is OVER.`,
    },
  ],
  setup(kit) {
    const tape = drawTape(kit)
    const desk = buildDesk(kit, tape)
    for (const [index, at] of tape.alarms.entries()) kit.after(at, () => desk.intrude(index))
    for (const [index, at] of tape.lookAlikes.entries()) kit.after(at, () => desk.disturb(index))
    kit.after(kit.params.watchMs, desk.end)

    const catalogue: [string, DocumentDeclaration][] = [
      ['watch_orders', desk.manual],
      ['wildlife_notes', WILDLIFE],
    ]
    for (const [id, declaration] of kit.random.stream('catalogue').shuffle(catalogue)) kit.document(id, declaration)

    const keepWatch = async (hand: Hand) => {
      for (const _ of tape.alarms) {
        await hand.waitFor(desk.raised)
        await hand.operate(desk.acknowledge)
      }
      await hand.waitFor(desk.over)
    }
    return {
      // Where nothing ever comes, nobody was needed: whoever sent out no guards has done right.
      reached: () => desk.watch.value === 'OVER' || kit.params.pattern === 'never',
      oracle: keepWatch,
      saboteurs: {
        false_alarm: async (hand) => {
          await hand.operate(desk.acknowledge)
          await keepWatch(hand)
        },
        ...(tape.alarms.length > 0 && { missed: (hand: Hand) => hand.waitFor(desk.over) }),
      },
    }
  },
})
