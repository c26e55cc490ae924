/**
 * Makes the pictures of the docs from a fresh run of the default suite by the build:
 * `node scripts/setup.mjs && npx jiti scripts/screenshots.ts`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openBrowser } from '../harness/testing/browser.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const images = join(root, 'docs/images')
const scratch = mkdtempSync(join(tmpdir(), 'screenshots-'))

interface Picture {
  name: string
  page: string
  scheme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Only this part of the page; else its top. */
  part?: string
}

const WATER_HAMMER = ['react-sync', 's-ora'].flatMap((agent) => ['--timeline', `${agent}/sim:typical/0`])
const pictures: Picture[] = [
  { name: 'report', page: 'report.html' },
  { name: 'report-dark', page: 'report.html', scheme: 'dark' },
  { name: 'report-phone', page: 'report.html', width: 390, height: 1_600 },
  { name: 'timeline', page: 'timeline.html', part: 'figure.timeline' },
]

const cli = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'dist/harness/cli/bin.js'), ...args], { cwd: root, stdio: 'ignore' })

try {
  const browser = await openBrowser()
  try {
    const run = join(scratch, 'run')
    cli('run', 'default', '--out', run)
    cli('report', run, '-o', join(run, 'timeline.html'), ...WATER_HAMMER)
    mkdirSync(images, { recursive: true })
    for (const { name, page: file, scheme = 'light', width = 1_200, height = 1_500, part } of pictures) {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height }, deviceScaleFactor: 1.5 })
      await page.goto(pathToFileURL(join(run, file)).href)
      const path = join(images, `${name}.png`)
      if (part === undefined) await page.screenshot({ path })
      else await page.locator(part).first().screenshot({ path })
      await page.close()
      process.stdout.write(`${path}\n`)
    }
  } finally {
    await browser.close()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
