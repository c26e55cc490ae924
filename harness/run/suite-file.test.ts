import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pluginFiles } from './registry.js'
import { loadSuite } from './suite-file.js'

function file(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'suite-')), name)
  writeFileSync(path, text)
  return path
}

const good =
  'name: mine\nseed: 1\nscenarios: 3\nagents: [s-ora]\nenvironments:\n  - use: water-hammer\n    grid: { rampMs: [1000, 2000] }\n'

test('a suite of YAML gets the defaults of the schema', async () => {
  expect(await loadSuite(file('mine.suite.yaml', good))).toMatchObject({
    name: 'mine',
    models: ['sim:typical'],
    thinking: 'tokens',
    environments: [{ use: 'water-hammer', params: {}, grid: { rampMs: [1000, 2000] } }],
  })
})

test('a suite of TypeScript outside of the repository imports sora-bench by name', async () => {
  const text =
    "import { defineSuite } from 'sora-bench'\nexport default defineSuite({ name: 'mine', seed: 1 as number, scenarios: 3, agents: ['s-ora'], environments: ['water-hammer'] })\n"
  expect(await loadSuite(file('mine.suite.ts', text))).toMatchObject({ name: 'mine', scenarios: 3 })
})

test.each([
  [
    'a wrong value names line and key',
    good.replace('scenarios: 3', 'scenarios: many'),
    /mine\.suite\.yaml:3: scenarios: .*number/,
  ],
  ['an unknown key is told with its line', `${good}agent: x\n`, /mine\.suite\.yaml:1: agent: .*\(known: name, summary/],
  [
    'an unknown key further inside is told with those that are known there',
    good.replace('grid: { rampMs', 'grids: { rampMs'),
    /mine\.suite\.yaml:6: environments\.0\.grids: there is no "grids" \(known: use, params, grid\)\.$/,
  ],
  [
    'a value deep inside is told with its own line',
    good.replace('[1000, 2000]', '[]'),
    /mine\.suite\.yaml:\d: environments\.0/,
  ],
  [
    'a value that is no number names its key',
    good.replace('[1000, 2000]', '[.nan]'),
    /mine\.suite\.yaml:7: environments\.0\.grid\.rampMs\.0: /,
  ],
  ['an unknown alias is told', `${good}seed2: *nope\n`, /mine\.suite\.yaml: .*nope/],
  [
    'factors without all their combinations are told',
    `${good}factors: { a: { loop: one, surface: poll }, b: { loop: two, surface: poll }, c: { loop: one, surface: push } }\n`,
    /mine\.suite\.yaml:8: factors: loop × surface has 2 × 2 levels, so it needs 4 agents/,
  ],
  [
    'an agent that lacks a factor is told',
    `${good}factors: { a: { loop: one, surface: poll }, b: { loop: two } }\n`,
    /mine\.suite\.yaml:8: factors: "b" has the factors loop; every agent needs the same two/,
  ],
  ['broken YAML names the line', good.replace('[s-ora]', '[s-ora'), /mine\.suite\.yaml:[45]: /],
])('%s', async (_, text, message) => {
  await expect(loadSuite(file('mine.suite.yaml', text))).rejects.toThrow(message)
})

test('an unknown suite is answered with the known ones', async () => {
  await expect(loadSuite('defualt')).rejects.toThrow(
    /^No suite named "defualt"\. Known: .*crossover, .*default, .*smoke\b.*\.$/,
  )
  await expect(loadSuite('nowhere/x.suite.yaml')).rejects.toThrow(/cannot be read: ENOENT/)
})

test('every suite of the house validates', async () => {
  for (const name of pluginFiles('suite').keys()) expect(await loadSuite(name)).toMatchObject({ name })
})
