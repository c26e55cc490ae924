import { defineConfig } from 'vitest/config'
import Tally from './scripts/tally.js'

export default defineConfig({
  test: {
    include: ['{harness,agents,environments,scripts}/**/*.test.ts'],
    reporters: ['default', new Tally()],
    testTimeout: 60_000,
  },
})
