import type { Context } from '../../harness/define/index.js'
import type { AgenciaParams } from './params.js'
import { readAnswers, scriptedUser } from './user.js'
import type { User } from './user.js'

/** What a suspension for the user's sake waits for, as traces name it. */
const ANSWERED = 'user.answered'

/** The user of a trial: asked in a suspension of the activity, which is a wait like any other. */
export function openUser(context: Context<'act', AgenciaParams>, activity: string): User {
  const { askTimeoutMs: timeoutMs, answers: text } = context.params
  const read = readAnswers(text)
  if ('wrong' in read) throw new Error(`The answers do not fit: ${read.wrong}.`)
  const user = scriptedUser({ answers: read.answers, timeoutMs, pause: (delayMs) => context.pause(delayMs) })
  return {
    async ask(question, choices) {
      context.note(activity, { kind: 'suspend', signals: [ANSWERED], when: null, timeoutMs })
      const answer = await user.ask(question, choices)
      const [reason, signals] = answer === null ? (['timeout', []] as const) : (['signal', [ANSWERED]] as const)
      context.note(activity, { kind: 'wake', reason, signals: [...signals] })
      return answer
    },
  }
}
