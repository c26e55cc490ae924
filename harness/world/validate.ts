import type { Condition, DocumentDeclaration, Effect, World } from '../define/index.js'
import type { LiveArtifact } from './artifact.js'
import { coverage } from './document.js'
import { WorldError } from './error.js'
import type { OperationDeclared } from './live.js'
import type { LiveViolation } from './violation.js'

/** A world as setup left it. */
export interface Setup {
  artifacts: ReadonlyMap<string, LiveArtifact>
  documents: ReadonlyMap<string, DocumentDeclaration>
  violations: ReadonlyMap<string, LiveViolation>
  world: World
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const SIGNAL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** Throws at the first thing that does not fit, so that no trial runs in a world that contradicts itself. */
export function validate(setup: Setup): void {
  const { artifacts, documents, violations } = setup
  for (const artifact of artifacts.values()) checkArtifact(artifact, setup)
  checkSignalNames(artifacts)
  for (const [id, document] of documents) checkDocument(id, document, artifacts)
  checkCoverage(setup)
  for (const name of violations.keys()) checkName(name, `The violation \`${name}\``)
  checkSaboteurs(setup)
}

function checkArtifact(artifact: LiveArtifact, { artifacts, violations }: Setup): void {
  const { name, properties, signals, operations } = artifact
  checkName(name, `The tool \`${name}\``)
  for (const each of properties.keys()) checkName(each, `The property \`${each}\` of \`${name}\``)
  for (const { declaration } of signals.values())
    for (const condition of declaration.when) checkCondition(condition, `The signal \`${declaration.name}\``, artifacts)
  for (const [each, { declaration }] of operations) {
    const where = `The operation \`${each}\` of \`${name}\``
    checkName(each, where)
    checkArguments(declaration, where)
    checkRules(declaration, where, artifacts)
    for (const { otherwise } of declaration.requires) {
      if (otherwise === 'refuse' || violations.get(otherwise.violation.name) === otherwise.violation) continue
      fail(`${where} harms by \`${otherwise.violation.name}\`, which is no violation of this world.`)
    }
  }
}

function checkArguments({ args, placeholders }: OperationDeclared, where: string): void {
  const known = Object.keys(args.shape)
  const reserved = known.find((name) => name === 'action' || name === 'uuid')
  if (reserved !== undefined) fail(`${where} has an argument \`${reserved}\`: that name belongs to the door.`)
  const stray = Object.keys(placeholders).find((name) => !known.includes(name))
  if (stray !== undefined) fail(`${where} has a placeholder for \`${stray}\`, which is none of its arguments.`)
}

function checkRules(declaration: OperationDeclared, where: string, artifacts: Setup['artifacts']): void {
  for (const { condition, otherwise } of declaration.requires) {
    checkCondition(condition, where, artifacts)
    if (otherwise !== 'refuse') checkCondition(otherwise.when, where, artifacts)
  }
  for (const effect of declaration.effects) checkEffect(effect, where, artifacts)
  for (const { tool, signal, effects } of declaration.completes) {
    if (artifacts.get(tool)?.signals.has(signal) !== true)
      fail(`${where} completes with \`${signal}\` of \`${tool}\`, which is no signal of this world.`)
    for (const effect of effects) checkEffect(effect, where, artifacts)
  }
}

function checkCondition(condition: Condition, where: string, artifacts: Setup['artifacts']): void {
  const property = propertyOf(condition, where, artifacts)
  const fits = condition.op === 'is' ? property.admits(condition.value) : isNumeric(property.value, condition.value)
  if (!fits) fail(`${where} compares \`${condition.property}\` with ${condition.value}, which it can never be.`)
}

function checkEffect(effect: Effect, where: string, artifacts: Setup['artifacts']): void {
  const property = propertyOf(effect, where, artifacts)
  if (effect.kind === 'becomes') {
    if (!property.admits(effect.value))
      fail(`${where} makes \`${effect.property}\` ${effect.value}, which it can never be.`)
    return
  }
  const bounds = [effect.by, effect.above, effect.below].filter((bound) => bound !== undefined)
  if (!isNumeric(property.value, ...bounds)) fail(`${where} makes \`${effect.property}\` ${effect.kind} by no number.`)
}

function propertyOf(
  { tool, property }: { tool: string; property: string },
  where: string,
  artifacts: Setup['artifacts'],
) {
  const found = artifacts.get(tool)?.properties.get(property)
  return found ?? fail(`${where} names \`${property}\` of \`${tool}\`, which does not exist.`)
}

function isNumeric(...values: unknown[]): boolean {
  return values.every((value) => typeof value === 'number' && Number.isFinite(value))
}

/** Waits name signals without their tools, so no two tools may share one. */
function checkSignalNames(artifacts: Setup['artifacts']): void {
  const owners = new Map<string, string>()
  for (const { name: tool, signals } of artifacts.values())
    for (const signal of signals.keys()) {
      if (!SIGNAL_NAME.test(signal)) fail(`The signal \`${signal}\` of \`${tool}\` must fit ${SIGNAL_NAME}.`)
      const owner = owners.get(signal)
      if (owner !== undefined) fail(`Both \`${owner}\` and \`${tool}\` have a signal \`${signal}\`.`)
      owners.set(signal, tool)
    }
}

function checkDocument(id: string, document: DocumentDeclaration, artifacts: Setup['artifacts']): void {
  checkName(id, `The document \`${id}\``)
  for (const name of coverage(document)) {
    if (document.kind === 'plain' && artifacts.has(name))
      fail(`The plain document \`${id}\` covers the tool \`${name}\`: only a manual may.`)
    if (document.kind === 'manual' && !artifacts.has(name))
      fail(`The manual \`${id}\` covers \`${name}\`, which is no tool of this world.`)
  }
}

function checkCoverage({ artifacts, documents }: Setup): void {
  const covered = new Set([...documents.values()].flatMap(coverage))
  for (const { name, operations } of artifacts.values())
    if (operations.size > 0 && !covered.has(name)) fail(`The tool \`${name}\` has operations, but no manual covers it.`)
}

function checkSaboteurs({ violations, world }: Setup): void {
  for (const name of violations.keys())
    if (!Object.hasOwn(world.saboteurs, name)) fail(`The violation \`${name}\` has no saboteur.`)
  for (const name of Object.keys(world.saboteurs))
    if (!violations.has(name)) fail(`The saboteur \`${name}\` does no violation of this world.`)
}

function checkName(name: string, what: string): void {
  if (!NAME.test(name)) fail(`${what} must fit ${NAME}.`)
}

function fail(sentence: string): never {
  throw new WorldError(sentence)
}
