import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { cli, scratch } from '../testing/cli.js'
import { atTerminal } from './terminal.js'

const waiting = () => new AbortController().signal
const season = { text: 'Which season?', choices: ['AUTUMN', 'WINTER'] }

function terminal() {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  return {
    input,
    person: atTerminal({ input, output }),
    shown: () => String(output.read() ?? ''),
    asked: () => once(output, 'readable'),
  }
}

describe('a person at the terminal', () => {
  test('reads the question with its choices, and nothing that a terminal would obey', async () => {
    const { input, person, shown } = terminal()
    input.write('\n')
    await person({ text: 'Which\u001B[2J\nseason?', choices: ['AU\u0007TUMN', 'WINTER'] }, waiting())
    expect(shown()).toBe('\nWhich[2J season?\n  1. AUTUMN\n  2. WINTER\n(an empty line: no answer) > No answer.\n')
  })

  test.each([
    ['2', 'WINTER'],
    [' autumn ', 'autumn'],
    ['3', '3'],
    ['0', '0'],
    ['', null],
  ])('who writes %j has said %j', async (line, said) => {
    const { input, person } = terminal()
    input.write(`${line}\n`)
    expect(await person(season, waiting())).toBe(said)
  })

  test('a figure is a figure where there is nothing to choose from, or where it is a choice itself', async () => {
    const { input, person } = terminal()
    input.write('2\n')
    expect(await person({ text: 'How many?', choices: [] }, waiting())).toBe('2')
    input.write('2\n')
    expect(await person({ text: 'How many?', choices: ['2', '1'] }, waiting())).toBe('2')
  })

  test('whose input has ended answers no question any more', async () => {
    const { input, person } = terminal()
    input.end()
    expect([await person(season, waiting()), await person(season, waiting())]).toEqual([null, null])
  })

  test('is asked one question at a time, and none that nobody waits for', async () => {
    const { input, person, shown, asked } = terminal()
    const first = new AbortController()
    const second = new AbortController()
    const answers = [
      person({ text: 'One?', choices: [] }, first.signal),
      person({ text: 'Two?', choices: [] }, second.signal),
      person({ text: 'Three?', choices: [] }, waiting()),
    ]
    await asked()
    second.abort()
    first.abort()
    await answers[1]
    input.write('three\n')
    expect(await Promise.all(answers)).toEqual([null, null, 'three'])
    expect(shown().match(/\w+\?/g)).toEqual(['One?', 'Three?'])
  })
})

describe('a run that asks a person', () => {
  const run = (...more: string[]) =>
    cli('run', 'smoke', '--agents', 'agencia', '--environments', 'weather-desk', '--param', 'user=terminal', ...more)

  test('is refused on the virtual clock', async () => {
    const { code, err } = await run('--out', scratch())
    expect([code, err]).toEqual([
      2,
      'agencia asks a person, who lives in real time. Add --clock wall, or clock: wall to the suite, or parameters that ask nobody (`sora-bench describe agencia`).\n',
    ])
  })

  test('is refused where stdin is no terminal', async () => {
    const { code, err } = await run('--clock', 'wall', '--out', scratch())
    expect([code, err]).toEqual([
      2,
      'agencia asks a person, but stdin is no terminal. Run it at one, or give it parameters that ask nobody (`sora-bench describe agencia`).\n',
    ])
  })
})
