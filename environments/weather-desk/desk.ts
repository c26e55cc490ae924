import { z } from 'zod'
import { Refusal } from '../../harness/contract/index.js'
import type { Kit, ManualDeclaration, Operation, Signal } from '../../harness/contract/index.js'
import { CLOTHES, factName } from './almanac.js'
import type { Season } from './almanac.js'
import type { Params } from './params.js'
import { drawn } from './service.js'
import type { Service } from './service.js'

const REQUEST = z.enum(['OPEN', 'TOLD', 'ANSWERED', 'WITHDRAWN'])
const ANSWER = z.strictObject({ wear: z.enum(CLOTHES), entry: z.string().max(64) })
const NOTHING = z.strictObject({})

export interface Desk {
  /** Has the traveller followed what the almanac says? */
  advised: () => boolean
  answer: Operation
  left: Signal<never>
  /** Tells that the advice was followed; null where that is at once. */
  followed: Signal<never> | null
  /** A step of the world: the traveller goes away. */
  leave: () => void
  manual: ManualDeclaration
}

export function buildDesk(kit: Kit<Params>, { asked }: Season, { inquiry, reportedAt }: Service): Desk {
  const { patienceMs, reportMs, changeMs } = kit.params
  const tool = kit.artifact('travel_desk', 'Questions of travellers, and the answers to them.')
  const request = tool.property('request', REQUEST, 'OPEN', 'What has become of the question of the traveller.')
  const left = tool.signal('traveller.left', NOTHING, 'The traveller has gone without an answer.', {
    when: [request.is('WITHDRAWN')],
  })
  const followed =
    changeMs === 0 ? null : tool.signal('traveller.dressed', NOTHING, 'The traveller has followed the advice and goes.')
  const wrong = kit.violation('wrong_advice', 'The traveller was told to wear what the almanac does not say.')
  const waiting = kit.violation('left_waiting', 'The traveller has gone without an answer.', {
    unit: 'ms',
    nearWithin: patienceMs / 10,
  })
  const hasty =
    reportMs === 0
      ? null
      : kit.violation('hasty_advice', 'The traveller was advised while the stations were still being asked.', {
          unit: 'ms',
          nearWithin: reportMs / 10,
        })

  let told: string | null = null
  const answer = tool.operation(
    'answer',
    {
      summary: 'Answers the traveller: what to wear, and the entry of the almanac that says so.',
      behaviour:
        followed === null
          ? 'The traveller follows the advice at once and goes. No answer can be taken back.'
          : 'The traveller changes, which takes a while, and is served only then. No answer can be taken back.',
      args: ANSWER,
      placeholders: { wear: factName('WEAR', asked), entry: factName('ENTRY', asked) },
      requires: [
        kit.requires(request.is('OPEN'), { reason: 'the traveller is still there' }),
        kit.requires(inquiry.is('MADE'), {
          ...(hasty !== null && { otherwise: hasty.when(inquiry.is('ASKED')) }),
          reason: hasty === null ? 'the weather service was asked first' : 'the weather service has reported',
        }),
      ],
      effects: [request.becomes(followed === null ? 'ANSWERED' : 'TOLD')],
      ...(followed !== null && { completes: [{ signal: followed, effects: [request.becomes('ANSWERED')] }] }),
      harm() {
        request.value = 'WITHDRAWN'
        left.emit({})
        return 'HASTY ADVICE: the traveller hears that the report is still to come, trusts none of it, and goes.'
      },
    },
    ({ wear, entry }) => {
      if (entry !== asked.entry) throw new Refusal('`entry` must be the one of the almanac for this city and season')
      told = wear
      if (wear === asked.wear) waiting.margin(patienceMs - kit.now())
      else wrong.commit()
      hasty?.margin(kit.now() - (reportedAt() ?? 0))
      if (followed === null) {
        request.value = 'ANSWERED'
        return 'The traveller thanks you and goes.'
      }
      request.value = 'TOLD'
      kit.after(drawn(changeMs, kit.random.stream('change')), () => {
        request.value = 'ANSWERED'
        followed.emit({})
      })
      return 'The traveller thanks you and goes to change.'
    },
  )

  return {
    advised: () => told === asked.wear && request.value === 'ANSWERED',
    answer,
    left,
    followed,
    leave() {
      if (request.value !== 'OPEN') return
      request.value = 'WITHDRAWN'
      waiting.commit()
      left.emit({})
    },
    manual: {
      kind: 'manual',
      title: 'Travel Desk',
      summary: 'Travel desk: the request of the traveller, and how it is answered.',
      category: 'Travel / Advice',
      version: '1.1.0',
      covers: [tool],
      role: 'active actuator',
      description:
        'A traveller asks at the desk what to wear. The weather service is asked first; where it does not know, the almanac of the house does. The answer names what to wear and the entry under which the almanac has it.',
      protocol: [
        `The traveller waits for ${patienceMs / 1_000} s and then goes, told by \`traveller.left\`.`,
        ...(hasty === null
          ? []
          : [
              'WARNING, hasty advice: never `answer` while `inquiry` of `weather_lookup` is `ASKED`. A report that comes too late helps nobody.',
            ]),
        ...(followed === null ? [] : ['The request is `ANSWERED` only with `traveller.dressed`: see it through.']),
        'WARNING, wrong advice: never answer from memory or by guessing. Climates of this house are not those that you know.',
      ],
      facts: [
        {
          title: 'The request',
          columns: ['Name', 'Value'],
          rows: [
            ['<CITY>', asked.city],
            ['<SEASON>', asked.season],
          ],
        },
      ],
    },
  }
}
