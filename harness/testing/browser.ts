import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]

export const HOW_TO_GET_ONE =
  'No Chromium was found. Install one (Debian: apt-get install chromium), or name yours in CHROMIUM_PATH.'

/** The path of a Chromium or Chrome: that of CHROMIUM_PATH, else of a well-known place; null if there is none. */
export function findBrowser(env: Readonly<Record<string, string | undefined>> = process.env): string | null {
  const named = env['CHROMIUM_PATH']
  if (named === undefined || named === '') return PLACES.find((place) => existsSync(place)) ?? null
  if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names "${named}", and there is no such file.`)
  return named
}

/** Headless, with a profile of its own that is thrown away, and quiet: it looks for no update and reports nothing. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error(HOW_TO_GET_ONE)
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
