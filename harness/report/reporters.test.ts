import { expect, test } from 'vitest'
import type { ReportInput, TrialLine } from '../contract/index.js'
import { loadMetrics } from '../run/registry.js'
import { trialLine } from '../testing/trial-line.js'
import tex, { escapeTex } from './formats/tex.reporter.js'
import xml from './formats/xml.reporter.js'
import { escapeXml } from './formats/markup.js'
import { summarise } from './summary.js'

const metrics = await loadMetrics()

const inputOf = (lines: TrialLine[]): ReportInput => ({
  title: 'sora-bench: a & b',
  facts: [['seed', '1']],
  folder: "it's",
  codebook: 'codebook.md',
  summary: summarise(lines, { metrics }),
  lines: () => lines,
  trace: async () => ({ trace: null, note: null }),
  timelines: [],
})

const few = [
  trialLine({ id: 'kettle/s-ora/0', agent: 's-ora' }),
  trialLine(
    { id: 'kettle/s-ora/1', agent: 's-ora', scenario: 1 },
    { outcome: 'violated', metrics: { solved: false, violations: 1 } },
  ),
  trialLine(
    { id: '</testcase>', agent: 'a<b', model: null },
    { outcome: 'infrastructure_error', metrics: {}, error: '"]]>\u0007\uD800 & <oops>' },
  ),
]

test('LaTeX gets one booktabs table per case, with a label for simulated models', async () => {
  expect(tex.run(inputOf(few))).toBe(String.raw`% sora-bench: a & b. Needs \usepackage{booktabs}.
% sim: is the simulated model: a parametric reader, not a language model; intervals are Monte-Carlo error of an authored world.
% n counts scenarios, the unit of analysis; [ ] is the Wilson interval at 95 %; violated counts the scenarios with a violation.
% Calls, tokens, polls, empty polls, probes, syncs, resyncs, rechecks and suspended time are means per scenario; makespan is the median of the solved ones, in virtual time.
% Trials that ended in an infrastructure error (n!): 1. They count as not solved, and are left out of everything else.

\begin{table}
  \centering
  \small
  \caption{kettle \textperiodcentered{} model sim:typical \textperiodcentered{} thinking fixed:1000 (simulated model)}
  \label{tab:sora-bench-1}
  \begin{tabular}{lrrrrrrrrrrr}
    \toprule
    agent & n & solved {[}95 \%{]} & violated & model calls & tokens & polls/empty & probes & syncs & resyncs/rechecks & suspended & makespan \\
    \midrule
    s-ora & 2 & 50 \% {[}9, 91{]} & 1/2 & 4 & -- & -- & -- & -- & -- & -- & 12 s \\
    a\textless{}b & 1 (1!) & 0 \% {[}0, 79{]} & -- & -- & -- & -- & -- & -- & -- & -- & -- \\
    \bottomrule
  \end{tabular}
\end{table}
`)
})

test('no character of a name is a LaTeX command, and groups of digits keep together', () => {
  expect(escapeTex('\\input{x} 50 % & a_b #1 $x$ ~^ [95 %] <|> 1 234 567 · –')).toBe(
    String.raw`\textbackslash{}input\{x\} 50 \% \& a\_b \#1 \$x\$ \textasciitilde{}\textasciicircum{} {[}95 \%{]} \textless{}\textbar{}\textgreater{} 1\,234\,567 \textperiodcentered{} --`,
  )
})

test('JUnit holds a suite per agent and a case per trial; unsolved is a failure, infrastructure an error', async () => {
  expect(xml.run(inputOf(few))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="sora-bench: a &amp; b" tests="3" failures="1" errors="1" skipped="0">
  <testsuite name="kettle / s-ora / sim:typical" tests="2" failures="1" errors="0" skipped="0">
    <properties>
      <property name="environment" value="kettle 1"/>
      <property name="parameters" value="{&quot;litres&quot;:1}"/>
      <property name="agent" value="s-ora 1"/>
      <property name="agent parameters" value="{}"/>
      <property name="model" value="sim:typical (simulated model)"/>
      <property name="thinking" value="fixed:1000"/>
    </properties>
    <testcase name="kettle/s-ora/0" classname="kettle.s-ora" time="12"/>
    <testcase name="kettle/s-ora/1" classname="kettle.s-ora"><failure type="violated" message="violated">npx sora-bench trace 'kettle/s-ora/1' --run 'it'\\''s'</failure></testcase>
  </testsuite>
  <testsuite name="kettle / a&lt;b" tests="1" failures="0" errors="1" skipped="0">
    <properties>
      <property name="environment" value="kettle 1"/>
      <property name="parameters" value="{&quot;litres&quot;:1}"/>
      <property name="agent" value="a&lt;b 1"/>
      <property name="agent parameters" value="{}"/>
      <property name="model" value="none"/>
      <property name="thinking" value="fixed:1000"/>
    </properties>
    <testcase name="&lt;/testcase&gt;" classname="kettle.a&lt;b"><error type="infrastructure_error" message="&quot;]]&gt; &amp; &lt;oops&gt;">npx sora-bench trace '&lt;/testcase&gt;' --run 'it'\\''s'</error></testcase>
  </testsuite>
</testsuites>
`)
})

test('what XML cannot hold is left out: control characters, half surrogates, non-characters', () => {
  expect(escapeXml('a\u0000\u001B[31m\uDC00\uFFFF\u202E b\n"c" 😀')).toBe('a[31m b &quot;c&quot; 😀')
})
