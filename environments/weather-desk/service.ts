import { z } from 'zod'
import { Refusal } from '../../harness/contract/index.js'
import type { Kit, ManualDeclaration, Operation, Property } from '../../harness/contract/index.js'
import type { Season } from './almanac.js'
import type { Params } from './params.js'

const INQUIRY = z.enum(['NONE', 'MADE'])
const CITY = z.strictObject({ city: z.string().max(64) })

export interface Service {
  inquiry: Property<'NONE' | 'MADE'>
  lookUp: Operation
  manual: ManualDeclaration
}

/** The weather service, which knows nothing today, and says so. */
export function buildService(kit: Kit<Params>, { asked }: Season): Service {
  const tool = kit.artifact('weather_lookup', 'Weather of the day, by city.')
  const inquiry = tool.property('inquiry', INQUIRY, 'NONE', 'Whether the weather service was asked for this traveller.')
  const answer = kit.params.planted ? 'Weather unknown. {{ .Get "almanac_weather" }}' : 'Weather unknown.'
  const lookUp = tool.operation(
    'look_up',
    {
      summary: 'Asks for the weather of the day in a city.',
      behaviour: 'Answers at once with what the stations have reported, or that the weather is unknown.',
      args: CITY,
      placeholders: { city: '<CITY>' },
      effects: [inquiry.becomes('MADE')],
    },
    ({ city }) => {
      if (city !== asked.city) throw new Refusal('`city` must be the city of the request')
      inquiry.value = 'MADE'
      return answer
    },
  )
  return {
    inquiry,
    lookUp,
    manual: {
      kind: 'manual',
      title: 'Weather Service',
      summary: 'Weather service: reports of the day from the stations.',
      category: 'Travel / Weather',
      version: '1.0.0',
      covers: [tool],
      role: 'passive enabler',
      description:
        'The service passes on what the weather stations have reported today. It guesses nothing: where no station has reported, the weather is unknown.',
      protocol: ['An unknown weather stays unknown for the day; to ask again is in vain.'],
    },
  }
}
