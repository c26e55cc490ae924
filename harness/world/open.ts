import type { z } from 'zod'
import { PERFECT_DELIVERY } from '../contract/index.js'
import type { Clock, Delivery, Environment, Random, Reading, Recorder } from '../contract/index.js'
import type { LiveArtifact } from './artifact.js'
import { Audience, publisher } from './commit.js'
import type { Chronicle } from './commit.js'
import { executor } from './execute.js'
import { EVERYTHING, admits, narrowingOf } from './focus.js'
import type { Narrowing } from './focus.js'
import { WorldError } from './live.js'
import type { LiveWorld, ToolDeclaration } from './live.js'
import { serveDocument } from './manual.js'
import { withNearMisses } from './near-misses.js'
import { completionConditions } from './rules.js'
import { createKit } from './setup.js'
import { Steps } from './step.js'
import type { Timer } from './step.js'
import { validate } from './validate.js'

/** Sets a world up and lets it live on the clock. A contradiction in its declarations is thrown at once. */
export function openWorld<P extends z.ZodObject>(
  environment: Environment<P>,
  options: {
    params: z.output<P>
    random: Random
    clock: Clock
    record: Recorder
    /** Whose activity it is, where somebody knows. */
    roleOf?: (activity: string) => string | null
    /** How its documents are listed; all that is declared, and no more, where absent. */
    catalogue?: Pick<Delivery, 'covers' | 'nearMiss'>
  },
): LiveWorld {
  const { clock, record, roleOf = () => null, random, catalogue = PERFECT_DELIVERY } = options
  const audience = new Audience()
  const chronicle: Chronicle = { seq: 0, violations: new Set() }
  const wake = ({ operation, action }: Timer): void => steps.run(operation, action)
  const steps: Steps = new Steps(publisher({ clock, record, audience, chronicle, wake }))
  const { kit, declared } = createKit<P>({ ...options, steps })
  const world = steps.setUp(() => environment.setup(kit))
  const { artifacts, documents } = declared
  validate({ ...declared, world })

  const tools = declarations([...artifacts.values()])
  const byName = new Map(tools.map((tool) => [tool.name, tool]))

  function artifact(tool: string): LiveArtifact {
    const found = artifacts.get(tool)
    if (found !== undefined) return found
    throw new WorldError(`No tool named "${tool}". Known: ${[...artifacts.keys()].join(', ')}.`)
  }

  function narrowed(tool: string, only: readonly string[]): Narrowing | null {
    const known = only.length === 0 ? undefined : byName.get(tool)
    return known === undefined ? EVERYTHING : narrowingOf(known, only)
  }

  return {
    tools,
    documents: withNearMisses(documents, { count: catalogue.nearMiss, tools: byName, random }).map((source) =>
      serveDocument(source, catalogue.covers),
    ),
    execute: executor({ clock, record, steps, artifacts, roleOf }),
    read: (tool, activity = '', agoMs = 0, only = []) =>
      reading(artifact(tool), activity, clock.now() - agoMs, narrowed(tool, only) ?? EVERYTHING),
    focus(activity, tool, only = []) {
      const narrowing = narrowed(tool, only)
      if (narrowing !== null) audience.focus(activity, artifact(tool).name, narrowing)
      return narrowing !== null
    },
    unfocus: (activity, tool) => audience.unfocus(activity, tool),
    inFocus: (activity, agoMs = 0) =>
      [...audience.focusOf(activity)].map(([tool, narrowing]) =>
        reading(artifact(tool), activity, clock.now() - agoMs, narrowing),
      ),
    signalsAfter: (activity, seq) => audience.signalsAfter(activity, seq),
    onDoorbells: (listener) => audience.onDoorbells(listener),
    reached: () => world.reached(),
    allMustEnd: world.allMustEnd ?? false,
    violations: () => [...chronicle.violations],
    oracle: world.oracle,
    saboteurs: world.saboteurs,
  }
}

function reading(
  { name, properties, instances }: LiveArtifact,
  activity: string,
  at: number,
  narrowing: Narrowing,
): Reading {
  const all = [...properties.values(), ...[...instances.values()].flatMap((each) => [...each.all.values()])]
  const values = all.flatMap((live) => {
    if (!admits(narrowing.properties, live.name)) return []
    const known = live.of(activity).asOf(at)
    return known === null ? [] : [[live.name, known] as const]
  })
  return { tool: name, properties: Object.fromEntries(values), readAt: at }
}

function declarations(artifacts: readonly LiveArtifact[]): ToolDeclaration[] {
  const operations = artifacts.flatMap((each) => [...each.operations.values()].map(({ declaration }) => declaration))
  return artifacts.map(({ name, summary, properties, instances, signals, operations: own }) => ({
    name,
    summary,
    properties: [...properties.values(), ...instances.values()].map(({ declaration }) => declaration),
    signals: [...signals.values()].map(({ declaration }) => ({
      ...declaration,
      when: declaration.when.length > 0 ? declaration.when : completionConditions(declaration.name, operations),
    })),
    operations: [...own.values()].map(({ declaration }) => declaration),
  }))
}
