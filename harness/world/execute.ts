import { Refusal } from '../contract/index.js'
import type { Clock, Condition, JsonObject, OperationCall, Recorder, Requirement, Scalar } from '../contract/index.js'
import { namesOf } from '../kit/index.js'
import { quoted } from './artifact.js'
import type { LiveArtifact, LiveOperation } from './artifact.js'
import { WorldError } from './live.js'
import type { Acknowledgement, OperationDeclared } from './live.js'
import { fillCondition, namesIn } from './names.js'
import type { Names } from './names.js'
import { holds, requirementWords } from './rules.js'
import type { Steps } from './step.js'

export interface Call {
  tool: string
  action: string
  args: JsonObject
  activity: string
}
type Answer = Pick<Acknowledgement, 'outcome' | 'message' | 'rule' | 'expects' | 'about'>

/** Carries out operations: arguments, requirements in order, body, commit. */
export function executor(world: {
  clock: Clock
  record: Recorder
  steps: Steps
  artifacts: ReadonlyMap<string, LiveArtifact>
  roleOf: (activity: string) => string | null
}): (call: Call) => Acknowledgement {
  const { clock, record, steps, artifacts, roleOf } = world
  let operations = 0

  function find({ tool, action }: Call): LiveOperation | string {
    const artifact = artifacts.get(tool)
    if (artifact === undefined || artifact.operations.size === 0) {
      const known = [...artifacts.values()].filter((each) => each.operations.size > 0).map((each) => each.name)
      return `There is no tool ${quoted(tool)}. Known: ${known.join(', ')}.`
    }
    const operation = artifact.operations.get(action)
    if (operation !== undefined) return operation
    return `${tool} has no action ${quoted(action)}. Known: ${[...artifact.operations.keys()].join(', ')}.`
  }

  function invalid({ tool, action, args, activity }: Call, message: string): Acknowledgement {
    record({ kind: 'invalid', tool, args: { action, ...args }, message }, { activity })
    return { outcome: 'invalid', operationId: null, message, rule: null, about: null, expects: [], at: clock.now() }
  }

  function answer(
    { declaration, harm }: LiveOperation,
    { activity, operationId }: OperationCall,
    body: () => string,
    given: Names,
  ): Answer {
    const met = (condition: Condition) => {
      const value = valueOf(artifacts, condition, { activity, given })
      return value !== null && holds(fillCondition(condition, given), value)
    }
    const told = (rule: Requirement) => requirementWords({ ...rule, condition: fillCondition(rule.condition, given) })
    const broken = declaration.requires.find(({ condition }) => !met(condition))
    if (broken === undefined) {
      const expects = declaration.completes.map(({ signal }) => signal)
      const { message, made } = steps.run(operationId, () => ({ message: body(), made: steps.made() }))
      return { outcome: 'accepted', message, rule: null, about: aboutOf(declaration, { ...made, ...given }), expects }
    }
    const { otherwise } = broken
    if (otherwise === 'refuse' || !met(otherwise.when)) throw new Refusal(told(broken))
    const message = steps.run(operationId, () => {
      otherwise.violation.commit()
      return harm(otherwise.violation)
    })
    return { outcome: 'harmed', message, rule: told(broken), about: aboutOf(declaration, given), expects: [] }
  }

  return (call) => {
    const operation = find(call)
    if (typeof operation === 'string') return invalid(call, operation)
    const prepared = operation.prepare(call.args)
    if (typeof prepared === 'string') return invalid(call, prepared)
    const { tool, action, args, activity } = call
    const operationId = `op-${++operations}`
    record({ kind: 'operation', op: operationId, tool, action, args }, { activity })
    const given = namesOf(args)
    let result: Answer
    try {
      const caller = { activity, role: roleOf(activity), operationId }
      result = answer(operation, caller, () => prepared(caller), given)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const about = aboutOf(operation.declaration, given)
      result = { outcome: 'refused', message: 'Refused: nothing has changed.', rule: error.message, about, expects: [] }
    }
    const { outcome, message, rule } = result
    record({ kind: 'acknowledgement', op: operationId, outcome, message, rule }, { activity })
    return { ...result, operationId, at: clock.now() }
  }
}

/** Null: of the entity that the call names there is none, and nothing holds of it. */
function valueOf(
  artifacts: ReadonlyMap<string, LiveArtifact>,
  { tool, property }: Condition,
  { activity, given }: { activity: string; given: Names },
): Scalar | null {
  const artifact = artifacts.get(tool)
  const found = artifact?.properties.get(property)
  if (found !== undefined) return found.of(activity).value
  const instances = artifact?.instances.get(property)
  if (instances !== undefined) return instances.get(String(given[instances.entity] ?? ''))?.value ?? null
  throw new WorldError(`A condition names \`${property}\` of \`${tool}\`, which does not exist.`)
}

function aboutOf(declaration: OperationDeclared, names: Names): Names | null {
  const known = namesIn(declaration).flatMap((name) => {
    const value = names[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}
