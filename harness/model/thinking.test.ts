import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../contract/index.js'
import type { Usage } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { chargeAborted, parseThinking } from './thinking.js'

const usage: Usage = { promptTokens: 2_000, completionTokens: 80, cachedTokens: 0, counted: false }
const draws = Array.from({ length: 400 }, (_, call) => createRandom('seed').stream('thinking', 'agent', call))

describe('parseThinking', () => {
  it('lasts as long as the first token, the prompt and the completion take, within a tenth', () => {
    const policy = parseThinking('tokens')
    const lasted = draws.map((draw) => policy.lasts(usage, draw, 0))
    const expected = 500 + 2_000 * 0.05 + 80_000 / 80
    expect(lasted.every((ms) => Number.isInteger(ms) && ms >= expected * 0.9 && ms <= expected * 1.1)).toBe(true)
    const mean = lasted.reduce((sum, ms) => sum + ms, 0) / lasted.length
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.01)
    expect(Math.max(...lasted) - Math.min(...lasted)).toBeGreaterThan(expected * 0.18)
  })

  it('names its default profile, so that both spellings are one policy', () => {
    expect([parseThinking('tokens').name, parseThinking('tokens:default').name]).toEqual([
      'tokens:default',
      'tokens:default',
    ])
  })

  it('lasts longer with a slower profile', () => {
    const lasted = ['tokens:fast', 'tokens', 'tokens:slow'].map((name) =>
      parseThinking(name).lasts(usage, createRandom('seed').stream('thinking'), 0),
    )
    expect(lasted).toEqual(lasted.toSorted((a, b) => a - b))
    expect(new Set(lasted).size).toBe(3)
  })

  it('writes as many tokens a second as it is told, and reads like the default', () => {
    const lasts = (name: string) => parseThinking(name).lasts(usage, createRandom('seed').stream('thinking'), 0)
    expect(lasts('tokens:80')).toBe(lasts('tokens'))
    expect(lasts('tokens:5')).toBeGreaterThan(lasts('tokens:8'))
    expect(parseThinking('tokens:5').name).toBe('tokens:5')
  })

  it('draws nothing where the time is fixed', () => {
    const [draw = createRandom('x').stream('y')] = draws
    const policies = ['fixed:1500', 'fixed:0', 'zero'].map(parseThinking)
    expect(policies.map((policy) => [policy.name, policy.lasts(usage, draw, 0)])).toEqual([
      ['fixed:1500', 1_500],
      ['fixed:0', 0],
      ['zero', 0],
    ])
  })

  it('adds what reasoning would write, under a name that tells it', () => {
    const policies = ['tokens', 'tokens+200', 'fixed:1500+1000'].map(parseThinking)
    expect(policies.map(({ name, addedTokens }) => [name, addedTokens])).toEqual([
      ['tokens:default', 0],
      ['tokens:default+200', 200],
      ['fixed:1500+1000', 1_000],
    ])
  })

  it('lasts as long as the call really took where it is measured', () => {
    const [draw = createRandom('x').stream('y')] = draws
    expect(parseThinking('measured').lasts(usage, draw, 1_234.5)).toBe(1_235)
  })

  it.each([
    '',
    'fixed',
    'fixed:',
    'fixed:-1',
    'fixed:1.5',
    'fixed:1e3',
    'tokens+0',
    'tokens+',
    'tokens+1+1',
    '+200',
    'zero:1',
    'tokens:',
    'tokens:swift',
    'tokens:0',
    'tokens:-5',
    'tokens:toString',
    'Zero',
  ])('refuses %j and names what it knows', (text) => {
    expect(() => parseThinking(text)).toThrow(
      new UserError(
        `No thinking policy "${text}". Known: tokens, tokens:fast|default|slow, tokens:N (a second), fixed:MS (whole ms), zero, measured.`,
      ),
    )
  })
})

describe('chargeAborted', () => {
  it('charges the prompt, and of the completion what had been said since the first token', () => {
    const charged = [0, 500, 501, 1_000, 1_499, 1_500].map((tookMs) =>
      chargeAborted(usage, { tookMs, lastsMs: 1_500, firstTokenMs: 500 }),
    )
    expect(charged.map(({ completionTokens }) => completionTokens)).toEqual([0, 0, 0, 40, 79, 80])
    expect(chargeAborted(usage, { tookMs: 1_000, lastsMs: 1_500, firstTokenMs: 500 })).toEqual({
      ...usage,
      completionTokens: 40,
    })
  })

  it('never charges more than was used, whatever the jitter made of the times', () => {
    const ms = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(ms, ms, ms, (tookMs, lastsMs, firstTokenMs) => {
        const { completionTokens } = chargeAborted(usage, { tookMs, lastsMs, firstTokenMs })
        expect(completionTokens).toBeGreaterThanOrEqual(0)
        expect(completionTokens).toBeLessThanOrEqual(usage.completionTokens)
      }),
    )
  })
})
