import type { UnitNote } from '../define/index.js'
import { clean } from './text.js'
import type { Palette } from './text.js'

/** What a note of an architecture of units says in one line, indented by its depth; null for what another line tells. */
export function unitLine(note: UnitNote, { cut, colour }: { cut: (text: string) => string; colour: Palette }) {
  const indent = (depth: number) => '  '.repeat(depth - 1)
  switch (note.kind) {
    case 'unit': {
      const input = Object.keys(note.input).length === 0 ? '' : ` ${cut(JSON.stringify(note.input))}`
      const caller = note.by === 'model' ? `round ${note.round}` : `recruited, depth ${note.depth}`
      return `${indent(note.depth)}agent ${clean(note.unit)}${input} (${caller})`
    }
    case 'unit_result': {
      const who = `${indent(note.depth)}agent ${clean(note.unit)}${note.ran ? '' : ' did not run and'}`
      if (note.ended === 'hard') return colour.red(`${who} fails: ${cut(note.detail)}`)
      if (note.ended === 'soft') return colour.yellow(`${who} has no result: ${cut(note.detail)}`)
      return note.ran ? null : colour.yellow(`${who} answers what was wrong`)
    }
    case 'expansion':
      return `${indent(note.depth)}expands ${cut(note.directive)} of ${clean(note.unit)}`
    case 'inert':
      return colour.yellow(`leaves as text, from the ${note.where}: ${cut(note.directive)}`)
    case 'ask': {
      const choices = note.choices.length === 0 ? '' : ` (${note.choices.map(clean).join(' | ')})`
      return `asks the user: “${cut(note.question)}”${choices}`
    }
    case 'told':
      return note.answer === null
        ? colour.yellow('the user gives no answer of use')
        : `the user says: “${cut(note.answer)}”`
    case 'depth_limit':
      return colour.yellow(`the depth limit of ${note.limit} rounds ends the turn`)
  }
  return note satisfies never
}
