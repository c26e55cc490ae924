import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSources } from '../harness/testing/architecture.js'
import { beyondLimits, codeLinesOf, measureHouse } from './house.js'
import { drawRooms } from './rooms.js'

const root = fileURLToPath(new URL('..', import.meta.url))

test('docs/images/rooms.svg shows the imports as they are (npm run house)', () => {
  expect(readFileSync(`${root}docs/images/rooms.svg`, 'utf8')).toBe(drawRooms(readSources(root)))
})

test('the harness stays within its limits of files and lines', () => {
  expect(beyondLimits(measureHouse(readSources(root)))).toEqual([])
})

test('tests, fixtures, testing and plug-ins do not count, and a blank line or a comment is no line of code', () => {
  const core = '/**\n * Why.\n */\nconst a = 1 // here\n\n/* one line */\n// another\nconst b = `\n`\n'
  const sources = new Map([
    ['harness/sim/a.ts', core],
    ['harness/sim/b.ts', 'const b = 2\n'],
    ['harness/world/c.ts', 'const c = 3\nconst d = 4\n'],
    ...['harness/sim/a.test.ts', 'harness/sim/fixtures/f.ts', 'harness/testing/t.ts', 'agents/a.agent.ts'].map(
      (file) => [file, core] as const,
    ),
  ])
  expect(codeLinesOf(core)).toBe(3)
  expect(measureHouse(sources)).toEqual({
    files: 3,
    medianLines: 2,
    longest: { file: 'harness/sim/a.ts', lines: 9 },
    fullest: { folder: 'harness/sim', files: 2 },
    codeLines: 6,
  })
})

test('each limit that is passed is named with its figure', () => {
  const house = {
    files: 301,
    medianLines: 89,
    longest: { file: 'harness/run/long.ts', lines: 301 },
    fullest: { folder: 'harness/run', files: 26 },
    codeLines: 29_001,
  }
  expect(beyondLimits(house)).toEqual([
    'There are 301 files, more than 300.',
    'The median file has 89 lines, fewer than 90.',
    'harness/run/long.ts has 301 lines, more than 300.',
    'harness/run has 26 files, more than 25.',
    'There are 29001 lines of code, more than 29000.',
  ])
  expect(
    beyondLimits({
      files: 300,
      medianLines: 90,
      longest: { file: 'a', lines: 300 },
      fullest: { folder: 'b', files: 25 },
      codeLines: 29_000,
    }),
  ).toEqual([])
})
