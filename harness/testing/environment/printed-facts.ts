import { z } from 'zod'

const CONDITION = /`([^`]+)` of `([^`]+)` is (?:(below|above|at least|at most) )?`([^`]+)`/g
const payloadJson = z.record(z.string(), z.string())

function field(chunk: string, label: string): string {
  return chunk.match(new RegExp(`^\\* \\*\\*${label}:\\*\\* (.*)$`, 'm'))?.[1] ?? ''
}

function between(text: string, from: string, to: string): string {
  return text.split(from)[1]?.split(to)[0] ?? ''
}

function conditionsIn(text: string): string[] {
  return [...text.matchAll(CONDITION)].map(([, property, tool, comparison, value]) =>
    ['requires', `${tool}.${property}`, comparison, value].filter((word) => word !== undefined).join(' '),
  )
}

function effectsIn(text: string, ownTool: string): string[] {
  return text.split('; ').flatMap((piece) => {
    const head = piece.match(/`([^`]+)`(?: of `([^`]+)`)? (becomes|rises|falls)/)
    if (!head) return []
    const [, property, tool = ownTool, kind] = head
    const bounds = [...piece.matchAll(/(becomes|by|above|below) `([^`]+)`/g)].map(
      ([, word, value]) => `${word} ${value}`,
    )
    return [[`${tool}.${property}`, kind, ...bounds].join(' ')]
  })
}

function operationFacts(chunk: string, ownTool: string): string[] {
  const name = chunk.match(/^`([^`]+)`/)?.[1] ?? '?'
  const behaviour = field(chunk, 'Behavior')
  const [atOnce = '', ...later] = field(chunk, 'Effects').split(/On `([^`]+)`: /)
  const onSignals = later.flatMap((signal, index) =>
    index % 2 === 1 ? [] : effectsIn(later[index + 1] ?? '', ownTool).map((effect) => `on ${signal} ${effect}`),
  )
  const payload = payloadJson.parse(JSON.parse(field(chunk, 'Payload').match(/`(\{.*\})`/)?.[1] ?? '{}'))
  const facts = [
    behaviour.startsWith('**Latent.**') ? 'is latent' : 'is immediate',
    ...[...behaviour.matchAll(/indicated by (.*?) signal/g)].flatMap(([, signals = '']) =>
      [...signals.matchAll(/`([^`]+)`/g)].map(([, signal]) => `completes with ${signal}`),
    ),
    ...conditionsIn(field(chunk, 'Preconditions')),
    ...effectsIn(atOnce, ownTool).map((effect) => `at once ${effect}`),
    ...onSignals,
    ...Object.entries(payload).map(([key, value]) =>
      key === 'action' ? `payload action ${value}` : `payload takes ${key}`,
    ),
  ]
  return [`operation ${name}`, ...facts.map((fact) => `operation ${name} ${fact}`)]
}

function signalFacts(chunk: string): string[] {
  const name = chunk.match(/^`([^`]+)`/)?.[1] ?? '?'
  const carried = [...field(chunk, 'Payload').matchAll(/"([^"]+)": (\w+)/g)].map(
    ([, key, type]) => `carries ${key} ${/^(String|Integer|Number|Boolean)$/.test(type ?? '') ? type : 'other'}`,
  )
  return [
    `signal ${name}`,
    ...[...carried, ...conditionsIn(field(chunk, 'Trigger'))].map((fact) => `signal ${name} ${fact}`),
  ]
}

function propertyFacts(row: RegExpMatchArray): string[] {
  const [, name, type, range = ''] = row
  const values = type === 'String' ? [...range.matchAll(/`([^`]+)`/g)].map(([, value]) => value) : []
  return [`property ${name} ${type}`, ...values.map((value) => `property ${name} may be ${value}`)]
}

/** All that a document states of one tool, one short sentence each; null where it does not specify the tool. */
export function printedFacts(tool: string, documentText: string): Set<string> | null {
  const specification = documentText
    .split(/^# TOOL SPECIFICATION/m)
    .find((part) => part.includes(`**Tool ID:** \`${tool}\``))
  if (specification === undefined) return null
  const rows = between(specification, '### 2.1', '### 2.2').matchAll(/^\| `([^`]+)` \| (\w+) \| (.*?) \|/gm)
  const operations = between(specification, '### 2.2', '### 2.3').split('* **Operation:** ').slice(1)
  const signals = between(specification, '### 2.3', '## 3.').split('* **Signal:** ').slice(1)
  return new Set([
    ...[...rows].flatMap(propertyFacts),
    ...operations.flatMap((chunk) => operationFacts(chunk, tool)),
    ...signals.flatMap(signalFacts),
  ])
}
