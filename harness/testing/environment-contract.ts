import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Environment, JsonObject } from '../contract/index.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import type { LiveWorld, ToolDeclaration } from '../world/live.js'
import { openWorld } from '../world/open.js'
import { manualMismatches } from './environment/manual-mismatches.js'
import { misreadings } from './environment/misreadings.js'
import { corners, drawParams, parameterSpace } from './environment/parameter-space.js'
import { HORIZON_MS, play } from './environment/play.js'
import type { Play } from './environment/play.js'

export { manualMismatches } from './environment/manual-mismatches.js'

export interface ContractOptions {
  /** Random parameter draws, each with a seed of its own, that the oracle must solve. */
  draws?: number
  /** Signals that neither oracle nor saboteur makes the world emit, with the reason. */
  unreachableSignals?: Record<string, string>
  /** Worlds in which doing nothing is right, by their parameters and the harms that they allow, with the reason. It must then solve exactly those. */
  idleSolves?: { when: (params: Record<string, unknown>, harms: readonly string[]) => boolean; because: string }
  timeoutMs?: number
}

/** A draw may be refused by the schema; a space of which so little is solvable needs other bounds. */
const TRIES_PER_DRAW = 50
const ID = /^[a-zA-Z0-9_-]{1,64}$/
const oracle = (world: LiveWorld) => world.oracle
const idle = () => async () => {}
const saboteur = (name: string) => (world: LiveWorld) => async (hand: Parameters<LiveWorld['oracle']>[0]) => {
  await world.saboteurs[name]?.(hand)
}

/** The world that a play of the same seed opens. */
function open(environment: Environment, params: JsonObject = {}, seed = 'contract'): LiveWorld {
  const values = environment.params.parse(params)
  return openWorld(environment, {
    params: values,
    random: createRandom(seed).fork('world'),
    clock: createVirtualClock(),
    record: () => {},
  })
}

function faultsOf(played: Play): string[] {
  return [
    ...(played.how === 'ended' ? [] : [`The script did not end: ${played.how}.`]),
    ...(played.settledAt < HORIZON_MS ? [] : ['The world never comes to rest.']),
    ...played.brokenEffects,
  ]
}
function oracleFaults(played: Play): string[] {
  return [...faultsOf(played), ...(played.solved ? [] : [`Unsolved; violations: [${played.violations.join()}].`])]
}

/** The suite that every environment must pass: its worlds are solvable, its harms are reachable, its manual is true. */
export function environmentContract(environment: Environment, options: ContractOptions = {}): void {
  const { draws = 200, unreachableSignals = {}, idleSolves, timeoutMs = 600_000 } = options
  const space = parameterSpace(environment.params)
  const accepted = (params: JsonObject) => environment.params.safeParse(params).success
  const run = (params: JsonObject, seed: string, choose: Parameters<typeof play>[1]) =>
    play({ environment, params, seed }, choose)

  /** The defaults, and each extreme alone: what only some parameters bring about is found in one of them. */
  const variants = corners(space).filter((values) => Object.keys(values).length < 2 && accepted(values))
  const possible = (name: string, seed: string) => (params: JsonObject) =>
    Object.hasOwn(open(environment, params, seed).saboteurs, name)
  const violations = new Set(variants.flatMap((params) => Object.keys(open(environment, params).saboteurs)))

  const recordsOf = async (seed: string) => JSON.stringify((await run({}, seed, oracle)).records)

  async function unsolved(scenarios: { params: JsonObject; seed: string }[]) {
    const failures = []
    for (const { params, seed } of scenarios) {
      const faults = oracleFaults(await run(params, seed, oracle))
      if (faults.length > 0) failures.push({ params, seed, faults })
    }
    return failures
  }
  function drawAccepted(seed: string, suits: (params: JsonObject) => boolean = () => true): JsonObject {
    for (let attempt = 0; attempt < TRIES_PER_DRAW; attempt++) {
      const params = drawParams(space, createRandom(seed).stream('params', attempt))
      if (accepted(params) && suits(params)) return params
    }
    throw new Error(`The schema refused ${TRIES_PER_DRAW} draws in a row, or what is tested is possible in none.`)
  }

  describe(`the environment ${environment.name}`, { timeout: timeoutMs }, () => {
    test('accepts its own defaults, and describes each parameter', () => {
      expect(environment.params.safeParse({})).toMatchObject({ success: true })
      const undescribed = Object.entries(environment.params.shape).filter(([, schema]) => !schema.meta()?.description)
      expect(undescribed.map(([name]) => name)).toEqual([])
    })

    test('is solved by its oracle at the corners of its parameters', async ({ annotate }) => {
      const all = corners(space)
      const played = all.filter(accepted).map((params, index) => ({ params, seed: `corner-${index}` }))
      expect(await unsolved(played)).toEqual([])
      await annotate(`${played.length} corners played, ${all.length - played.length} refused by the schema`)
    })

    test(`is solved by its oracle for ${draws} random parameters and seeds`, async () => {
      const seeds = Array.from({ length: draws }, (_, index) => `draw-${index}`)
      expect(await unsolved(seeds.map((seed) => ({ params: drawAccepted(seed), seed })))).toEqual([])
    })

    test.each([...violations])('its saboteur does %s and nothing else', async (name) => {
      // Parameters, or the seed, may rule a violation out; such a world has no saboteur for it.
      const first = variants.find(possible(name, 'sabotage-0')) ?? {}
      const drawn = ['sabotage-1', 'sabotage-2'].map((seed) => drawAccepted(seed, possible(name, seed)))
      for (const [index, params] of [first, ...drawn].entries()) {
        const played = await run(params, `sabotage-${index}`, saboteur(name))
        expect({ params, violations: played.violations, solved: played.solved, faults: faultsOf(played) }).toEqual({
          params,
          violations: [name],
          solved: false,
          faults: [],
        })
      }
    })

    const exception = idleSolves === undefined ? '' : ` but where ${idleSolves.because}`
    test(`is not solved by doing nothing${exception}`, async () => {
      const harms = (params: JsonObject) => Object.keys(open(environment, params, 'idle').saboteurs)
      const expected = (params: JsonObject) =>
        idleSolves?.when(environment.params.parse(params), harms(params)) ?? false
      const drawn = Array.from({ length: 20 }, (_, index) => drawAccepted(`idle-${index}`))
      // An exception that never applies is none.
      if (idleSolves !== undefined) drawn.push(drawAccepted('idle-right', expected))
      for (const params of [{}, ...drawn]) {
        const { solved, settledAt } = await run(params, 'idle', idle)
        const right = { params, solved: expected(params), settled: true }
        expect({ params, solved, settled: settledAt < HORIZON_MS }).toEqual(right)
      }
    })

    test('repeats itself with the same seed, and not with others', async () => {
      const first = await recordsOf('seed-0')
      expect(await recordsOf('seed-0')).toBe(first)
      const others = []
      for (let index = 1; index < 20; index++) others.push(await recordsOf(`seed-${index}`))
      expect(others.filter((records) => records !== first)).not.toEqual([])
    })

    test('emits every signal that it declares, in some run of a script', async () => {
      const emitted = new Set<string>()
      const declared = new Set<string>()
      for (const params of variants) {
        const world = open(environment, params)
        const own = world.tools.flatMap(({ signals }) => signals.map(({ name }) => name))
        if (own.every((name) => declared.has(name))) continue
        for (const name of own) declared.add(name)
        for (const script of [oracle, ...Object.keys(world.saboteurs).map(saboteur)])
          for (const record of (await run(params, 'signals', script)).records)
            if (record.kind === 'signal') emitted.add(record.signal)
      }
      const silent = [...declared].filter((name) => !emitted.has(name))
      expect(silent.toSorted()).toEqual(Object.keys(unreachableSignals).toSorted())
    })

    test('has ids that fit the wire, and documents whose hashes are theirs', () => {
      const { tools, documents } = open(environment)
      const ids = tools.flatMap(({ name, operations }) => [name, ...operations.map((each) => each.name)])
      expect([...ids, ...documents.map(({ id }) => id)].filter((id) => !ID.test(id))).toEqual([])
      const hashes = documents.map(({ text }) => createHash('sha256').update(text).digest('hex'))
      expect(documents.map(({ hash }) => hash)).toEqual(hashes)
      expect(open(environment).documents).toEqual(documents)
    })

    /** What a check finds in the manuals of the defaults and of each extreme alone. */
    function inManuals(check: (tool: ToolDeclaration, text: string) => string[]) {
      const found = []
      for (const params of variants) {
        const { tools, documents } = open(environment, params)
        for (const tool of tools) {
          const covering = documents.filter(({ covers }) => covers.includes(tool.name))
          if (covering.length === 0) found.push({ params, fault: `No document covers ${tool.name}.` })
          for (const { text } of covering) found.push(...check(tool, text).map((fault) => ({ params, fault })))
        }
      }
      return found
    }

    test('has manuals that say of each tool what it declares, and nothing else', () => {
      expect(inManuals(manualMismatches)).toEqual([])
    })

    test('has manuals in which the simulated model reads what the tool declares', () => {
      expect(inManuals(misreadings)).toEqual([])
    })
  })
}
