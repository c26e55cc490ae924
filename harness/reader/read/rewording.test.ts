import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createRandom } from '../../sim/random.js'
import { createVirtualClock } from '../../sim/virtual-clock.js'
import { corners, parameterSpace } from '../../testing/environment/parameter-space.js'
import { paraphraseCondition, paraphraseGoal, paraphraseManual } from '../../testing/paraphrase.js'
import { loadEnvironment, pluginFiles } from '../../run/registry.js'
import { openWorld } from '../../world/open.js'
import { openLibrary } from '../think/library.js'
import type { Library } from '../think/library.js'
import { readGoal } from './goal.js'
import { readManual } from './manual.js'
import { LABELS } from './chapters.js'
import { parseEffect, parseRule } from './clause.js'
import type { Rule } from './rule.js'
import { WORDINGS } from './wording.js'

const random = createRandom('rewording')

/** Manuals and goals of every environment, with the defaults and with each extreme of a parameter alone. */
const shipped = await (async () => {
  const manuals = new Set<string>()
  const goals = new Map<string, Library>()
  for (const name of pluginFiles('env').keys()) {
    const environment = await loadEnvironment(name)
    const variants = corners(parameterSpace(environment.params)).filter((values) => Object.keys(values).length < 2)
    for (const values of variants) {
      const parsed = environment.params.safeParse(values)
      if (!parsed.success) continue
      const { documents } = openWorld(environment, {
        params: parsed.data,
        random: random.fork('world'),
        clock: createVirtualClock(),
        record: () => {},
      })
      const read = documents.map(({ text, ...each }) => ({
        ...each,
        state: 'visible' as const,
        manual: readManual(text),
      }))
      for (const { text } of documents) if (readManual(text).tools.length > 0) manuals.add(text)
      const roles = typeof environment.roles === 'function' ? environment.roles(parsed.data, random.fork('roles')) : []
      for (const { goal } of roles)
        for (const each of [goal].flat())
          goals.set(typeof each === 'string' ? each : each.text, openLibrary({ documents: read }))
    }
  }
  return { manuals: [...manuals], goals: [...goals].map(([text, library]) => ({ text, library })) }
})()

/** What is said of a rule: the words around it are another's, and units are written in more than one way. */
const said = ({ tool, property, op, value, modulus, unit }: Rule) =>
  [tool, property, op, value, modulus, unit?.toLowerCase()].join(' ')
/** Without the order of conditions that hold together. */
const together = (rules: readonly Rule[]) => rules.map(said).toSorted()

function meaningOfManual(text: string) {
  const { tools, properties, operations, signals, facts, unparsed } = readManual(text)
  return {
    tools,
    properties: properties.map(({ tool, name, type, values, unit }) => ({ tool, name, type, values, unit })),
    operations: operations.map((each) => ({ ...each, prose: '', requires: together(each.requires) })),
    signals: signals.map(({ tool, name, when }) => ({ tool, name, when: together(when) })),
    facts,
    unparsed,
  }
}

/** Each condition with the property that the manuals of its world let it mean. */
function meaningOfGoal(text: string, library: Library) {
  const goal = readGoal(text)
  const [until, guards, keep] = [goal.until, goal.guards, goal.keep].map((rules) =>
    together(rules.map((each) => library.bindGoal(each, goal) ?? each)),
  )
  return { until, guards, keep, literals: goal.literals }
}

/** How many paraphrases say the same, and those that do not, with what was made of them. */
function tally(all: readonly { text: string; reworded: string; what: (text: string) => unknown }[]) {
  const failures = all.flatMap(({ text, reworded, what }) => {
    const read = JSON.stringify(what(reworded), null, 1)
    return JSON.stringify(what(text), null, 1) === read ? [] : [{ reworded, read }]
  })
  return { count: all.length, alike: 1 - failures.length / all.length, failures }
}

test('at least 95 % of the paraphrases of every shipped manual and goal are read as what they paraphrase', async ({
  annotate,
}) => {
  const manuals = shipped.manuals.flatMap((text) =>
    Array.from({ length: 12 }, (_, index) => {
      const reworded = paraphraseManual(text, random.stream('manual', text, index))
      return { text, reworded, what: meaningOfManual }
    }),
  )
  const goals = shipped.goals.flatMap(({ text, library }) =>
    Array.from({ length: 20 }, (_, index) => {
      const reworded = paraphraseGoal(text, random.stream('goal', text, index))
      if (reworded === null) throw new Error(`Nobody has reworded the goal: ${text}`)
      return { text, reworded, what: (goal: string) => meaningOfGoal(goal, library) }
    }),
  )
  for (const { count, alike, failures } of [tally(manuals), tally(goals)]) {
    await annotate(`${(100 * alike).toFixed(1)} % of ${count} are read alike`)
    expect(alike, failures.map(({ reworded, read }) => `${reworded}\n→ ${read}`).join('\n\n')).toBeGreaterThan(0.95)
  }
})

const rule = (clause: string) => {
  const read = parseRule(clause, 't')
  return read === null ? null : `${read.op} ${String(read.value)}`
}

test.each([
  ['`p` must not be `A`', 'is_not A'],
  ['unless `p` is `A`', 'is_not A'],
  ['not while `p` is `A`', 'is_not A'],
  ['never call it when `p` is `A`', 'is_not A'],
  ['refused if `p` is `A`', 'is_not A'],
  ['if `p` is `A`, the call is refused', 'is_not A'],
  ['wait while `p` is `A`', 'is_not A'],
  ['requires `p` not to be `A`', 'is_not A'],
  ['`p` must be other than `A`', 'is_not A'],
  ['only if `p` does not equal `A`', 'is_not A'],
  ['`p` must not be below `5`', 'at_least 5'],
  ['`p` must not exceed `5`', 'at_most 5'],
  ['`p` must never reach `5`', 'below 5'],
  ['refused unless `p` is not under `5`', 'at_least 5'],
  ['not unless `p` is above `5`', 'above 5'],
  ['unless `p` is above `5`', 'at_most 5'],
])('takes “%s” for %s, not for its opposite', (clause, read) => {
  expect(rule(clause)).toBe(read)
})

test.each([
  '`p` need not be `A`',
  '`p` does not have to be `A`',
  '`p` is not required to be `A`',
  '`p` may be `A`',
  '`p` is `A` or `B`',
  '`p` is `A` (or `B`)',
  '`p` is either `A` or `B`',
  '`p` is nearly `A`',
  '`p` was `A`',
  '`p` is `A` unless `q` is `B`',
  '`p` is `A` if `q` is `B`',
  'it does not matter whether `p` is `A`',
  'call it before `p` is `A`',
  'only before `p` is `A`',
  'only unless `p` is `A`',
  '`A` is not required for `p`',
  'it is not required that `p` is `A`',
  'do not check that `p` is `A`',
  'not only if `p` is `A`',
  '`p` falls `A`',
  '`p` must not be not `A`',
  'only `p` is `A`',
  '`p` is `A` except when it is `B`',
  'Requires `A` or `B`',
])('reads no rule into “%s”', (clause) => {
  expect(rule(clause)).toBe(null)
})

test.each([
  '`p` does not become `A`',
  '`p` never becomes `A`',
  '`p` may become `A`',
  '`p` becomes `A` or `B`',
  '`p` becomes `A` unless `q` is `B`',
  '`p` rises below `5`',
  '`p` falls above `5`',
  'does not set `p` to `A`',
  '`p` does not rise by `2`',
  '`p` stops',
  '`p` rises or falls',
  'never raises `p` by `1`',
])('reads no effect into “%s”', (clause) => {
  expect(parseEffect(clause, 't')).toBe(null)
})

test.each([
  'Completion is not indicated by `s`.',
  'The signal `s` does not indicate completion.',
  '`s` is never emitted on completion.',
  'No completion is indicated by `s`.',
])('takes no signal for the end of an operation from: %s', (behaviour) => {
  const text = `**Tool ID:** \`t\`\n\n* **Operation:** \`o\`\n* **Behavior:** ${behaviour}\n`
  expect(readManual(text).operations.map(({ completions }) => completions)).toEqual([[]])
})

test.each([
  ['Increment it only if the number is not ODD.', { guards: ['even true'] }],
  ['Increment it unless the number is ODD.', { guards: ['even true'] }],
  ['Do not increment it if the number is EVEN.', { guards: ['odd true'] }],
  ['Do not open the valve while the pressure is above 5 bar.', { guards: ['at_most 5 bar'] }],
  ['Never let the pressure exceed 5 bar.', { keep: ['at_most 5 bar'] }],
  ['The pressure must never fall below 2 bar.', { keep: ['at_least 2 bar'] }],
  ['The lid must not be OPEN.', { until: ['is_not OPEN'] }],
  ['Do not touch the valve that is OPEN.', {}],
  ['The lid need not be OPEN.', {}],
  ['The lid does not have to be OPEN.', {}],
  ['The lid may be OPEN.', {}],
  ['The lid is OPEN or CLOSED.', {}],
  ['The heat is below 5 °C or above 90 °C.', {}],
  ['Stay while the watch is ON.', {}],
])('reads the goal “%s” as it stands', (text, expected) => {
  const goal = readGoal(text)
  const brief = (rules: readonly Rule[]) =>
    rules.map(({ op, value, unit }) => [op, value, unit].filter((each) => each !== null).join(' '))
  const read = { until: brief(goal.until), guards: brief(goal.guards), keep: brief(goal.keep) }
  expect(read).toEqual({ until: [], guards: [], keep: [], ...expected })
})

test('a rule in other words never means its opposite, whatever the words', () => {
  const opposites: Record<string, string> = {
    is: 'is_not',
    below: 'at_least',
    above: 'at_most',
    'at least': 'below',
    'at most': 'above',
  }
  for (const [op, opposite] of Object.entries(opposites))
    for (let index = 0; index < 400; index++) {
      const clause = paraphraseCondition(
        `\`p\` of \`t\` is${op === 'is' ? '' : ` ${op}`} \`5\` bar`,
        't',
        random.stream(op, index),
      )
      expect({ clause, op: parseRule(clause, 't')?.op }).not.toEqual({ clause, op: opposite })
    }
})

test('comes to an end with texts that are long and look like much', () => {
  const parts = [
    '`p` ',
    '(',
    '`',
    '§not ',
    'is not ',
    'only if ',
    '`p` of ',
    ' – ',
    'the ',
    '“',
    '1. ',
    '| a ',
    '**',
    'x:',
    ' and ',
  ]
  const texts = parts.map((part) => part.repeat(5_000))
  for (const text of texts) {
    readGoal(text)
    readManual(
      `**Tool ID:** \`t\`\n\n* **Operation:** \`o\`\n* **Preconditions:** ${text}\n* **Effects:** ${text}\n* **Behavior:** ${text}\n\n* **Signal:** \`s\`\n* **Trigger:** ${text}\n`,
    )
  }
  expect(texts).toHaveLength(parts.length)
})

test('docs/simulated-model.md shows the words that are taken for the same, and the labels', () => {
  const page = readFileSync(new URL('../../../docs/simulated-model.md', import.meta.url), 'utf8').split('\n')
  const rows = [WORDINGS, LABELS].flatMap((classes) =>
    Object.entries(classes).map(
      ([name, all]) => `| ${name === '' ? '(nothing)' : name} | ${all.trim().replaceAll(/\s+/g, ' ')} |`,
    ),
  )
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
