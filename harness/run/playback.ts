import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError, modelsIn, speedOf } from '../contract/index.js'
import type { Agent, Environment, TrialIdentity, TrialLine } from '../contract/index.js'
import type { Deck } from '../model/tape.js'
import { clean } from '../trace/text.js'
import { silentEmbeddings, silentModel } from './models.js'
import { playFrom } from './recording.js'
import { createCatalogue, metricsWith } from './registry.js'
import { firstField, freshParams, valueText } from './replay.js'
import { runPlan } from './runner.js'
import { readRun } from './store.js'
import { createRun } from './writer.js'

/** A trial that does not come back as it was: a sentence, and the two values of the first difference. */
interface Differing {
  trial: string
  sentence: string
  recorded: string
  now: string
}

interface Playback {
  trials: number
  played: number
  differing: Differing[]
}

/**
 * Plays every trial of a recording again, without asking a model, and holds its line of `trials.jsonl` against the
 * recorded one, byte for byte. Throws `UserError` for what is no recording, or ran in real time.
 */
export async function playBack(
  folder: string,
  { signal, onTrial }: { signal: AbortSignal; onTrial: (identical: boolean) => void },
): Promise<Playback> {
  const recording = playFrom(folder, { live: false })
  const { header, lines } = readRun(folder)
  if (speedOf(header.clock) !== null)
    throw new UserError(`"${folder}" was recorded on the ${header.clock} clock: only virtual time comes back.`)
  const catalogue = createCatalogue(header.plugins)
  const agents = new Map<string, Agent>()
  const environments = new Map<string, Environment>()
  const trials: TrialIdentity[] = []
  for (const { identity } of lines) {
    const { agent: name, scenario } = identity
    const agent = agents.get(name) ?? (await catalogue.agent(catalogue.nameOf('agent', name)))
    const world = environments.get(scenario.environment)
    const environment = world ?? (await catalogue.environment(catalogue.nameOf('env', scenario.environment)))
    agents.set(name, agent)
    environments.set(scenario.environment, environment)
    trials.push(freshParams(identity, { agent, environment }))
  }
  const { metrics } = await metricsWith(header.plugins)
  const then = new Map(lines.map((line) => [line.identity.id, line]))
  const decks = new Map<string, Deck>()
  const differing: Differing[] = []
  const described = modelsIn(header.suite)
  const own = mkdtempSync(join(tmpdir(), 'sora-bench-playback-'))
  const writer = createRun(join(own, 'run'), { ...header, traces: 'none' })
  try {
    const names = trials.flatMap(({ model }) => model ?? [])
    const { done } = await runPlan(
      { suite: header.suite, trials },
      {
        definitions: { agents, environments },
        metrics,
        chats: new Map(names.map((name) => [name, silentModel(described.get(name) ?? name)])),
        embeddings: silentEmbeddings,
        writer,
        recording: {
          ...recording,
          deck(identity) {
            const deck = recording.deck(identity)
            decks.set(identity.id, deck)
            return deck
          },
        },
        concurrency: 1,
        signal,
        onTrial(now) {
          const { id } = now.identity
          const found = differenceOf(then.get(id), now, decks.get(id))
          decks.delete(id)
          if (found !== null) differing.push({ trial: id, ...found })
          onTrial(found === null)
        },
      },
    )
    return { trials: lines.length, played: done, differing }
  } finally {
    writer.close()
    recording.close()
    rmSync(own, { recursive: true, force: true })
  }
}

/** Null: the lines are the same, byte for byte. What was asked otherwise explains the rest. */
function differenceOf(
  recorded: TrialLine | undefined,
  now: TrialLine,
  deck: Deck | undefined,
): Omit<Differing, 'trial'> | null {
  if (JSON.stringify(recorded) === JSON.stringify(now)) return null
  const miss = deck?.miss()?.miss ?? null
  if (miss !== null)
    return {
      sentence: clean(miss.sentence),
      recorded: valueText(miss.recorded ?? undefined),
      now: valueText(miss.now ?? undefined),
    }
  const { field, was, is } = firstField({ ...recorded }, { ...now })
  return { sentence: `\`${clean(field)}\` is not reproduced.`, recorded: valueText(was), now: valueText(is) }
}
