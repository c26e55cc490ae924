import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOW_TO_GET_ONE, findBrowser, openBrowser } from '../../testing/browser.js'
import xml from '../formats/xml.reporter.js'
import { readBaseline } from '../../cli/sides.js'
import { loadMetrics } from '../../run/registry.js'
import { summarise } from '../summary.js'
import { comparisonMarkup } from './comparison.js'
import { hostileInput } from './fixtures/hostile.js'
import { htmlPage } from './page.js'
import { style } from './style.js'

const folder = mkdtempSync(join(tmpdir(), 'page-'))
const file = join(folder, 'report.html')
let browser: Browser | null = null

beforeAll(async () => {
  writeFileSync(file, await htmlPage(hostileInput()))
  if (findBrowser() !== null) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** Opens the page from disk. Without a browser the test fails where it must run, and says why it is skipped elsewhere. */
async function open(skip: (why: string) => never, options: BrowserContextOptions = {}) {
  if (browser === null) {
    if (process.env['CI'] !== undefined) throw new Error(HOW_TO_GET_ONE)
    return skip(HOW_TO_GET_ONE)
  }
  const page = await browser.newPage(options)
  const told: string[] = []
  const asked: string[] = []
  page.on('console', (message) => told.push(message.text()))
  page.on('pageerror', (error) => told.push(error.message))
  page.on('dialog', (dialog) => told.push(dialog.message()))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load' })
  return { page, told, asked }
}

test('the page opens from disk without a word on the console, and no request leaves it', async ({ skip }) => {
  const { page, told, asked } = await open(skip)
  expect({ told, asked }).toEqual({ told: [], asked: [pathToFileURL(file).href] })
  expect(await count(page, 'section', 'figure:not(.timeline) svg', 'figure.timeline svg', '#curves figure')).toEqual([
    // Two cases with six charts each, four curves (nobody has a makespan along one), a scene per case.
    4, 16, 2, 4,
  ])
  await page.close()
})

/** Where the hostile run has its markup. */
const PLACES =
  'title label fact blind patient model thinking world parameter value role document tool action message rule property from to violation claim phase signal what detail note'.split(
    ' ',
  )

test('injected markup stays text wherever it stands', async ({ skip }) => {
  const { page } = await open(skip)
  expect(await count(page, 'script', 'img', 'main style', 'main title:not(svg title)', '[onerror]')).toEqual([
    0, 0, 0, 0, 0,
  ])
  expect(await page.title()).toMatch(/^title<\/title><\/style>.*<script>document\.title="pwned"<\/script>/)
  const text = String(await page.evaluate('document.documentElement.textContent'))
  expect(PLACES.filter((place) => !text.includes(`${place}</title></style></svg>`))).toEqual([])
  await page.close()
})

test.for(['light', 'dark'] as const)(
  'in %s mode all kinds of text can be read, in charts too',
  async (colorScheme, { skip }) => {
    const { page } = await open(skip, { colorScheme })
    const found = await contrasts(page)
    expect(found.map(({ what }) => what)).toEqual(TEXTS.map(([text]) => text))
    expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    await page.close()
  },
)

test('at the width of a phone nothing makes the page wider than its screen', async ({ skip }) => {
  const { page } = await open(skip, { viewport: { width: 360, height: 740 } })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.close()
})

test('on a page of 1 200 pixels the table of the default suite needs no scrolling', async ({ skip }) => {
  const { page } = await open(skip, { viewport: { width: 1_200, height: 800 } })
  const { lines } = readBaseline('results/baselines/default')
  const summary = summarise(lines, { metrics: await loadMetrics() })
  await page.setContent(`<style>${style.source}</style>${comparisonMarkup(summary.groups, summary).source}`)
  const [needed, given] = await Promise.all(
    ['scrollWidth', 'clientWidth'].map((width) => page.evaluate(`document.querySelector('.wide').${width}`)),
  )
  expect(needed).toBe(given)
  await page.close()
})

test('choosing another baseline shows the differences to it, and only those', async ({ skip }) => {
  const { page } = await open(skip)
  const shown = () =>
    page.evaluate(
      `[...document.querySelectorAll('#case-1 tr.vs')].filter((row) => row.checkVisibility()).map((row) => row.className)`,
    )
  expect(await shown()).toEqual(['vs b0', 'vs b0'])
  await page.selectOption('#baseline', 'b1')
  expect(await shown()).toEqual(['vs b1', 'vs b1'])
  await page.close()
})

test('on paper the reasons of failed trials are printed although they are folded on the screen', async ({ skip }) => {
  const { page } = await open(skip)
  const reason = page.locator('details li').first()
  expect(await reason.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await reason.isVisible()).toBe(true)
  await page.close()
})

test('JUnit of the same run is well-formed XML with a case for every trial', async ({ skip }) => {
  const { page } = await open(skip)
  const source = xml.run(hostileInput())
  expect(
    await page.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString(${JSON.stringify(source)}, 'application/xml')
      return ['parsererror', 'testcase', 'failure', 'error', 'script'].map((tag) => parsed.querySelectorAll(tag).length)
    })()`),
  ).toEqual([0, 7, 3, 1, 0])
  await page.close()
})

function count(page: Page, ...selectors: string[]): Promise<unknown> {
  return page.evaluate(`${JSON.stringify(selectors)}.map((selector) => document.querySelectorAll(selector).length)`)
}

/** Kinds of text, and what they stand on: an element's colour, else the page's. */
const TEXTS: [text: string, ground?: string][] = [
  ['dd'],
  ['dt'],
  ['a'],
  ['.sim', '.sim'],
  ['.few'],
  ['.bad'],
  ['figcaption small'],
  ['.remark'],
  ['.charts svg text'],
  ['.tl .t', '.tl .s0'],
  ['.tl .b', '.tl .s1'],
  ['.tl .a'],
  ['.tl .f'],
  ['.tl .good', '.tl .head'],
  ['.tl .broken', '.tl .head'],
]

/** Contrast by WCAG 2.2: 4.5 is asked of small text. */
async function contrasts(page: Page): Promise<{ what: string; ratio: number }[]> {
  const found: [string, string, string][] = await page.evaluate(`(() => {
    const colour = (selector, names) => {
      const style = getComputedStyle(document.querySelector(selector))
      return names.map((name) => style[name]).find((value) => value !== 'none' && value !== 'rgba(0, 0, 0, 0)')
    }
    const svg = (selector) => document.querySelector(selector).ownerSVGElement != null
    return ${JSON.stringify(TEXTS)}.flatMap(([text, ground = 'body']) => {
      if (document.querySelector(text) === null || document.querySelector(ground) === null) return []
      return [[text, colour(text, [svg(text) ? 'fill' : 'color']), colour(ground, [svg(ground) ? 'fill' : 'backgroundColor'])]]
    })
  })()`)
  return found.map(([what, text, ground]) => {
    const [light = 0, dark = 0] = [luminance(text), luminance(ground)].toSorted((a, b) => b - a)
    return { what, ratio: (light + 0.05) / (dark + 0.05) }
  })
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/[\d.]+/g)].map(([value]) => {
    const share = Number(value) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
