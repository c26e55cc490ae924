import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 20

interface Timed {
  name: string
  ms: number
}

/** Where the time of the tests went: `npm run test:slow` prints the slowest tests and the slowest files. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files: Timed[] = []
    const tests: Timed[] = []
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      files.push({ name: file, ms: collectDuration + duration + setupDuration })
      for (const test of module.children.allTests())
        tests.push({ name: `${file} > ${test.fullName}`, ms: test.diagnostic()?.duration ?? 0 })
    }
    process.stdout.write(`${table('tests', tests)}${table('files, with loading', files)}`)
  }
}

function table(title: string, timed: readonly Timed[]): string {
  const rows = timed
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}\n`)
  return `\nThe slowest ${title}:\n${rows.join('')}`
}
