import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { surfaces } from './index.js'

const names = Object.keys(surfaces)

test('Every file beside the list declares a surface that is listed.', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => !/\.test\.ts$|^index\.ts$/.test(file))
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.ts`).toSorted())
})

test('The tables of docs/agents.md say of each surface and its ceiling what their record says.', () => {
  const docs = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8')
  const told = docs.split('\n').map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')))
  const cells = (first: string): string[] => told.find(([cell]) => cell === `\`${first}\``)?.slice(1) ?? []
  for (const [name, { row, ceiling }] of Object.entries(surfaces)) {
    const wanted = [row.returns, row.reads, row.sleeps, row.waits, row.pushed].map((cell) => cell ?? '–')
    expect([name, ...cells(name).slice(1)]).toEqual([name, ...wanted])
    expect([name, ...cells(`ceiling-${name}`)]).toEqual([name, ceiling.waits])
  }
})
