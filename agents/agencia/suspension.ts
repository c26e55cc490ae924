import type { Context } from '../../harness/contract/index.js'
import type { AgenciaParams } from './params.js'
import { readAnswers, scriptedUser } from './user.js'
import type { User } from './user.js'

/** What a suspension for the user's sake waits for, as traces name it. */
const ANSWERED = 'user.answered'
/** A person may say at once that no answer will come. */
const DECLINED = 'user.declined'

/** The user of a trial: asked in a suspension of the activity, which is a wait like any other. */
export function openUser(context: Context<'act', AgenciaParams>, activity: string): User {
  const { askTimeoutMs: timeoutMs, user: kind } = context.params
  const user = kind === 'terminal' ? atTerminal(context) : scripted(context)
  const signals = kind === 'terminal' ? [ANSWERED, DECLINED] : [ANSWERED]
  return {
    async ask(question, choices) {
      context.note(activity, { kind: 'suspend', signals, when: null, timeoutMs })
      const began = context.now()
      const answer = await user.ask(question, choices)
      if (answer === null && context.now() - began >= timeoutMs)
        context.note(activity, { kind: 'wake', reason: 'timeout', signals: [] })
      else context.note(activity, { kind: 'wake', reason: 'signal', signals: [answer === null ? DECLINED : ANSWERED] })
      return answer
    },
  }
}

function scripted(context: Context<'act', AgenciaParams>): User {
  const { askTimeoutMs: timeoutMs, answers: text } = context.params
  const read = readAnswers(text)
  if ('wrong' in read) throw new Error(`The answers do not fit: ${read.wrong}.`)
  return scriptedUser({ answers: read.answers, timeoutMs, pause: (delayMs) => context.pause(delayMs) })
}

function atTerminal(context: Context<'act', AgenciaParams>): User {
  const { askTimeoutMs: timeoutMs } = context.params
  return { ask: (text, choices) => context.askPerson({ text, choices, timeoutMs }) }
}
