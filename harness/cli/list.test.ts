import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { cli } from '../testing/cli.js'
import { lamp, outside } from '../testing/plug-in-files.js'

afterEach(() => vi.restoreAllMocks())

const standIn = (folder: string) => vi.spyOn(process, 'cwd').mockReturnValue(folder)
const suite = (summary: string) =>
  `name: mine\nsummary: ${summary}\nseed: 1\nscenarios: 1\nagents: [oracle]\nenvironments: [water-hammer]\n`
/** Name and what is told of it, once per line. */
const rows = (out: string) =>
  new Map(
    out
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/))
      .map(([name = '', ...rest]): [string, string[]] => [name, rest]),
  )

test('a file of one’s own stands in the list beside those of the house', async () => {
  const file = join(outside({ 'lamp.env.ts': lamp() }), 'lamp.env.ts')
  const { code, out } = await cli('list', 'environments', '--environments', file)
  expect(code).toBe(0)
  expect(rows(out).get('lamp')).toEqual(['A lamp.'])
  expect(rows(out).has('water-hammer')).toBe(true)
  expect(rows((await cli('list', 'environments')).out).has('lamp')).toBe(false)
})

test('a file that is not there is told', async () => {
  const { code, err } = await cli('list', 'environments', '--environments', './nowhere.env.ts')
  expect([code, err]).toEqual([2, expect.stringMatching(/^There is no environment file .*nowhere\.env\.ts\.\n$/)])
})

test.each(['mine.suite.yaml', 'suites/mine.suite.yaml'])(
  'the list shows the suite %s of this folder',
  async (place) => {
    const folder = outside({ [place]: suite('My own.') })
    standIn(folder)
    expect(rows((await cli('list', 'suites')).out).get('mine')).toEqual([`My own. (${place})`])
  },
)

test('a suite of this folder that is broken is told with its fault, and hides no other', async () => {
  standIn(outside({ 'mine.suite.yaml': 'name: mine\n', 'other.suite.yaml': suite('Fine.') }))
  const { code, out } = await cli('list', 'suites')
  expect(code).toBe(0)
  expect(rows(out).get('mine')?.[0]).toMatch(/^The suite is invalid\. .*seed/)
  expect(rows(out).get('other')).toEqual(['Fine. (other.suite.yaml)'])
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
  expect(rows(out).has('smoke')).toBe(true)
})

test('what the list shows of this folder can be described, by name and by path', async () => {
  const folder = outside({ 'mine.suite.yaml': suite('My own.') })
  standIn(folder)
  for (const name of ['mine', join(folder, 'mine.suite.yaml')]) {
    const { code, out } = await cli('describe', name)
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ name: 'mine', summary: 'My own.' })])
  }
})

test('a mistake in the arguments is told in one line of whole sentences', async () => {
  const { code, err } = await cli('list', 'nope')
  expect([code, err]).toEqual([
    2,
    'Invalid values: Argument: kind, Given: "nope", Choices: "agents", "environments", "suites", "metrics", "reporters", "models". See `sora-bench --help`.\n',
  ])
})
