import { expect, test } from 'vitest'
import { readMessage, withoutSecrets } from './messages.js'

test.each([
  ['{"type":"claim","goal":0,"claim":"achieved"}', { type: 'claim', goal: 0, claim: 'achieved', text: '' }],
  [
    '{"type":"usage","promptTokens":12,"completionTokens":3}',
    { type: 'usage', promptTokens: 12, completionTokens: 3, calls: 0 },
  ],
  ['{"type":"note","text":"Well."}', { type: 'note', text: 'Well.' }],
])('%s is a message', (line, message) => {
  expect(readMessage(line)).toEqual(message)
})

test.each([
  'Loading model …',
  'null',
  '[]',
  '{"type":"dance"}',
  '{"type":"claim","goal":0,"claim":"won"}',
  '{"type":"claim","goal":-1,"claim":"achieved"}',
  '{"type":"claim","goal":0,"claim":"achieved","outcome":"solved"}',
  '{"type":"usage","promptTokens":-5,"completionTokens":0}',
  '{"type":"usage","promptTokens":1e12,"completionTokens":0}',
  '{"type":"usage","promptTokens":0.5,"completionTokens":0}',
])('%s is none', (line) => {
  expect(readMessage(line)).toEqual({
    type: 'unreadable',
    why: expect.stringMatching(/^The line is no (JSON|message: )/),
  })
})

test('the values of variables that are named like secrets are taken out of what is kept', () => {
  const env = { OPENAI_API_KEY: 'sk-12345678', HOME: '/home/somebody', SHORT_TOKEN: 'abc' }
  expect(withoutSecrets('401 for sk-12345678 in /home/somebody abc', env)).toBe(
    '401 for (hidden) in /home/somebody abc',
  )
})
