import { Refusal } from '../define/index.js'
import type { Clock, Condition, JsonObject, OperationCall, Recorder, Scalar } from '../define/index.js'
import { quoted } from './arguments.js'
import type { LiveArtifact, LiveOperation } from './artifact.js'
import { WorldError } from './error.js'
import type { Acknowledgement } from './live.js'
import { holds, requirementWords } from './rules.js'
import type { Steps } from './step.js'

export interface Call {
  tool: string
  action: string
  args: JsonObject
  activity: string
}
type Answer = Pick<Acknowledgement, 'outcome' | 'message' | 'rule' | 'expects'>

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
    return { outcome: 'invalid', operationId: null, message, rule: null, expects: [], at: clock.now() }
  }

  function answer(
    { declaration, harm }: LiveOperation,
    { activity, operationId }: OperationCall,
    body: () => string,
  ): Answer {
    const met = (condition: Condition) => holds(condition, valueOf(artifacts, condition, activity))
    const broken = declaration.requires.find(({ condition }) => !met(condition))
    if (broken === undefined) {
      const expects = declaration.completes.map(({ signal }) => signal)
      return { outcome: 'accepted', message: steps.run(operationId, body), rule: null, expects }
    }
    const { otherwise } = broken
    if (otherwise === 'refuse' || !met(otherwise.when)) throw new Refusal(requirementWords(broken))
    const message = steps.run(operationId, () => {
      otherwise.violation.commit()
      return harm(otherwise.violation)
    })
    return { outcome: 'harmed', message, rule: requirementWords(broken), expects: [] }
  }

  return (call) => {
    const operation = find(call)
    if (typeof operation === 'string') return invalid(call, operation)
    const prepared = operation.prepare(call.args)
    if (!prepared.ok) return invalid(call, prepared.message)
    const { tool, action, args, activity } = call
    const operationId = `op-${++operations}`
    record({ kind: 'operation', op: operationId, tool, action, args }, { activity })
    let result: Answer
    try {
      const caller = { activity, role: roleOf(activity), operationId }
      result = answer(operation, caller, () => prepared.args(caller))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      result = { outcome: 'refused', message: 'Refused: nothing has changed.', rule: error.message, expects: [] }
    }
    const { outcome, message, rule } = result
    record({ kind: 'acknowledgement', op: operationId, outcome, message, rule }, { activity })
    return { ...result, operationId, at: clock.now() }
  }
}

function valueOf(
  artifacts: ReadonlyMap<string, LiveArtifact>,
  { tool, property }: Condition,
  activity: string,
): Scalar {
  const found = artifacts.get(tool)?.properties.get(property)
  if (found === undefined)
    throw new WorldError(`A condition names \`${property}\` of \`${tool}\`, which does not exist.`)
  return found.of(activity).value
}
