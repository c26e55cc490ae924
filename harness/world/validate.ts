import type { Condition, DocumentDeclaration, Effect, Scalar, World } from '../contract/index.js'
import type { LiveArtifact } from './artifact.js'
import { WorldError } from './live.js'
import type { OperationDeclared } from './live.js'
import { coverage, typeWords } from './manual.js'
import { argumentIn, entityIn } from './names.js'
import { LiveProperty } from './property.js'
import type { LiveInstances } from './property.js'
import type { Declared } from './setup.js'

/** A world as setup left it. */
export interface Setup extends Declared {
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
    checkNamed(condition, declaration, where)
    if (otherwise === 'refuse') continue
    checkCondition(otherwise.when, where, artifacts)
    checkNamed(otherwise.when, declaration, where)
  }
  for (const effect of [...declaration.effects, ...declaration.completes.flatMap((end) => end.effects)])
    if (effect.kind === 'becomes') checkArgument(argumentIn(effect.value), declaration, where)
  for (const effect of declaration.effects) checkEffect(effect, where, artifacts)
  for (const { tool, signal, effects } of declaration.completes) {
    if (artifacts.get(tool)?.signals.has(signal) !== true)
      fail(`${where} completes with \`${signal}\` of \`${tool}\`, which is no signal of this world.`)
    for (const effect of effects) checkEffect(effect, where, artifacts)
  }
}

/** Before it is called there is no other entity than the one that an argument names. */
function checkNamed({ property, value }: Condition, declaration: OperationDeclared, where: string): void {
  checkArgument(entityIn(property), declaration, where)
  checkArgument(argumentIn(value), declaration, where)
}

function checkArgument(name: string | null, { args }: OperationDeclared, where: string): void {
  if (name !== null && !Object.hasOwn(args.shape, name))
    fail(`${where} speaks of \`<${name}>\`, which is none of its arguments.`)
}

function checkCondition(condition: Condition, where: string, artifacts: Setup['artifacts']): void {
  const property = propertyOf(condition, where, artifacts)
  if (argumentIn(condition.value) !== null) return
  const fits = condition.op === 'is' ? property.admits(condition.value) : isNumeric(condition.value) && counts(property)
  if (!fits) fail(`${where} compares \`${condition.property}\` with ${condition.value}, which it can never be.`)
}

function checkEffect(effect: Effect, where: string, artifacts: Setup['artifacts']): void {
  const property = propertyOf(effect, where, artifacts)
  if (effect.kind === 'becomes') {
    if (argumentIn(effect.value) === null && !property.admits(effect.value))
      fail(`${where} makes \`${effect.property}\` ${effect.value}, which it can never be.`)
    return
  }
  const bounds = [effect.by, effect.above, effect.below].filter((bound) => bound !== undefined)
  if (!isNumeric(...bounds) || !counts(property))
    fail(`${where} makes \`${effect.property}\` ${effect.kind} by no number.`)
}

function propertyOf(
  { tool, property }: { tool: string; property: string },
  where: string,
  artifacts: Setup['artifacts'],
) {
  const artifact = artifacts.get(tool)
  const found = artifact?.properties.get(property) ?? artifact?.instances.get(property)
  return found ?? fail(`${where} names \`${property}\` of \`${tool}\`, which does not exist.`)
}

/** A property that exists once shows by its value what it is; of one that exists per entity the type tells. */
function counts(property: LiveProperty<Scalar> | LiveInstances<Scalar>): boolean {
  if (property instanceof LiveProperty) return isNumeric(property.value)
  return ['Integer', 'Number'].includes(typeWords(property.declaration.type))
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
