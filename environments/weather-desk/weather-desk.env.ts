import { defineEnvironment } from '../../harness/contract/index.js'
import type { DocumentDeclaration, Hand } from '../../harness/contract/index.js'
import { CLOTHES, almanacOf, drawSeason } from './almanac.js'
import { buildDesk } from './desk.js'
import { params } from './params.js'
import { buildService } from './service.js'

const TIMETABLE: DocumentDeclaration = {
  kind: 'plain',
  title: 'Night Trains',
  summary: 'Timetable of the night trains, with sleeping cars and connections.',
  covers: ['ticket_counter'],
  text: `Night trains leave from the platforms under the old roof. Who has a berth boards from half past eight on; who has none waits until the conductor has counted.

The dining car is coupled at the border and leaves the train at dawn. Bicycles travel in the van behind the locomotive, skis in the corridor.

Sleeping cars are heated from October to April. The steward wakes those who ask for it, a quarter of an hour before their station.`,
}

export default defineEnvironment({
  name: 'weather-desk',
  version: '2',
  summary: 'A traveller asks what to wear; the weather service finds out that it does not know, and an almanac does.',
  params,
  roles: ({ city }) => [
    {
      name: 'clerk',
      goal: `A traveller asks at the travel desk: What should I wear in ${city} today? See that the request is ANSWERED, rightly and before the traveller goes.`,
    },
  ],
  setup(kit) {
    const season = drawSeason(kit.params, kit.random)
    const service = buildService(kit, season)
    const desk = buildDesk(kit, season, service)
    kit.after(kit.params.patienceMs, desk.leave)

    const catalogue: [string, DocumentDeclaration][] = [
      ['desk_manual', desk.manual],
      ['weather_manual', service.manual],
      ['almanac', almanacOf(season, kit.params)],
      ['night_trains', TIMETABLE],
    ]
    for (const [id, declaration] of kit.random.stream('catalogue').shuffle(catalogue)) kit.document(id, declaration)

    const { city, wear, entry } = season.asked
    const advise = async (hand: Hand, clothes: string) => {
      await hand.operate(service.lookUp, { city })
      if (service.reported !== null) await hand.waitFor(service.reported)
      await hand.operate(desk.answer, { wear: clothes, entry })
      if (desk.followed !== null) await hand.waitFor(desk.followed)
    }
    return {
      reached: desk.advised,
      oracle: (hand) => advise(hand, wear),
      saboteurs: {
        wrong_advice: (hand) => advise(hand, CLOTHES.find((each) => each !== wear) ?? ''),
        left_waiting: (hand) => hand.waitFor(desk.left),
        ...(service.reported !== null && {
          hasty_advice: async (hand: Hand) => {
            await hand.operate(service.lookUp, { city })
            await hand.operate(desk.answer, { wear, entry })
          },
        }),
      },
    }
  },
})
