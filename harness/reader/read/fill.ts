import type { Argument, Manual, OperationManual, SignalManual } from './manual.js'
import { fillText, fillValue, valueIn } from './names.js'
import type { Names } from './names.js'
import type { Effect, Rule } from './rule.js'

export function fillRule(rule: Rule, names: Names): Rule {
  const property = rule.property === null ? null : fillText(rule.property, names)
  return { ...rule, property, value: fillValue(rule.value, names) }
}

function fillEffect(effect: Effect, names: Names): Effect {
  return { ...effect, property: fillText(effect.property, names), value: fillValue(effect.value, names) }
}

export function fillOperation(operation: OperationManual, names: Names): OperationManual {
  if (Object.keys(names).length === 0) return operation
  return {
    ...operation,
    args: operation.args.map((argument) => fillArgument(argument, names)),
    requires: operation.requires.map((rule) => fillRule(rule, names)),
    effects: operation.effects.map((effect) => fillEffect(effect, names)),
    completions: operation.completions.map(({ signal, effects }) => ({
      signal,
      effects: effects.map((effect) => fillEffect(effect, names)),
    })),
  }
}

export function fillSignal(signal: SignalManual, names: Names): SignalManual {
  return { ...signal, when: signal.when.map((rule) => fillRule(rule, names)) }
}

/** A manual as it reads for the entities that a goal is about. */
export function fillManual(manual: Manual, names: Names): Manual {
  return {
    ...manual,
    properties: manual.properties.map((property) => ({ ...property, name: fillText(property.name, names) })),
    operations: manual.operations.map((operation) => fillOperation(operation, names)),
    signals: manual.signals.map((signal) => fillSignal(signal, names)),
  }
}

function fillArgument(argument: Argument, names: Names): Argument {
  const value = argument.source === 'entity' ? valueIn(names, argument.name) : undefined
  return value === undefined ? argument : { name: argument.name, source: 'literal', value }
}
