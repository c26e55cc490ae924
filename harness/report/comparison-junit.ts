import type { Comparison, GroupComparison, MetricComparison } from '../compare/comparison.js'
import type { Failure, GateResult } from '../compare/gate.js'
import { changeText, verdictText } from './comparison-table.js'
import { headline } from './comparison-text.js'
import { escapeXml } from './xml.reporter.js'

/** JUnit: a test suite per group, a test case per confirmatory metric and one for the behaviour; what fails the gate is a failure. */
export function junitComparison(comparison: Comparison, { failures, undecided }: GateResult): string {
  const known = new Set(comparison.groups.map(({ label }) => label))
  const suites = comparison.groups.map((group) =>
    suite(group.label, [
      ...group.metrics
        .filter(({ family }) => family === 'confirmatory')
        .map((metric) => metricCase(group, metric, failures)),
      testCase(
        group.label,
        'behaviour',
        failures.filter(({ group: label, metric }) => label === group.label && metric === null),
      ),
    ]),
  )
  const others = failures.filter(({ group }) => !known.has(group))
  const whole = [
    ...others.map((failure) => testCase('comparison', failure.group, [failure])),
    ...(undecided === null ? [] : [error('comparison', 'decidable', undecided)]),
  ]
  const all = whole.length === 0 ? suites : [...suites, suite('comparison', whole)]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(headline(comparison))}" ${counts(all.flatMap(({ cases }) => cases))}>`,
    ...all.map(({ text }) => text),
    '</testsuites>',
    '',
  ].join('\n')
}

interface Case {
  text: string
  state: 'passed' | 'failure' | 'error'
}

function suite(name: string, cases: Case[]): { text: string; cases: Case[] } {
  const text = [
    `  <testsuite name="${escapeXml(name)}" ${counts(cases)}>`,
    ...cases.map((one) => one.text),
    '  </testsuite>',
  ].join('\n')
  return { text, cases }
}

function counts(cases: readonly Case[]): string {
  const of = (state: Case['state']): number => cases.filter((one) => one.state === state).length
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="0"`
}

function metricCase({ label }: GroupComparison, metric: MetricComparison, failures: readonly Failure[]): Case {
  const own = failures.filter((failure) => failure.group === label && failure.metric === metric.column)
  const said = `${verdictText(metric)}: ${changeText(metric)}`
  return testCase(
    label,
    metric.column,
    own.map((failure) => ({ ...failure, sentence: `${failure.sentence} ${said}` })),
  )
}

function testCase(className: string, name: string, failures: readonly Failure[]): Case {
  const head = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`
  if (failures.length === 0) return { text: `${head}/>`, state: 'passed' }
  const message = failures.map(({ sentence }) => sentence).join(' ')
  return { text: `${head}><failure message="${escapeXml(message)}"/></testcase>`, state: 'failure' }
}

function error(className: string, name: string, message: string): Case {
  const head = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`
  return { text: `${head}><error message="${escapeXml(message)}"/></testcase>`, state: 'error' }
}
