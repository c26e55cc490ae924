import { readFileSync } from 'node:fs'

/** Our own package.json, from the sources and from the build alike. */
export function packageInfo(): { version: string } {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const info: { name?: string; version: string } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'))
      if (info.name === 'sora-bench') return info
    } catch {
      // Not here: the build lies one folder deeper.
    }
  }
  throw new Error('sora-bench cannot find its own package.json.')
}
