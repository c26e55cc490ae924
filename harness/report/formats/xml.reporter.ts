import { defineReporter } from '../../contract/index.js'
import type { Group, TrialLine } from '../../contract/index.js'
import { junitComparison } from '../compare/formats.js'
import { NO_GATE } from '../compare/gate.js'
import { groupKey, lineKey } from '../summary.js'
import { agentLabel, cases, modelName } from '../table.js'
import { escapeXml, junit } from './markup.js'
import type { Case } from './markup.js'

/** JUnit, as CI systems read it: a trial that is not solved is a failure, and one that infrastructure ended an error. */
export default defineReporter({
  name: 'xml',
  summary: 'JUnit XML: a test suite per case and agent, a test case per trial; of a comparison, one per metric',
  comparison: ({ comparison }) => junitComparison(comparison, comparison.gate ?? NO_GATE),
  run({ title, summary, lines, folder }) {
    const played = new Map(summary.groups.map((group): [string, Case[]] => [groupKey(group), []]))
    for (const line of lines()) played.get(lineKey(line))?.push(testCase(line, folder))
    const suites = cases(summary).flatMap(({ caption, groups }) =>
      groups.map((group) => ({
        name: suiteName(caption, group, groups),
        properties: propertiesOf(group),
        cases: played.get(groupKey(group)) ?? [],
      })),
    )
    return junit(title, suites)
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

function propertiesOf({ environment, agent, model, thinking }: Group): string[] {
  const properties: [string, string][] = [
    ['environment', `${environment.name} ${environment.version}`],
    ['parameters', JSON.stringify(environment.params)],
    ['agent', `${agent.name} ${agent.version}`],
    ['agent parameters', JSON.stringify(agent.params)],
    ['model', model === null ? 'none' : modelName(model)],
    ['thinking', thinking],
  ]
  return [
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${escapeXml(key)}" value="${escapeXml(value)}"/>`),
    '    </properties>',
  ]
}

/** `time` is virtual, in seconds; only of solved trials is it a duration. */
function testCase({ identity, outcome, metrics, error }: TrialLine, folder: string): Case {
  const { scenario, agent, id } = identity
  const makespan = metrics['makespan_ms']
  const time = typeof makespan === 'number' ? ` time="${makespan / 1_000}"` : ''
  const head = `    <testcase name="${escapeXml(id)}" classname="${escapeXml(`${scenario.environment}.${agent}`)}"${time}`
  if (outcome === 'solved') return { text: `${head}/>`, state: 'passed' }
  const state = outcome === 'infrastructure_error' ? 'error' : 'failure'
  const message = escapeXml(error ?? outcome.replaceAll('_', ' '))
  const repeat = escapeXml(`npx sora-bench trace ${quote(id)} --run ${quote(folder)}`)
  return { text: `${head}><${state} type="${outcome}" message="${message}">${repeat}</${state}></testcase>`, state }
}

/** For a POSIX shell: inside single quotes nothing is special. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
