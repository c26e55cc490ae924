import { z } from 'zod'
import type { Condition, Effect, Scalar } from '../../contract/index.js'
import type { OperationDeclared, ToolDeclaration } from '../../world/live.js'
import { printedFacts } from './printed-facts.js'

const COMPARISONS = { is: '', below: 'below', above: 'above', at_least: 'at least', at_most: 'at most' } as const
const TYPE_WORDS: Record<string, string> = {
  string: 'String',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Boolean',
}

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })).optional(),
})
const shapeOf = (type: z.ZodType) => jsonSchema.parse(z.toJSONSchema(type))

function conditionFact({ tool, property, op, value }: Condition): string {
  return ['requires', `${tool}.${property}`, COMPARISONS[op], String(value)].filter((word) => word !== '').join(' ')
}

function effectFact(effect: Effect): string {
  const bounds: Record<string, Scalar | undefined> =
    effect.kind === 'becomes' ? { becomes: effect.value } : { by: effect.by, above: effect.above, below: effect.below }
  const words = Object.entries(bounds).flatMap(([word, value]) => (value === undefined ? [] : [`${word} ${value}`]))
  return [`${effect.tool}.${effect.property}`, effect.kind, ...words].join(' ')
}

function operationFacts(operation: OperationDeclared): string[] {
  const facts = [
    operation.completes.length > 0 ? 'is latent' : 'is immediate',
    `payload action ${operation.name}`,
    ...Object.keys(operation.args.shape).map((name) => `payload takes ${name}`),
    ...operation.requires.map(({ condition }) => conditionFact(condition)),
    ...operation.effects.map((effect) => `at once ${effectFact(effect)}`),
    ...operation.completes.flatMap(({ signal, effects }) => [
      `completes with ${signal}`,
      ...effects.map((effect) => `on ${signal} ${effectFact(effect)}`),
    ]),
  ]
  return [`operation ${operation.name}`, ...facts.map((fact) => `operation ${operation.name} ${fact}`)]
}

function declaredFacts(tool: ToolDeclaration): string[] {
  const properties = tool.properties.flatMap(({ name, type }) => {
    const shape = shapeOf(type)
    const kind = TYPE_WORDS[shape.type ?? ''] ?? 'String'
    return [`property ${name} ${kind}`, ...(shape.enum ?? []).map((value) => `property ${name} may be ${value}`)]
  })
  const signals = tool.signals.flatMap(({ name, payload, when }) => {
    const fields = Object.entries(shapeOf(payload).properties ?? {}).map(
      ([field, { type }]) => `carries ${field} ${TYPE_WORDS[type ?? ''] ?? 'other'}`,
    )
    return [`signal ${name}`, ...[...fields, ...when.map(conditionFact)].map((fact) => `signal ${name} ${fact}`)]
  })
  return [...properties, ...tool.operations.flatMap(operationFacts), ...signals]
}

/**
 * Where a tool and the document that covers it disagree, one sentence each. The document is read with expressions of
 * its own, not with the code that printed it.
 */
export function manualMismatches(tool: ToolDeclaration, documentText: string): string[] {
  const printed = printedFacts(tool.name, documentText)
  if (printed === null) return [`The document has no specification of ${tool.name}.`]
  const declared = new Set(declaredFacts(tool))
  return [
    ...[...declared].filter((fact) => !printed.has(fact)).map((fact) => `The document lacks: ${fact}.`),
    ...[...printed].filter((fact) => !declared.has(fact)).map((fact) => `Only the document says: ${fact}.`),
  ]
}
