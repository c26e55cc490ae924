import { expect, it } from 'vitest'
import { UserError } from '../contract/index.js'
import { PROFILES, parseProfile } from './profile.js'

it('takes any trait over a named profile, and typical where none is named', () => {
  expect(parseProfile('sim:careful?patience=0.8&impasse=stall&stallCalls=40')).toEqual({
    name: 'sim:careful?patience=0.8&impasse=stall&stallCalls=40',
    patience: 0.8,
    diligence: 1,
    attention: 1,
    fixation: 0,
    honesty: 1,
    syntax: 1,
    fidelity: 1,
    impasse: 'stall',
    stallCalls: 40,
    pollMs: 2_000,
    pollGrowth: 1,
    refusals: 2,
    waitTimeoutMs: 300_000,
    looks: 3,
    draws: 'common',
    per: 'exposure',
    correlation: 0.5,
    syntaxCorrelation: 0,
    visible: 0.5,
    misled: 1,
    persistence: 1,
    handoff: 0,
    restore: 0.5,
  })
  expect({ ...parseProfile('sim:'), name: '' }).toEqual({ ...parseProfile('sim:typical'), name: '' })
})

it.each([
  ['sim:wise', 'No simulated profile named "wise". Known: careful, typical, hasty, distracted, fixated.'],
  ['sim:toString', 'No simulated profile named "toString". Known: careful, typical, hasty, distracted, fixated.'],
  ['gpt', '"gpt" is no simulated model: write sim:PROFILE or sim:PROFILE?trait=value&trait=value.'],
  ['sim:careful?patience=2', 'The trait patience takes a number from 0 to 1, not "2".'],
  ['sim:careful?patience=', 'The trait patience takes a number from 0 to 1, not "".'],
  ['sim:careful?pollMs=0', 'The trait pollMs takes a number from 1 to 86400000, not "0".'],
  ['sim:careful?stallCalls=1.5', 'The trait stallCalls takes a whole number, not "1.5".'],
  ['sim:careful?looks=1&looks=2', 'The trait looks is set twice in "sim:careful?looks=1&looks=2".'],
  ['sim:careful?patience=0.5=0.7', 'The trait patience takes a number from 0 to 1, not "0.5=0.7".'],
  ['sim:careful?misled=0.5', 'The trait misled takes a number from 1 to 10, not "0.5".'],
  ['sim:careful?draws=mine', 'The trait draws takes one of common, own, not "mine".'],
  ['sim:careful?per=call', 'The trait per takes one of exposure, decision, not "call".'],
  ['sim:careful?impasse=wait', 'The trait impasse takes one of act, stall, give-up, not "wait".'],
  [
    'sim:careful?hope=1',
    'No trait named "hope". Known: patience, diligence, attention, fixation, honesty, syntax, fidelity, correlation, syntaxCorrelation, visible, misled, persistence, handoff, restore, draws, per, impasse, stallCalls, pollMs, pollGrowth, refusals, waitTimeoutMs, looks.',
  ],
])('refuses %s with the known values', (name, sentence) => {
  expect(() => parseProfile(name)).toThrow(new UserError(sentence))
})

it('has profiles that differ from careful in their traits alone', () => {
  expect(Object.keys(PROFILES)).toEqual(['careful', 'typical', 'hasty', 'distracted', 'fixated'])
  for (const name of Object.keys(PROFILES)) expect(() => parseProfile(`sim:${name}`)).not.toThrow()
})
