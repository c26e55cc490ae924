import type { Condition, Effect } from '../../contract/index.js'
import { readManual } from '../../reader/read/manual.js'
import type { Effect as ReadEffect, Rule } from '../../reader/read/rule.js'
import type { ToolDeclaration } from '../../world/live.js'

/** Rules and effects in one form, whoever states them. */
const rule = ({ tool, property, op, value }: Condition | Rule): string => `${tool}.${property} ${op} ${String(value)}`

function effect(given: Effect | ReadEffect): string {
  const { tool, property, kind } = given
  if (kind === 'becomes') return `${tool}.${property} becomes ${String(given.value)}`
  const { by = null, ...rest } = given
  const bound = 'bound' in rest ? rest.bound : (rest.above ?? rest.below ?? null)
  return `${tool}.${property} ${kind} by ${by} to ${bound}`
}

/** What the simulated model makes of a manual, where it differs from the tool's declaration (docs/design.md#models). */
export function misreadings(tool: ToolDeclaration, text: string): string[] {
  const read = readManual(text)
  const declared = tool.operations.map(({ name, requires, effects, completes }) => ({
    action: name,
    requires: requires.map(({ condition }) => rule(condition)),
    effects: effects.map(effect),
    completions: completes.map((each) => ({ signal: each.signal, effects: each.effects.map(effect) })),
  }))
  const understood = read.operations
    .filter((operation) => operation.tool === tool.name)
    .map(({ action, requires, effects, completions }) => ({
      action,
      requires: requires.map(rule),
      effects: effects.map(effect),
      completions: completions.map((each) => ({ signal: each.signal, effects: each.effects.map(effect) })),
    }))
  const missing = declared
    .filter((each) => !contains(understood, each))
    .map((each) => `not understood: ${JSON.stringify(each)}`)
  const invented = understood
    .filter((each) => !contains(declared, each))
    .map((each) => `invented: ${JSON.stringify(each)}`)
  return [...read.unparsed.map((line) => `not parsed: ${line}`), ...missing, ...invented]
}

const contains = (all: readonly unknown[], one: unknown): boolean =>
  all.some((each) => JSON.stringify(each) === JSON.stringify(one))
