import type { AgentNote, JsonObject, NoteStyle } from '../../harness/contract/index.js'

/** What Agencia tells the trace, and how it is shown and counted. Lines are indented by the depth of who is called. */
export const noteStyles = {
  unit: {},
  unit_result: { colour: 'yellow' },
  unit_failed: { means: 'trouble', colour: 'red' },
  expansion: {},
  inert: { means: 'trouble', colour: 'yellow' },
  ask: {},
  told: {},
  not_told: { colour: 'yellow' },
  depth_limit: { means: 'trouble', colour: 'yellow' },
} as const satisfies Record<string, NoteStyle>

const note = (name: keyof typeof noteStyles, data: JsonObject, line: string | null): AgentNote => ({
  kind: 'note',
  name,
  data,
  line,
})

const indent = (depth: number): string => '  '.repeat(depth - 1)

export const notes = {
  /** An agent of the registry is called. `depth` counts from 1 per call of the model. */
  unit(data: { unit: string; by: 'model' | 'template'; round: number; depth: number; input: JsonObject }) {
    const { unit, by, round, depth, input } = data
    const given = Object.keys(input).length === 0 ? '' : ` ${JSON.stringify(input)}`
    const caller = by === 'model' ? `round ${round}` : `recruited, depth ${depth}`
    return note('unit', data, `${indent(depth)}agent ${unit}${given} (${caller})`)
  },
  /** `detail`: why there is no output. `ran`: false where it was never carried out. */
  unitResult(data: { unit: string; depth: number; ran: boolean; ended: 'output' | 'soft' | 'hard'; detail: string }) {
    const { unit, depth, ran, ended, detail } = data
    const who = `${indent(depth)}agent ${unit}${ran ? '' : ' did not run and'}`
    if (ended === 'hard') return note('unit_failed', data, `${who} fails: ${detail}`)
    if (ended === 'soft') return note('unit_result', data, `${who} has no result: ${detail}`)
    return note('unit_result', data, ran ? null : `${who} answers what was wrong`)
  },
  /** A directive that the author of `unit` has declared, before it is carried out. */
  expansion(data: { unit: string; depth: number; directive: string }) {
    return note('expansion', data, `${indent(data.depth)}expands ${data.directive} of ${data.unit}`)
  },
  /** A directive in somebody else's text: it stays text. */
  inert(data: { where: 'world' | 'model' | 'user'; directive: string }) {
    return note('inert', data, `leaves as text, from the ${data.where}: ${data.directive}`)
  },
  ask(data: { question: string; choices: readonly string[] }) {
    const choices = data.choices.length === 0 ? '' : ` (${data.choices.join(' | ')})`
    return note('ask', data, `asks the user: “${data.question}”${choices}`)
  },
  /** Null: no answer came, or none of the choices. */
  told(answer: string | null) {
    if (answer === null) return note('not_told', {}, 'the user gives no answer of use')
    return note('told', { answer }, `the user says: “${answer}”`)
  },
  /** As many rounds of calls as one turn may have were handled; the calls of one more were not. */
  depthLimit(limit: number) {
    return note('depth_limit', { limit }, `the depth limit of ${limit} rounds ends the turn`)
  },
}
