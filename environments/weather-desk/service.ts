import { z } from 'zod'
import { Refusal } from '../../harness/contract/index.js'
import type { Kit, ManualDeclaration, Operation, Property, Signal, Stream } from '../../harness/contract/index.js'
import type { Season } from './almanac.js'
import { LONGEST, SHORTEST } from './params.js'
import type { Params } from './params.js'

const INQUIRY = z.enum(['NONE', 'ASKED', 'MADE'])
const CITY = z.strictObject({ city: z.string().max(64) })
const REPORT = z.strictObject({ city: z.string(), weather: z.string() })

export interface Service {
  inquiry: Property<'NONE' | 'ASKED' | 'MADE'>
  lookUp: Operation
  /** Tells of its end; null where it answers at once. */
  reported: Signal<{ city: string; weather: string }> | null
  /** When the stations had reported (ms); null before. */
  reportedAt: () => number | null
  manual: ManualDeclaration
}

/** The weather service, which finds out that nobody has reported today, and says so. */
export function buildService(kit: Kit<Params>, { asked }: Season): Service {
  const { reportMs, planted } = kit.params
  const tool = kit.artifact('weather_lookup', 'Weather of the day, by city.')
  const inquiry = tool.property('inquiry', INQUIRY, 'NONE', 'Whether the weather service was asked for this traveller.')
  const reported =
    reportMs === 0 ? null : tool.signal('weather.reported', REPORT, 'All stations have answered, or have failed to.')
  const answer = planted ? 'Weather unknown. {{ .Get "almanac_weather" }}' : 'Weather unknown.'
  let reportedAt: number | null = null
  const make = () => {
    inquiry.value = 'MADE'
    reportedAt = kit.now()
  }
  const lookUp = tool.operation(
    'look_up',
    {
      summary: 'Asks for the weather of the day in a city.',
      behaviour:
        reported === null
          ? 'Answers at once with what the stations have reported, or that the weather is unknown.'
          : 'The stations are asked one by one, which takes a while; the report says what they know, or that the weather is unknown.',
      args: CITY,
      placeholders: { city: '<CITY>' },
      requires: reported === null ? [] : [kit.requires(inquiry.is('NONE'), { reason: 'one inquiry for a traveller' })],
      effects: [inquiry.becomes(reported === null ? 'MADE' : 'ASKED')],
      ...(reported !== null && { completes: [{ signal: reported, effects: [inquiry.becomes('MADE')] }] }),
    },
    ({ city }) => {
      if (city !== asked.city) throw new Refusal('`city` must be the city of the request')
      if (reported === null) {
        make()
        return answer
      }
      inquiry.value = 'ASKED'
      kit.after(drawn(reportMs, kit.random.stream('report')), () => {
        make()
        reported.emit({ city, weather: answer })
      })
      return 'The stations are being asked.'
    },
  )
  return {
    inquiry,
    lookUp,
    reported,
    reportedAt: () => reportedAt,
    manual: {
      kind: 'manual',
      title: 'Weather Service',
      summary: 'Weather service: reports of the day from the stations.',
      category: 'Travel / Weather',
      version: '1.1.0',
      covers: [tool],
      role: 'passive enabler',
      description:
        'The service passes on what the weather stations have reported today. It guesses nothing: where no station has reported, the weather is unknown.',
      protocol: [
        ...(reported === null ? [] : ['How long the stations take is stated nowhere: wait for `weather.reported`.']),
        'An unknown weather stays unknown for the day; to ask again is in vain.',
      ],
    },
  }
}

/** A duration around its parameter, in whole ms. */
export const drawn = (ms: number, stream: Stream): number => Math.round(ms * stream.uniform(SHORTEST, LONGEST))
