import { defineReporter } from 'sora-bench'

export default defineReporter({
  // As in the file's name, and the extension of what it writes: -o FILE.NAME.
  name: 'NAME',
  summary: 'A line per agent and case',

  // Of a run: data in, text out. The trials and their traces are there, too: \`lines()\` and \`trace(id)\`.
  run: ({ title, summary }) =>
    [
      title,
      ...summary.groups.map(
        ({ agent, environment, solved }) =>
          `${environment.name} ${agent.name}: ${solved.rate === null ? 'no trial' : `${solved.events} of ${solved.n} solved`}`,
      ),
      '',
    ].join('\n'),

  // Of two runs or baselines (\`sora-bench compare\`). Either of the two may be left out.
  comparison: ({ comparison: { base, candidate, groups } }) =>
    [
      `${base.name} and ${candidate.name}`,
      ...groups.map(
        ({ label, metrics }) =>
          `${label}: ${metrics.filter(({ verdict }) => verdict === 'worse').length} metrics are worse`,
      ),
      '',
    ].join('\n'),
})
