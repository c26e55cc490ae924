import { expect, it } from 'vitest'
import { parseProfile } from './profile.js'
import { requestSchema } from './read/request.js'
import { respond } from './reply.js'

const manual = [
  '# Oven',
  '',
  'It heats.',
  '* **Operation:** `heat`',
  '| Property | Type |',
  '| :--- | :--- |',
  '1. Wait.',
]
const RETYPING = {
  type: 'object',
  properties: { document: { type: ['string', 'null'] }, suspend: { type: ['object', 'null'] } },
}

function retyped(content: string, fidelity: number, seed = 1): unknown {
  const request = requestSchema.parse({
    model: 'sim',
    messages: [{ role: 'user', content }],
    tools: [],
    response_format: { json_schema: { name: 'result', schema: RETYPING } },
    seed,
  })
  return JSON.parse(respond(request, parseProfile(`sim:careful?fidelity=${fidelity}`)).answer.content ?? '')
}
const prompt = (...texts: string[]): string =>
  ['## GOAL', 'Heat.', ...texts.map((text, index) => `<document id="d${index}">\n${text}\n</document>`)].join('\n')

it('retypes the last document word for word', () => {
  expect(retyped(prompt('# Other', manual.join('\n')), 1)).toEqual({ document: manual.join('\n'), suspend: null })
})

it('loses one item of a list or row of a table, and nothing else', () => {
  const lost = new Set(
    Array.from({ length: 60 }, (_, seed) => {
      const answer = JSON.stringify(retyped(prompt(manual.join('\n')), 0, seed))
      return manual.findIndex(
        (_line, index) => answer === JSON.stringify({ document: manual.toSpliced(index, 1).join('\n'), suspend: null }),
      )
    }),
  )
  expect([...lost].toSorted((a, b) => a - b)).toEqual([3, 4, 6])
})

it('retypes nothing where no document stands', () => {
  expect(retyped(prompt(), 0)).toEqual({ document: null, suspend: null })
})
