import { defineMetric } from 'sora-bench'

export default defineMetric({
  // As in the file's name: NAME.metric.ts. Lower-case letters, digits and underscores; a time ends in _ms.
  name: 'NAME',
  // Raise it whenever the same trace gives another value.
  version: '1',
  // \`ms\` is printed as seconds, \`boolean\` as a percentage.
  unit: 'count',
  better: 'lower',
  summary: 'Sleeps that an agent chose.',
  source: 'our own',

  // One figure per group of trials: the \`mean\` over scenarios, their \`median\`, a \`share\` or a \`count\` of them.
  summedUp: 'mean',
  // Where it is shown beside CSV files, codebook and comparisons, which have all metrics: a column in every table, and a
  // chart per case. Leave it out for a metric that needs no column.
  shown: { heading: 'sleeps', place: 200, importance: 4, charts: ['agents', 'curve'] },

  // A function of the trace alone (see \`npx sora-bench trace TRIAL --json\`). No data is \`null\`, never 0.
  of: (trace) => trace.filter(({ kind }) => kind === 'sleep').length,
})
