import { InfrastructureError } from '../define/index.js'
import type { RecordOf, Trace } from '../define/index.js'
import { firstDifference } from './difference.js'
import type { RequestTexts } from './request-texts.js'

/** Where a request first differs from the one recorded at its turn; null stands for what is not there. */
export interface Miss {
  call: number
  /** `message 3 (tool)`, `tools`, `schema`; null where no part differs, or nothing was recorded any more. */
  part: string | null
  line: number | null
  recorded: string | null
  now: string | null
  sentence: string
}

/** The record holds no answer to what was asked. */
export class RecordMiss extends InfrastructureError {
  override name = 'RecordMiss'
  constructor(readonly miss: Miss) {
    super(`${miss.sentence} Recorded: ${JSON.stringify(miss.recorded)}; now: ${JSON.stringify(miss.now)}.`)
  }

  /** `call` counts the requests from 1. */
  static of(call: number, asked: RequestTexts, trace: Trace): RecordMiss {
    const requests = trace.filter((record): record is RecordOf<'request'> => record.kind === 'request')
    const recorded = requests[call - 1]
    if (recorded === undefined) {
      const sentence = `Call ${call} was never recorded: the record holds ${requests.length}.`
      const now = asked.messages.at(-1)?.text ?? null
      return new RecordMiss({ call, part: null, line: null, recorded: null, now: firstLine(now), sentence })
    }
    const place = placesOf(recorded, asked, trace).find(({ was, is }) => was !== is)
    const name = `Call ${call} (${recorded.phase})`
    if (place === undefined) {
      const sentence = `${name} has the text of its record, which has answered an earlier call already.`
      return new RecordMiss({ call, part: null, line: null, recorded: null, now: null, sentence })
    }
    const { part, was, is } = place
    const both = was === null || is === null ? null : firstDifference(was, is)
    const where = both === null ? part : `${part}, line ${both.line}`
    return new RecordMiss({
      call,
      part,
      line: both?.line ?? null,
      recorded: both === null ? firstLine(was) : both.recorded,
      now: both === null ? firstLine(is) : both.now,
      sentence: `${name} is asked otherwise than it was recorded: ${where}.`,
    })
  }
}

interface Place {
  part: string
  was: string | null
  is: string | null
}

function placesOf(recorded: RecordOf<'request'>, asked: RequestTexts, trace: Trace): Place[] {
  const pooled = new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
  const textOf = (hash: string | null): string | null => (hash === null ? null : (pooled.get(hash) ?? `(text ${hash})`))
  const turns = Array.from({ length: Math.max(recorded.messages.length, asked.messages.length) }, (_, i): Place[] => {
    const [was, is] = [recorded.messages[i], asked.messages[i]]
    const part = `message ${i + 1}`
    return [
      { part: `the role of ${part}`, was: was?.role ?? null, is: is?.role ?? null },
      { part: `${part} (${is?.role ?? ''})`, was: textOf(was?.hash ?? null), is: is?.text ?? null },
    ]
  })
  return [
    ...turns.flat(),
    { part: 'tools', was: textOf(recorded.tools), is: asked.tools },
    { part: 'schema', was: textOf(recorded.schema), is: asked.schema },
  ]
}

const firstLine = (text: string | null): string | null => text?.split('\n')[0] ?? null
