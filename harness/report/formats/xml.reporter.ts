import { defineReporter } from '../../contract/index.js'
import type { Group, Summary, TrialLine } from '../../contract/index.js'
import { junitComparison } from '../compare/formats.js'
import { NO_GATE } from '../compare/gate.js'
import { groupKey, lineKey } from '../summary.js'
import { agentLabel, cases } from '../table.js'
import { escapeXml } from './markup.js'

/** JUnit, as CI systems read it: a trial that is not solved is a failure, and one that infrastructure ended an error. */
export default defineReporter({
  name: 'xml',
  summary: 'JUnit XML: a test suite per case and agent, a test case per trial; of a comparison, one per metric',
  comparison: ({ comparison }) => junitComparison(comparison, comparison.gate ?? NO_GATE),
  run({ title, summary, lines, folder }) {
    const testCases = new Map(summary.groups.map((group): [string, string[]] => [groupKey(group), []]))
    for (const line of lines()) testCases.get(lineKey(line))?.push(testCase(line, folder))
    const suites = cases(summary).flatMap(({ caption, groups }) =>
      groups.map((group) => testSuite(group, suiteName(caption, group, groups), testCases.get(groupKey(group)) ?? [])),
    )
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="${escapeXml(title)}" ${counts(summary.groups)}>`,
      ...suites,
      '</testsuites>',
      '',
    ].join('\n')
  },
})

function suiteName(caption: string, group: Group, groups: readonly Group[]): string {
  const policies = new Set(groups.map(({ thinking }) => thinking))
  return [
    caption,
    agentLabel(group, groups),
    ...(group.model === null ? [] : [group.model]),
    ...(policies.size > 1 ? [group.thinking] : []),
  ].join(' / ')
}

function testSuite(group: Group, name: string, testCases: readonly string[]): string {
  const properties: [string, string][] = [
    ['environment', `${group.environment.name} ${group.environment.version}`],
    ['parameters', JSON.stringify(group.environment.params)],
    ['agent', `${group.agent.name} ${group.agent.version}`],
    ['agent parameters', JSON.stringify(group.agent.params)],
    ['model', modelName(group.model)],
    ['thinking', group.thinking],
  ]
  return [
    `  <testsuite name="${escapeXml(name)}" ${counts([group])}>`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${escapeXml(key)}" value="${escapeXml(value)}"/>`),
    '    </properties>',
    ...testCases,
    '  </testsuite>',
  ].join('\n')
}

function modelName(model: Summary['groups'][number]['model']): string {
  if (model === null) return 'none'
  return model.startsWith('sim:') ? `${model} (simulated model)` : model
}

function counts(groups: readonly Group[]): string {
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0)
  const tests = sum(({ trials }) => trials)
  const errors = sum(({ infrastructureErrors }) => infrastructureErrors)
  const solved = sum(({ outcomes }) => outcomes.solved)
  return `tests="${tests}" failures="${tests - errors - solved}" errors="${errors}" skipped="0"`
}

/** `time` is virtual, in seconds; only of solved trials is it a duration. */
function testCase({ identity, outcome, metrics, error }: TrialLine, folder: string): string {
  const { scenario, agent, id } = identity
  const makespan = metrics['makespan_ms']
  const time = typeof makespan === 'number' ? ` time="${makespan / 1_000}"` : ''
  const head = `    <testcase name="${escapeXml(id)}" classname="${escapeXml(`${scenario.environment}.${agent}`)}"${time}`
  if (outcome === 'solved') return `${head}/>`
  const tag = outcome === 'infrastructure_error' ? 'error' : 'failure'
  const message = error === null ? outcome.replaceAll('_', ' ') : error
  const repeat = `npx sora-bench trace ${quote(id)} --run ${quote(folder)}`
  return `${head}><${tag} type="${outcome}" message="${escapeXml(message)}">${escapeXml(repeat)}</${tag}></testcase>`
}

/** For a POSIX shell: inside single quotes nothing is special. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
