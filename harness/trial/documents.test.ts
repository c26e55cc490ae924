import { describe, expect, test } from 'vitest'
import { loadAgent, pluginFiles } from '../run/registry.js'
import { playTrial } from '../testing/play-trial.js'

/** A reader that looks every minute, so that nobody runs out of calls where something lasts. */
const MODEL = 'sim:careful?pollMs=60000'
const LISTINGS: Record<string, string | number>[] = [
  { covers: 'hidden' },
  { covers: 'hidden', nearMiss: 4 },
  { nearMiss: 4 },
]
const limits = { modelCalls: 400 }

describe.each([...pluginFiles('env').keys()])('%s', (environment) => {
  test.each(['oracle', 'react-polling', 'react-await', 'react-push', 's-ora', 's-ora-lean'])(
    'is solved by %s where only the documents say what they cover, among manuals of other plants',
    async (name) => {
      const agent = await loadAgent(name)
      for (const worldParams of LISTINGS) {
        const { outcome } = await playTrial({ agent, environment, worldParams, model: MODEL, limits })
        expect({ worldParams, outcome }).toEqual({ worldParams, outcome: 'solved' })
      }
    },
  )
})
