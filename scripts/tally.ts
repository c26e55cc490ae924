import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line, whatever the terminal: `N passed, N failed`. */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    let skipped = 0
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      passed += states.filter((state) => state === 'passed').length
      skipped += states.filter((state) => state !== 'passed' && state !== 'failed').length
      // A file that does not load, or whose set-up fails, is a failure without a failed test.
      failed += Math.max(states.filter((state) => state === 'failed').length, module.state() === 'failed' ? 1 : 0)
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`)
  }
}
