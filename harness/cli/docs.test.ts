import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pluginFiles } from '../run/registry.js'
import { readBaseline } from './sides.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const ceiling = /^ceiling-/

test.each([
  ['README.md', 'env'],
  ['README.md', 'agent'],
  ['docs/suites.md', 'suite'],
] as const)('%s lacks no %s of the house', (path, kind) => {
  const names = [...pluginFiles(kind).keys()].filter((name) => !ceiling.test(name))
  expect(names.filter((name) => !read(path).includes(`\`${name}\``))).toEqual([])
})

test('what the README tells of all architectures is what their baseline holds', () => {
  const { lines } = readBaseline('results/baselines/architectures')
  const [, table = ''] = /<!-- architectures -->\n([^]*?)<!-- end -->/.exec(read('README.md')) ?? []
  const [head = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()))
  const told = (agent: string, environment: string) => {
    const own = lines.filter(
      ({ identity }) => identity.agent === agent && identity.scenario.environment === environment,
    )
    const solved = own.filter(({ outcome }) => outcome === 'solved').length
    const tokens = own.reduce(
      (sum, { metrics }) => sum + Number(metrics['prompt_tokens']) + Number(metrics['completion_tokens']),
      0,
    )
    return solved === 0
      ? 'none'
      : `${solved === own.length ? '' : `${solved}/${own.length}: `}${thousands(tokens / own.length)}`
  }
  expect(rows.length).toBeGreaterThan(4)
  for (const [agent = '', ...cells] of rows)
    expect([agent, ...cells]).toEqual([agent, ...head.slice(1).map((environment) => told(agent, environment))])
})

const thousands = (tokens: number) => `${(tokens / 1_000).toFixed(1)} k`
