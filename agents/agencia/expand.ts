import type { JsonObject } from '../../harness/define/index.js'
import { invoke, reportInert } from './caller.js'
import type { Errand } from './caller.js'
import { parseObject } from './input.js'
import type { Part } from './template.js'
import { done, hard, soft } from './unit.js'
import type { AgentResult, Unit } from './unit.js'

type Directive = Extract<Part, { kind: 'directive' }>

/** Whose text it is, what that agent was given, and how deep it stands. */
interface Author {
  unit: Unit
  input: JsonObject
  depth: number
}

/** No honest registry comes near it; one whose agents call each other twice doubles at each level. */
const MAX_DIRECTIVES = 64

/**
 * Carries out the directives of a declared text, in their order, each once. What they insert is inserted as it is and
 * never read as a template. A hard failure ends it; what a soft one leaves out, the other parts may make good.
 */
export async function expand(errand: Errand, author: Author, parts: readonly Part[]): Promise<AgentResult> {
  let output = ''
  let missing: string | null = null
  for (const part of parts) {
    if (part.kind === 'text') {
      output += part.text
      continue
    }
    if (++errand.spent.directives > MAX_DIRECTIVES)
      return hard(`${author.unit.name}: more than ${MAX_DIRECTIVES} directives follow from one call.`)
    const { unit, depth } = author
    errand.note({ kind: 'expansion', unit: unit.name, depth, directive: part.source })
    const result = await carryOut(errand, author, part)
    if (result.error !== null) return result
    if (result.noResult === null) output += result.output
    else missing ??= result.noResult
  }
  return missing !== null && output.trim() === '' ? soft(missing) : done(output)
}

function carryOut(errand: Errand, author: Author, { name, args }: Directive): Promise<AgentResult> {
  const [first = '', ...rest] = args
  switch (name) {
    case 'Get':
      return get(errand, author, first, rest[0])
    case 'AskUser':
      return ask(errand, first, [])
    case 'Options':
      return ask(errand, first, rest)
    case 'Suggest':
      break
  }
  return Promise.resolve(suggest(errand, first))
}

/** A JSON object is the input as it is, any other text its `input`; without one, it is what the recruiter was given. */
async function get(errand: Errand, { input, depth }: Author, name: string, given?: string): Promise<AgentResult> {
  const unit = errand.offer.find(name)
  if (unit === null) return hard(unknown(errand, name), false)
  return invoke(errand, {
    unit,
    input: given === undefined ? input : (parseObject(given) ?? { input: given }),
    by: 'template',
    depth: depth + 1,
  })
}

async function ask(errand: Errand, question: string, choices: readonly string[]): Promise<AgentResult> {
  errand.note({ kind: 'ask', question, choices: [...choices] })
  const said = await errand.user.ask(question, choices)
  if (said !== null) reportInert(errand, 'user', said)
  const answer = choices.length === 0 || said === null ? said : chosen(said, choices)
  errand.note({ kind: 'told', answer })
  return answer === null ? soft(said === null ? 'no_answer' : 'no_choice') : done(answer)
}

const chosen = (said: string, choices: readonly string[]): string | null =>
  choices.find((choice) => choice.toLowerCase() === said.trim().toLowerCase()) ?? null

/** Deferred: nobody is called now, and the model may do it. */
function suggest(errand: Errand, name: string): AgentResult {
  const unit = errand.offer.find(name)
  if (unit === null) return hard(unknown(errand, name), false)
  errand.offer.suggest(unit)
  return done(unit.summary === '' ? `You may call ${name}.` : `You may call ${name}: ${unit.summary}`)
}

const unknown = ({ offer }: Errand, name: string): string => `No agent named "${name}". Known: ${offer.names()}.`
