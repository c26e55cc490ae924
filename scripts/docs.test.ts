import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pluginFiles } from '../harness/run/registry.js'
import { readSources } from '../harness/testing/architecture.js'
import { PAGES, filled, readPage } from './docs.js'

const root = fileURLToPath(new URL('..', import.meta.url))

test.each(PAGES.filter((page) => readPage(page).includes('<!-- end -->')))(
  '%s shows what declarations and baselines say (npm run docs)',
  async (page) => {
    expect(readPage(page)).toBe(await filled(page))
  },
)

test.each(['env', 'agent'] as const)('the README lacks no %s of the house', (kind) => {
  const names = [...pluginFiles(kind).keys()].filter((name) => !name.startsWith('ceiling-'))
  expect(names.filter((name) => !readPage('README.md').includes(`\`${name}\``))).toEqual([])
})

/** The anchors that a page has: those of its headings, as GitHub makes them, and those that it sets itself. */
function anchorsOf(page: string): Set<string> {
  const text = readPage(page).replaceAll(/^```[^]*?^```/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

/** What leads nowhere, of targets such as `docs/wire.md#sections`. */
function dead(target: string): boolean {
  const [page = '', anchor] = target.split('#')
  if (!existsSync(`${root}${page}`)) return true
  return anchor !== undefined && page.endsWith('.md') && !anchorsOf(page).has(anchor)
}

test('every page and anchor of the docs that the code cites exists', () => {
  const scripts = readdirSync(`${root}scripts`).map((file) => [`scripts/${file}`, readPage(`scripts/${file}`)] as const)
  const cited = [...readSources(root), ...scripts].flatMap(([file, source]) =>
    [...source.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]) => ({ file, target })),
  )
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter(({ target }) => dead(target))).toEqual([])
})

test('every link between the pages leads to a file, and to a heading where it names one', () => {
  const links = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => ({
      page,
      target: link.startsWith('#') ? `${page}${link}` : posix.join(posix.dirname(page), link),
    })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ target }) => dead(target))).toEqual([])
})

test('every file of the repository that a page names exists', () => {
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/`((?:harness|agents|environments|scripts|examples|docs)\/[\w./-]+)`/g)]
      .map(([, file = '']) => ({ page, file }))
      // NAME stands for any.
      .filter(({ file }) => !/[A-Z]{3}/.test(file)),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ file }) => !existsSync(`${root}${file}`))).toEqual([])
})
