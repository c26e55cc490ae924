import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pluginFiles } from '../run/discover.js'

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
