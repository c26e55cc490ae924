import { readCalls, readEnd, whole } from '../../harness/kit/index.js'
import type { End, Malformed, Mend } from '../../harness/kit/index.js'
import type { JsonObject, ModelAnswer } from '../../harness/contract/index.js'
import type { Offer } from './offer.js'
import type { Unit } from './unit.js'

export interface CallOfModel {
  id: string
  unit: Unit
  input: JsonObject
}
/** What an answer of the model means: calls of agents, the end, or something that cannot be carried out. */
export type Read = { kind: 'calls'; calls: CallOfModel[]; mends: Mend[] } | End | Malformed

/** All calls of an answer are good, or none is carried out. */
export function readAnswer(answer: ModelAnswer, offer: Offer): Read {
  const complete = whole(answer)
  if ('kind' in complete) return complete
  if (complete.toolCalls.length === 0) return readEnd(complete)
  const read = readCalls(complete, offer.tools(), 'agent')
  if ('kind' in read) return read
  return {
    kind: 'calls',
    calls: read.flatMap(({ id, tool, args }) => {
      const unit = offer.find(tool.name)
      return unit === null ? [] : [{ id, unit, input: args }]
    }),
    mends: [...new Set(read.flatMap(({ mends }) => mends))],
  }
}
