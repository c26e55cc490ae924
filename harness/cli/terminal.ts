import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import pLimit from 'p-limit'
import { UserError } from '../contract/index.js'
import { clean } from '../trace/text.js'
import { askerAmong } from '../trial/team.js'
import type { Person } from '../trial/team.js'
import { exit } from './command.js'
import type { Prepared } from './prepare.js'

/** Ctrl-C once: no new trial starts. Twice: at once. */
export function onInterrupt(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exit.interrupted)
    controller.abort()
    process.stderr.write('\nEnding the trials in flight; press Ctrl-C again to leave at once.\n')
  }
  process.on('SIGINT', stop)
  return { signal: controller.signal, release: () => process.off('SIGINT', stop) }
}

/** Left-aligned columns; the last one wraps at the terminal's width. */
export function columns(rows: readonly string[][], indent = 0): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, cell] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  const left = indent + widths.reduce((sum, width) => sum + width + 2, 0)
  const room = Math.max(30, (process.stdout.columns ?? 120) - left)
  return rows
    .map((row) => {
      const head = row.slice(0, -1).map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2))
      const [first = '', ...rest] = wrap(row.at(-1) ?? '', room)
      return [
        `${' '.repeat(indent)}${head.join('')}${first}`.trimEnd(),
        ...rest.map((line) => ' '.repeat(left) + line),
      ].join('\n')
    })
    .join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** The person at the terminal, where an agent of the plan asks one; null: none does. */
export function personFor(prepared: Prepared): Person | null {
  const name = askerOf(prepared)
  if (name === null) return null
  if (!process.stdin.isTTY) {
    throw new UserError(
      `${name} asks a person, but stdin is no terminal. Run it at one, or give it parameters that ask nobody (\`sora-bench describe ${name}\`).`,
    )
  }
  return atTerminal({ input: process.stdin, output: process.stderr })
}

/** The name of the first agent of a plan that asks a person. */
export function askerOf({ plan, definitions }: Prepared): string | null {
  for (const { agent: name, agentParams } of plan.trials) {
    const agent = definitions.agents.get(name)
    const asker = agent === undefined ? null : askerAmong(agent, agentParams)
    if (asker !== null) return asker.name
  }
  return null
}

/** Prints each question, one at a time, and reads a line. An empty one, or the end of the input, is no answer. */
export function atTerminal({ input, output }: { input: Readable; output: Writable }): Person {
  const oneAtATime = pLimit(1)
  return ({ text, choices }, signal) =>
    oneAtATime(async () => {
      if (signal.aborted) return null
      output.write(printed(text, choices))
      const line = input.readableEnded ? '' : await lineFrom(input, signal)
      if (line === '') output.write('No answer.\n')
      return line === '' ? null : chosen(line, choices)
    })
}

/** Not in raw mode: Ctrl-C stays an interrupt, and Ctrl-D ends the input. */
function lineFrom(input: Readable, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false, signal })
    lines.once('line', (line) => {
      resolve(line.trim())
      lines.close()
    })
    lines.once('close', () => resolve(''))
  })
}

function printed(text: string, choices: readonly string[]): string {
  const list = choices.map((choice, index) => `  ${index + 1}. ${clean(choice)}\n`).join('')
  return `\n${clean(text)}\n${list}(an empty line: no answer) > `
}

/** A choice by its number, else the words themselves. */
function chosen(line: string, choices: readonly string[]): string {
  if (choices.includes(line) || !/^\d+$/.test(line)) return line
  return choices[Number(line) - 1] ?? line
}
