import type { TrialLine } from '../define/index.js'

/** Trials of one scenario, whose timelines stand above each other. */
export interface Scene {
  environment: string
  scenario: number
  ids: string[]
}

/** A page with more of them is a heavy one. */
const SCENES = 12
const TRIALS_PER_SCENE = 6

/** The wanted trials by scenario; without a wish, per case one scenario that tells the agents with a model apart. */
export function chooseScenes(lines: () => Iterable<TrialLine>, wanted: readonly string[]): Scene[] {
  return wanted.length > 0 ? scenesOf(lines, wanted) : defaultScenes(lines)
}

function scenesOf(lines: () => Iterable<TrialLine>, wanted: readonly string[]): Scene[] {
  const byId = new Map<string, TrialLine>()
  for (const line of lines()) if (wanted.includes(line.identity.id)) byId.set(line.identity.id, line)
  const scenes = new Map<string, Scene>()
  for (const id of wanted) {
    const line = byId.get(id)
    if (line === undefined) continue
    const { environment, params, index, seed } = line.identity.scenario
    const key = JSON.stringify([environment, params, seed])
    const scene = scenes.get(key) ?? { environment, scenario: index, ids: [] }
    scenes.set(key, scene)
    scene.ids.push(id)
  }
  return [...scenes.values()]
}

/** The first scenario of each case in which outcomes differ, else the first; under its first model and thinking policy. */
function defaultScenes(lines: () => Iterable<TrialLine>): Scene[] {
  const places = new Map<string, { setting: string; outcomes: Map<string, Set<string>> }>()
  for (const line of lines()) {
    if (line.identity.model === null) continue
    const { place, setting, seed } = keysOf(line)
    const known = places.get(place) ?? { setting, outcomes: new Map<string, Set<string>>() }
    places.set(place, known)
    if (known.setting !== setting) continue
    known.outcomes.set(seed, (known.outcomes.get(seed) ?? new Set()).add(line.outcome))
  }
  const scenes = new Map<string, Scene>()
  for (const line of lines()) {
    const { place, setting, seed } = keysOf(line)
    const known = places.get(place)
    if (known?.setting !== setting || line.identity.replica > 0 || seed !== mostTelling(known.outcomes)) continue
    const { environment, index } = line.identity.scenario
    const scene = scenes.get(place) ?? { environment, scenario: index, ids: [] }
    scenes.set(place, scene)
    if (scene.ids.length < TRIALS_PER_SCENE) scene.ids.push(line.identity.id)
  }
  return [...scenes.values()].slice(0, SCENES)
}

function keysOf({ identity: { scenario, model, thinking } }: TrialLine) {
  return {
    place: JSON.stringify([scenario.environment, scenario.params]),
    setting: JSON.stringify([model, thinking]),
    seed: scenario.seed,
  }
}

function mostTelling(outcomes: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  for (const [seed, seen] of outcomes) if (seen.size > 1) return seed
  return outcomes.keys().next().value
}
