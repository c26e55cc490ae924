import { defineConfig } from 'vitest/config'
import Tally from './scripts/tally.js'

export default defineConfig({
  test: {
    include: ['{harness,agents,environments,scripts}/**/*.test.ts'],
    reporters: ['default', new Tally()],
    // Loading the modules anew for each file costs more than most files do. So a file leaves no trace in its process:
    // no variable of the environment, no working directory, no spy.
    isolate: false,
    unstubEnvs: true,
    restoreMocks: true,
    // By default one core is left to whoever watches.
    maxWorkers: '100%',
    globalSetup: './scripts/fresh-build.ts',
    // Nothing is asserted about time: these only end what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
