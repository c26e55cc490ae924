import { defineConfig } from 'vitest/config'
import Tally from './scripts/tally.js'

export default defineConfig({
  test: {
    include: ['{harness,agents,environments,scripts}/**/*.test.ts'],
    reporters: ['default', new Tally()],
    // Nothing is asserted about time: these only end what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
